/**
 * Whether a text can be kept by the database, as text and inside JSON: without U+0000 and without halves of surrogate
 * pairs.
 */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** The text with U+FFFD in place of halves of surrogate pairs, and without U+0000. */
export function storableText(text: string): string {
  return isStorableText(text) ? text : text.toWellFormed().replaceAll("\0", "");
}
