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

/** Reads any number. */
export function number(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) throw new InvalidArgumentError("expected a number.");
  return value;
}

/** Reads a number, or `none` as null. */
export function numberOrNone(text: string): number | null {
  return text === "none" ? null : number(text);
}

/** Reads names between commas; an empty text has none. */
export function names(text: string): readonly string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** Adds a value of an option that may be repeated. */
export function collect(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text];
}
