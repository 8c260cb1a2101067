/** The changes that a unified diff makes to one file. */
export interface FileDiff {
  readonly path: string;
  readonly hunks: readonly { readonly before: readonly string[]; readonly after: readonly string[] }[];
}

/** @throws {RangeError} when a line belongs to no hunk */
export function readDiff(text: string): readonly FileDiff[] {
  const files: { path: string; hunks: { before: string[]; after: string[] }[] }[] = [];
  for (const line of text.trimEnd().split("\n")) {
    if (line.startsWith("--- ")) continue;
    const file = files.at(-1);
    const hunk = file?.hunks.at(-1);
    if (line.startsWith("+++ ")) files.push({ path: line.slice(4).replace(/^b\//, ""), hunks: [] });
    else if (line.startsWith("@@") && file !== undefined) file.hunks.push({ before: [], after: [] });
    else if (hunk === undefined) throw new RangeError(`the line "${line}" belongs to no hunk`);
    else {
      const rest = line.slice(1);
      if (!line.startsWith("+")) hunk.before.push(rest);
      if (!line.startsWith("-")) hunk.after.push(rest);
    }
  }
  return files;
}

/**
 * The text after the changes. Each hunk replaces the first run of lines that equals its context.
 *
 * @throws {RangeError} when the text has no such lines: the page is out of date
 */
export function applyDiff(text: string, { path, hunks }: FileDiff): string {
  let lines = text.split("\n");
  for (const { before, after } of hunks) {
    const at = lines.findIndex((_, start) => before.every((line, i) => lines[start + i] === line));
    if (at === -1) throw new RangeError(`${path} does not have the lines\n${before.join("\n")}`);
    lines = [...lines.slice(0, at), ...after, ...lines.slice(at + before.length)];
  }
  return lines.join("\n");
}
