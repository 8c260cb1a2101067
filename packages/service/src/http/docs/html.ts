export type Json = Readonly<Record<string, unknown>>;

/** The text with the characters escaped that HTML gives a meaning. */
export function escape(value: string): string {
  return value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** Prose of the API document as HTML: words between backticks are code. */
export function marked(value: string): string {
  return escape(value).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}

/** The value when it is a text, otherwise nothing. */
export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function record(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}
