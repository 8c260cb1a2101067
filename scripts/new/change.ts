/** A file to write or to change. */
export interface Change {
  readonly path: string;
  /** The new text of the file; null for a file that does not exist. */
  readonly text: (present: string | null) => string;
}

/** A file that must not exist yet. */
export function newFile(path: string, text: string): Change {
  return {
    path,
    text: (present) => {
      if (present !== null) throw new RangeError(`${path} exists already`);
      return text;
    },
  };
}

/** A file that must exist. */
export function changedFile(path: string, change: (present: string) => string): Change {
  return {
    path,
    text: (present) => {
      if (present === null) throw new RangeError(`there is no ${path}`);
      return change(present);
    },
  };
}

/**
 * Inserts a line among sorted lines: after the last of them that sorts before it.
 *
 * @param isMember whether a line is one of the sorted lines
 * @throws {RangeError} when no line is
 */
export function insertSorted(text: string, line: string, isMember: (line: string) => boolean): string {
  const lines = text.split("\n");
  const first = lines.findIndex(isMember);
  if (first === -1) throw new RangeError(`no place for "${line.trim()}"`);
  const before = lines.findLastIndex((one) => isMember(one) && one < line);
  return lines.toSpliced(before === -1 ? first : before + 1, 0, line).join("\n");
}

/** Inserts a line after the first line that starts with the given words. */
export function insertAfter(text: string, start: string, line: string): string {
  const lines = text.split("\n");
  const at = lines.findIndex((one) => one.startsWith(start));
  if (at === -1) throw new RangeError(`no line starts with "${start}"`);
  return lines.toSpliced(at + 1, 0, line).join("\n");
}
