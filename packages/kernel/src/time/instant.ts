/** Milliseconds since 1970-01-01T00:00:00Z. */
export type EpochMs = number;

/** The first and the last moment that four digits of a year can write. */
const FIRST_MS = Date.parse("0000-01-01T00:00:00Z");
const LAST_MS = Date.parse("9999-12-31T23:59:59.999Z");

/** Whether the moment is in the years 0 to 9999. */
export function isWritable(epochMs: EpochMs): boolean {
  return epochMs >= FIRST_MS && epochMs <= LAST_MS;
}

const FORM =
  /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2})(?:[.](\d{1,9}))?)?(?:(Z)|([+-])(\d{2}):?(\d{2}))?)?$/;

/**
 * The moment a text means, or null when it is none: `YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601 with a `T`, a fraction,
 * a zone, without seconds or without time of day. A text without zone is UTC. Days that do not exist are refused, and
 * zones that put the moment outside the years 0 to 9999.
 *
 * @example parseInstant("2024-06-30 10:15:00") // 1719742500000
 */
export function parseInstant(text: string): EpochMs | null {
  const match = FORM.exec(text);
  if (match === null) return null;
  const part = (index: number) => Number(match[index] ?? 0);
  const [year, month, day, hour, minute, second] = [part(1), part(2), part(3), part(4), part(5), part(6)];
  if (hour > 23 || minute > 59 || second > 59 || part(10) > 23 || part(11) > 59) return null;
  const fractionMs = match[7] === undefined ? 0 : Math.trunc(Number(`0.${match[7]}`) * 1000);
  const days = Date.UTC(2000, month - 1, day);
  const date = new Date(days);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  const offsetMinutes = (part(10) * 60 + part(11)) * (match[9] === "-" ? -1 : 1);
  const epochMs = date.getTime() + ((hour * 60 + minute - offsetMinutes) * 60 + second) * 1000 + fractionMs;
  return isWritable(epochMs) ? epochMs : null;
}

/**
 * A moment as every answer writes it, `YYYY-MM-DD HH:MM:SS` in UTC; parts of a second are cut off.
 *
 * @throws {RangeError} if the moment is outside the years 0 to 9999
 */
export function formatInstant(epochMs: EpochMs): string {
  const text = new Date(Math.floor(epochMs / 1000) * 1000).toISOString();
  if (!isWritable(epochMs)) throw new RangeError(`the moment ${text} is outside the years 0 to 9999`);
  return `${text.slice(0, 10)} ${text.slice(11, 19)}`;
}
