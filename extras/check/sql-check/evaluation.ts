import type { Kysely } from "kysely";
import type { Node } from "typescript/unstable/ast";
import type { SourceProgram } from "./source-program.ts";

/** A value that only a running service knows; in a statement it is a parameter. */
export const UNKNOWN: unknown = Object.freeze({ unknown: true });

const samples = new WeakSet<object>([Object(UNKNOWN)]);

/** Marks a value of which only the type is known: it may be null, and an array may have any number of elements. */
export function sampled<Value extends object>(value: Value): Value {
  samples.add(value);
  return value;
}

export function isSample(value: unknown): boolean {
  return typeof value === "object" && value !== null && samples.has(value);
}

/** Names of the function that encloses a statement, as far as their values are known. */
export type Names = Map<string, unknown>;

/** One evaluation of a statement. */
export interface Evaluation {
  readonly program: SourceProgram;
  /** Compiles statements and runs none. */
  readonly db: Kysely<unknown>;
  /** Which way it takes where the source has several. */
  readonly variant: number;
  /** The templates and queries that became part of the statement. */
  readonly met: Set<Node>;
  /** How many ways it has taken so far. */
  choices: number;
  depth: number;
}

/** One of so many ways. The first variant takes the first way always, the second one the last. */
export function choose(evaluation: Evaluation, count: number): number {
  const { variant } = evaluation;
  evaluation.choices += 1;
  if (variant === 0) return 0;
  if (variant === 1) return count - 1;
  // Mixes the bits of both numbers, so that each variant takes ways that no other variant takes together.
  let bits = Math.imul(variant, 0x9e37_79b1) ^ Math.imul(evaluation.choices, 0x85eb_ca6b);
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b_3c6d);
  bits = Math.imul(bits ^ (bits >>> 12), 0x297a_2d39);
  return ((bits ^ (bits >>> 15)) >>> 0) % count;
}

const MAX_DEPTH = 24;

/** Runs `work` one call deeper; recursion over data that is not known would not end. */
export function deeper<Result>(evaluation: Evaluation, work: () => Result): Result {
  if (evaluation.depth >= MAX_DEPTH) throw new Error("the source calls itself too often");
  evaluation.depth += 1;
  try {
    return work();
  } finally {
    evaluation.depth -= 1;
  }
}
