import { ServiceError } from "@swath/kernel/errors/service-error";

/** Tells this list's cursors from those of others and of later forms. */
const PREFIX = "geojson-feature:1:";

/** Pointer to what comes after the feature of that key. */
export function encodeCursor(featureKey: number): string {
  return Buffer.from(`${PREFIX}${featureKey}`, "latin1").toString("base64url");
}

/** @throws {ServiceError} INVALID-CURSOR for anything that `encodeCursor` does not give */
export function decodeCursor(cursor: string): number {
  const text = Buffer.from(cursor, "base64url").toString("latin1");
  const digits = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : "";
  const featureKey = /^[1-9]\d{0,15}$/.test(digits) ? Number(digits) : Number.NaN;
  if (!Number.isSafeInteger(featureKey) || encodeCursor(featureKey) !== cursor) {
    throw new ServiceError("INVALID-CURSOR", "the cursor is none of this list; leave it out for the first page");
  }
  return featureKey;
}
