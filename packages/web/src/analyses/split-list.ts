/** Parts between commas and line breaks, without repetitions. */
export function splitList(text: string): readonly string[] {
  const parts = text.split(/[,\n]/).map((part) => part.trim());
  return [...new Set(parts.filter((part) => part !== ""))];
}
