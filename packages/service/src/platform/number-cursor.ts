import { ServiceError } from "@swath/kernel/errors/service-error";

/** Cursors of one list whose rows have ascending numbers. */
export interface NumberCursor {
  /** Pointer to the rows after that number. */
  encode(this: void, number: number): string;
  /** @throws {ServiceError} INVALID-CURSOR for anything that `encode` does not give */
  decode(this: void, cursor: string): number;
}

/** @param prefix distinguishes the cursors of this list from other cursors, and its forms */
export function numberCursor(prefix: string): NumberCursor {
  const encode = (number: number): string => Buffer.from(`${prefix}${number}`, "latin1").toString("base64url");
  return {
    encode,
    decode(cursor) {
      const text = Buffer.from(cursor, "base64url").toString("latin1");
      const digits = text.startsWith(prefix) ? text.slice(prefix.length) : "";
      const number = /^[1-9]\d{0,15}$/.test(digits) ? Number(digits) : Number.NaN;
      if (!Number.isSafeInteger(number) || encode(number) !== cursor) {
        throw new ServiceError("INVALID-CURSOR", "the cursor is none of this list; leave it out for the first page");
      }
      return number;
    },
  };
}
