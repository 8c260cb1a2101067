import { DEFAULT_ENTRIES, MAX_ENTRIES, type PageQuery } from "@swath/contract/features/stapi/requests";
import { ServiceError } from "@swath/kernel/errors/service-error";

/** Entries of a page. */
export function limitOf({ limit = DEFAULT_ENTRIES }: PageQuery): number {
  return Math.min(limit, MAX_ENTRIES);
}

export function invalidToken(): ServiceError {
  return new ServiceError("INVALID-CURSOR", "next is no token of this list");
}

const WHOLE = /^[1-9]\d{0,15}$/u;

/** A token that counts. @throws {ServiceError} INVALID-CURSOR */
export function countOf({ next }: PageQuery): number | null {
  if (next === undefined) return null;
  const count = WHOLE.test(next) ? Number(next) : NaN;
  if (!Number.isSafeInteger(count)) throw invalidToken();
  return count;
}

/** A page of entries that are all at hand; the token is the number of entries before it. */
export function sliceOf<Entry>(
  entries: readonly Entry[],
  query: PageQuery,
): { readonly entries: readonly Entry[]; readonly limit: number; readonly next: string | null } {
  const limit = limitOf(query);
  const offset = countOf(query) ?? 0;
  if (offset > 0 && offset >= entries.length) throw invalidToken();
  const end = offset + limit;
  return { entries: entries.slice(offset, end), limit, next: end < entries.length ? String(end) : null };
}
