import { escapeMarkup } from "@swath/kernel/text/escape-markup";

export type Json = Readonly<Record<string, unknown>>;

/** Prose of the API document as HTML: words between backticks are code. */
export function marked(value: string): string {
  return escapeMarkup(value).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
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
