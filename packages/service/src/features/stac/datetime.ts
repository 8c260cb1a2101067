import { badRequest } from "./bad-request.ts";

/** Both ends belong to the period; null is open. */
export interface Period {
  readonly from: Date | null;
  readonly to: Date | null;
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;
const EXPECTED = "must be an RFC 3339 instant or an interval a/b, one end of which may be open";

function endOf(text: string): Date | null {
  if (text === "" || text === "..") return null;
  // A plus of an address that was not encoded arrives as a space.
  const upper = text.toUpperCase().replace(" ", "+");
  const ms = INSTANT.test(upper) ? Date.parse(upper.replace(/(\.\d{3})\d+/, "$1")) : NaN;
  if (Number.isNaN(ms)) throw badRequest("datetime", EXPECTED);
  return new Date(ms);
}

/** The period of `datetime`. @throws {ServiceError} BAD-REQUEST */
export function readPeriod(datetime: string | null | undefined): Period {
  if (datetime === undefined || datetime === null) return { from: null, to: null };
  const ends = datetime.split("/");
  if (ends.length > 2) throw badRequest("datetime", EXPECTED);
  const [from = null, to = null] = ends.map(endOf);
  if (from === null && to === null) throw badRequest("datetime", EXPECTED);
  if (ends.length === 1) return { from, to: from };
  if (from !== null && to !== null && from > to) throw badRequest("datetime", "must begin before it ends");
  return { from, to };
}
