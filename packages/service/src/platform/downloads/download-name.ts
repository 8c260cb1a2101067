const LONGEST = 128;

/** The text as the name of a download: letters, digits, dots, dashes and underscores, 128 at most. */
export function downloadName(text: string): string {
  return text
    .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
    .slice(-LONGEST)
    .replace(/^[^A-Za-z0-9]+/, "");
}
