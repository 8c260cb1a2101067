import { compareCodePoints } from "@swath/kernel/query/text-order";
import canonicalize from "canonicalize";

/** Collects values, each once; equal as JSON is the same. */
export interface DistinctValues {
  /** Undefined is no value. */
  add(value: unknown): void;
  /** The first of them: numbers, texts, booleans, anything else, ascending. */
  values(limit: number): unknown[];
}

function rank(value: unknown): number {
  const index = ["number", "string", "boolean"].indexOf(typeof value);
  return index === -1 ? 3 : index;
}

function compare([keyA, a]: readonly [string, unknown], [keyB, b]: readonly [string, unknown]): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "string" && typeof b === "string") return compareCodePoints(a, b);
  return rank(a) - rank(b) || compareCodePoints(keyA, keyB);
}

export function distinctOf(): DistinctValues {
  const found = new Map<string, unknown>();
  return {
    add(value) {
      if (value !== undefined) found.set(canonicalize(value) ?? "null", value);
    },
    values: (limit) =>
      [...found]
        .toSorted(compare)
        .slice(0, limit)
        .map(([, value]) => value),
  };
}
