import { ServiceError } from "@swath/kernel/errors/service-error";
import { pageOf } from "../../platform/page-of.ts";

const PREFIX = "after ";

/** Cursor of a list: the row after which the next page begins, whatever the list is ordered by. */
export function cursorOf(lastId: string): string {
  return Buffer.from(PREFIX + lastId).toString("base64url");
}

/** Id of the row after which the page begins, null for the first page. @throws {ServiceError} INVALID-CURSOR */
export function idAfter(cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  const text = Buffer.from(cursor, "base64url").toString("latin1");
  const id = text.slice(PREFIX.length);
  if (!text.startsWith(PREFIX) || !/^[\x21-\x7e]{1,128}$/.test(id)) {
    throw new ServiceError("INVALID-CURSOR", "The cursor is not one of this list");
  }
  return id;
}

/** One page of rows that were read with one more than `limit`. */
export function pageById<Row extends { readonly id: string }, Item>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => Item,
): { results: Item[]; cursor: string | null } {
  return pageOf(rows, limit, toItem, ({ id }) => cursorOf(id));
}
