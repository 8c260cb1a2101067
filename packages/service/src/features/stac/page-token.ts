import { createHash } from "node:crypto";
import { ServiceError } from "@swath/kernel/errors/service-error";

/** Items before the first one of the last page: PostgreSQL reads all of them again. */
const MAX_OFFSET = 1_000_000;

/** A digest of everything that decides the order of items, so that a token leads to no other search. */
function digestOf(search: unknown, offset: number): string {
  return createHash("sha256")
    .update(JSON.stringify([search, offset]))
    .digest("base64url")
    .slice(0, 22);
}

/** The token of the page after `offset` items. Null beyond the last page that a search may reach. */
export function pageToken(search: unknown, offset: number): string | null {
  return offset > MAX_OFFSET ? null : `${offset.toString(36)}.${digestOf(search, offset)}`;
}

/** The items before a page. @throws {ServiceError} INVALID-CURSOR for a token of another search */
export function readPageToken(search: unknown, token: string | undefined): number {
  if (token === undefined) return 0;
  const offset = Number.parseInt(token.split(".")[0] ?? "", 36);
  if (!Number.isSafeInteger(offset) || offset < 0 || pageToken(search, offset) !== token) {
    throw new ServiceError("INVALID-CURSOR", "token is not one of this search");
  }
  return offset;
}
