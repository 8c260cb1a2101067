import { InvalidArgumentError } from "commander";

/** Reads an integer of a range. */
export function wholeNumber(smallest: number, largest: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < smallest || value > largest) {
      throw new InvalidArgumentError(`expected an integer from ${smallest} to ${largest}.`);
    }
    return value;
  };
}

/** Reads a number from 0 to 1. */
export function ratio(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError("expected a number from 0 to 1.");
  return value;
}

/** Adds a value of an option that may be repeated. */
export function collect(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text];
}
