import { escapeMarkup } from "../text/escape-markup.ts";

const INK = "#1c2530";

/** A line of text of a picture, its baseline at that place. */
export function svgText(x: number, y: number, words: string, anchor: "start" | "middle" | "end", sizePx = 12): string {
  const font = `font-family="DejaVu Sans, Helvetica, Arial, sans-serif" font-size="${sizePx}"`;
  return `<text x="${px(x)}" y="${px(y)}" text-anchor="${anchor}" ${font} fill="${INK}">${escapeMarkup(words)}</text>`;
}

/** A coordinate of a picture, to a hundredth of a pixel. */
export function px(value: number): string {
  return String(Number(value.toFixed(2)));
}
