import type { Bounds } from "@swath/kernel/geometry/geojson";
import type { QueryNode } from "@swath/kernel/query/ast";
import { likePrefix } from "@swath/kernel/query/like-pattern";
import { type RawBuilder, sql } from "kysely";
import { isCollection } from "./query-sql.ts";
import { boxesSql, searchedBoxes } from "./searched-boxes.ts";
import { comparedRange, type EntryRange, prefixRange, valueEntry } from "./value-entry.ts";

/** A way to all features that can match, and to some that do not, by one index. */
export type AccessPath =
  | { readonly kind: "ids"; readonly ids: readonly string[] }
  | { readonly kind: "entries"; readonly entries: readonly string[] }
  | { readonly kind: "range"; readonly range: EntryRange }
  | { readonly kind: "boxes"; readonly boxes: readonly Bounds[] }
  | { readonly kind: "union"; readonly of: readonly AccessPath[] };

/** More ways are not weighed against each other. */
const MAX_ALTERNATIVES = 6;
/** Branches of a union. */
const MAX_UNION = 20;
/** How well a way usually does, when there is no time to ask. */
const RANK = { ids: 0, entries: 1, boxes: 2, range: 3, union: 4 } as const;

function isScalar(value: unknown): value is string | number | boolean | null {
  return typeof value !== "object" || value === null;
}

/** The ways that lead to the features of a query, any of which will do; none when all features must be looked at. */
export function accessPaths(node: QueryNode): readonly AccessPath[] {
  switch (node.op) {
    case "and":
      return node.of
        .flatMap(accessPaths)
        .toSorted((a, b) => RANK[a.kind] - RANK[b.kind])
        .slice(0, MAX_ALTERNATIVES);
    case "or": {
      const of = node.of.map((branch) => accessPaths(branch)[0]);
      if (of.length > MAX_UNION || !of.every((one) => one !== undefined)) return [];
      return [{ kind: "union", of }];
    }
    case "eq":
    case "in": {
      const values = node.op === "eq" ? [node.value] : node.values;
      const { field } = node;
      if (field.kind === "id") return [{ kind: "ids", ids: values.filter((value) => typeof value === "string") }];
      // Collections have an index of their own, in the order of creation.
      if (field.kind !== "property" || isCollection(field) || !values.every(isScalar)) return [];
      return [{ kind: "entries", entries: values.map((value) => valueEntry(field.path, value)) }];
    }
    case "compare":
      if (node.field.kind !== "property" || isCollection(node.field)) return [];
      return [{ kind: "range", range: comparedRange(node.field.path, node.order, node.value) }];
    case "like":
    case "prefix": {
      const prefix = node.op === "prefix" ? node.prefix : likePrefix(node.pattern);
      if (node.field.kind !== "property" || isCollection(node.field) || prefix === "") return [];
      return [{ kind: "range", range: prefixRange(node.field.path, prefix) }];
    }
    case "spatial":
    case "dwithin":
      return [{ kind: "boxes", boxes: searchedBoxes(node) }];
    case "constant":
    case "contains":
    case "exists":
    case "isNull":
    case "not":
      break;
  }
  return [];
}

/** One range where a query bounds a value from both sides. */
export function mergedRanges(paths: readonly AccessPath[]): readonly AccessPath[] {
  const merged: AccessPath[] = [];
  for (const path of paths) {
    const at = merged.findIndex(
      (one) => one.kind === "range" && path.kind === "range" && sharesSpan(one.range, path.range),
    );
    const other = merged[at];
    if (other?.kind === "range" && path.kind === "range") {
      merged[at] = { kind: "range", range: common(other.range, path.range) };
    } else {
      merged.push(path);
    }
  }
  return merged;
}

/** Length of what entries of the same path and type have in common. */
const SPAN_LENGTH = 7;

function sharesSpan(a: EntryRange, b: EntryRange): boolean {
  return a.low.slice(0, SPAN_LENGTH) === b.low.slice(0, SPAN_LENGTH);
}

function common(a: EntryRange, b: EntryRange): EntryRange {
  return { low: greater(a.low, b.low) ? a.low : b.low, high: greater(a.high, b.high) ? b.high : a.high };
}

/** By the bytes of UTF-8, as the database has it. */
function greater(a: string, b: string): boolean {
  return Buffer.compare(Buffer.from(a), Buffer.from(b)) > 0;
}

/** Keys of the features a way leads to. */
export function accessSql(path: AccessPath): RawBuilder<{ feature_key: number }> {
  switch (path.kind) {
    case "ids":
      return sql`select f.feature_key from features f where f.feature_id = any(${path.ids}::text[])`;
    case "entries":
      return path.entries.length === 1
        ? sql`select v.feature_key from feature_values v where v.entry = ${path.entries[0]}`
        : sql`select v.feature_key from feature_values v where v.entry = any(${path.entries}::text[])`;
    case "range":
      return sql`select v.feature_key from feature_values v where v.entry >= ${path.range.low} and v.entry <= ${path.range.high}`;
    case "boxes":
      // One scan each: together they would be a bitmap, which reads the features themselves.
      return path.boxes.length === 0
        ? sql`select f.feature_key from features f where false`
        : sql.join<{ feature_key: number }>(
            path.boxes.map((box) => sql`select f.feature_key from features f where ${boxesSql([box])}`),
            sql` union all `,
          );
    case "union":
      break;
  }
  return sql`${sql.join(
    path.of.map((one) => sql`(${accessSql(one)})`),
    sql` union `,
  )}`;
}
