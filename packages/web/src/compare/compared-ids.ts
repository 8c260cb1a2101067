import type { Route } from "../route.ts";

/** Map IDs of the two compared maps. */
export interface ComparedIds {
  readonly a: string;
  readonly b: string;
}

/** The maps that the address compares, or null. */
export function comparedIds({ screen, parts }: Route): ComparedIds | null {
  const [a, b] = parts;
  return screen === "compare" && a !== undefined && b !== undefined ? { a, b } : null;
}
