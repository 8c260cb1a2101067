import { createHash } from "node:crypto";
import type { QueryNode } from "@swath/kernel/query/ast";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { partCount, type SortField, type SortValues } from "./sort-order.ts";

/** The last row of a page. */
export interface PagePosition {
  readonly key: number;
  readonly values: SortValues;
}

/** Tells searches apart, so that a cursor is not used with another query than its own. */
function fingerprint(node: QueryNode, sort: readonly SortField[]): string {
  return createHash("sha256")
    .update(JSON.stringify([node, sort]))
    .digest("base64url")
    .slice(0, 12);
}

export function writeCursor(position: PagePosition, node: QueryNode, sort: readonly SortField[]): string {
  const text = JSON.stringify([fingerprint(node, sort), position.key, ...position.values]);
  return Buffer.from(text).toString("base64url");
}

/** @throws {ServiceError} INVALID-CURSOR unless it was written for the same query and order */
export function readCursor(cursor: string, node: QueryNode, sort: readonly SortField[]): PagePosition {
  const [mark, key, ...values] = parsed(cursor);
  const numbers = values.filter((_, index) => index % 3 !== 2);
  const isWhole =
    mark === fingerprint(node, sort) &&
    typeof key === "number" &&
    Number.isSafeInteger(key) &&
    values.length === partCount(sort) &&
    values.every((value) => typeof value === "string") &&
    numbers.every((value) => /^-?\d{1,400}(\.\d{1,400})?$/.test(String(value)));
  if (!isWhole) {
    throw new ServiceError("INVALID-CURSOR", "The cursor is not one of this query; start again without it");
  }
  return { key, values: values.map(String) };
}

function parsed(cursor: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
