import { createHash } from "node:crypto";
import { ServiceError } from "@swath/kernel/errors/service-error";

/** Place in a list of the log: the row after which the next page begins. */
export interface LogPlace {
  /** Microseconds since 1970, the precision of the database. */
  readonly atMicros: string;
  readonly id: string;
}

const FORM = /^([0-9A-Za-z_-]{12})\.(\d{1,17})\.([\w -]{1,128})$/;

/** What a cursor belongs to: the list with its filters, so that it cannot be carried over to another. */
function mark(scope: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(scope)).digest("base64url").slice(0, 12);
}

export function encodeCursor(scope: readonly unknown[], { atMicros, id }: LogPlace): string {
  return Buffer.from(`${mark(scope)}.${atMicros}.${id}`).toString("base64url");
}

/**
 * The place a cursor stands for, null for the first page.
 *
 * @throws {ServiceError} INVALID-CURSOR when it is none of this list with these filters
 */
export function decodeCursor(scope: readonly unknown[], cursor: string | undefined): LogPlace | null {
  if (cursor === undefined) return null;
  const text = Buffer.from(cursor, "base64url").toString("latin1");
  const match = FORM.exec(text);
  if (match === null || match[1] !== mark(scope) || Buffer.from(text, "latin1").toString("base64url") !== cursor) {
    throw new ServiceError("INVALID-CURSOR", "the cursor is not one of this list with these filters");
  }
  return { atMicros: match[2] ?? "", id: match[3] ?? "" };
}
