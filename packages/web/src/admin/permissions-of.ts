/** The permissions of a field, each once. */
export function permissionsOf(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((one) => one !== ""))];
}
