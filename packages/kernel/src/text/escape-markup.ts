/** The text with the characters escaped that XML and HTML give a meaning, in elements and in quoted attributes. */
export function escapeMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
