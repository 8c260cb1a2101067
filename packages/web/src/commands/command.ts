/** An action of the page by its name, for the list of commands and for keys. */
export interface Command {
  readonly name: string;
  /** `KeyboardEvent.key` of a single key. */
  readonly key?: string;
  readonly run: () => void;
}

/** The commands whose names have all words of a text, in any order and case. */
export function matching<Found extends Pick<Command, "name">>(
  commands: readonly Found[],
  wanted: string,
): readonly Found[] {
  const words = wanted
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return commands.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
}
