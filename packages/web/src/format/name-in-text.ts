/** Marks that turn the direction of the text behind them, and end an isolation. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g;
/** Letters that are written from right to left, and their marks. */
const TURNING = /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff]/;
const ISOLATE = "\u2068";
const END = "\u2069";

/** A name that a person gave, within a text of the page: the order of the words around it stays. */
export function nameInText(name: string): string {
  return TURNING.test(name) ? ISOLATE + name.replaceAll(DIRECTIONS, "") + END : name;
}

/** JSON on one line, whose marks of direction are readable escapes. */
export function jsonInText(value: unknown): string {
  return (JSON.stringify(value) ?? "").replaceAll(DIRECTIONS, escaped);
}

function escaped(mark: string): string {
  return String.raw`\u${mark.charCodeAt(0).toString(16)}`;
}
