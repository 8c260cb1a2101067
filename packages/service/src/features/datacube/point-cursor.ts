import { ServiceError } from "@swath/kernel/errors/service-error";
import type { PointPosition } from "./points-store.ts";

/** Where a page of datapoints ends, and the moment that all pages are exact for. */
export interface PointCursor {
  readonly asOf: Date;
  readonly seriesId: number;
  readonly position: PointPosition;
}

const FORM = "points:1";
/** Dates of JavaScript. */
const MAX_EPOCH_MS = 8.64e15;

export function writePointCursor({ asOf, seriesId, position }: PointCursor): string {
  const { aoiKey, start, end, version } = position;
  const parts = [FORM, asOf.getTime(), seriesId, aoiKey, start.getTime(), end.getTime(), version];
  return Buffer.from(JSON.stringify(parts)).toString("base64url");
}

/**
 * A changed cursor grants nothing: rights and the moment are checked again.
 *
 * @throws {ServiceError} INVALID-CURSOR for anything that `writePointCursor` does not give
 */
export function readPointCursor(cursor: string): PointCursor {
  const parts = partsOf(cursor);
  if (parts !== null) {
    const [, asOf, seriesId, aoiKey, start, end, version] = parts;
    const read: PointCursor = {
      asOf: new Date(Number(asOf)),
      seriesId: Number(seriesId),
      position: {
        aoiKey: Number(aoiKey),
        start: new Date(Number(start)),
        end: new Date(Number(end)),
        version: String(version),
      },
    };
    if (writePointCursor(read) === cursor) return read;
  }
  throw new ServiceError("INVALID-CURSOR", "the cursor is none of this list; leave it out for the first page");
}

function partsOf(cursor: string): readonly unknown[] | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (!Array.isArray(parts) || parts.length !== 7 || parts[0] !== FORM || typeof parts[6] !== "string") return null;
    const numbers = parts.slice(1, 6);
    const [, seriesId, aoiKey] = numbers;
    const isWhole = numbers.every((one) => Number.isSafeInteger(one) && Math.abs(one) <= MAX_EPOCH_MS);
    // Keys are 32 bits; texts of the database hold no zero.
    const fits = seriesId >= 0 && seriesId < 2 ** 31 && aoiKey >= 0 && aoiKey < 2 ** 31 && !parts[6].includes("\0");
    return isWhole && fits ? parts : null;
  } catch {
    return null;
  }
}
