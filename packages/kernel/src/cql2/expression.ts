import type { Geometry } from "../geometry/geojson.ts";

/** A CQL2 expression: a condition, or a value in one. Both encodings of the standard read as it. */
export type Expression =
  | { readonly kind: "property"; readonly name: string }
  | { readonly kind: "literal"; readonly value: string | number | boolean | null }
  /** Milliseconds since 1970; `dayLong` for a DATE, which lasts a day. */
  | { readonly kind: "instant"; readonly ms: number; readonly dayLong: boolean }
  /** Null for an open end. */
  | { readonly kind: "interval"; readonly start: Expression | null; readonly end: Expression | null }
  | { readonly kind: "array"; readonly items: readonly Expression[] }
  | { readonly kind: "geometry"; readonly geometry: Geometry }
  /** Operator in the names of the JSON encoding, lower case: `and`, `=`, `s_intersects`. */
  | { readonly kind: "call"; readonly op: string; readonly args: readonly Expression[] };

/** The expression is not well-formed CQL2. The message names the place. */
export class Cql2Error extends Error {
  override readonly name = "Cql2Error";
}

/** Characters of a filter in text. */
export const MAX_FILTER_LENGTH = 16_384;
/** Operators within operators. */
export const MAX_FILTER_DEPTH = 32;
/** Operators, properties and values of a filter. */
export const MAX_FILTER_NODES = 2_000;
