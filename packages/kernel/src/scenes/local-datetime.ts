import { formatInstant, isWritable, type EpochMs } from "../time/instant.ts";

const HOUR_MS = 3_600_000;

/**
 * Local time of a capture with its zone label. The zone is the nautical one, fifteen degrees of longitude per hour; UTC
 * where the local year would have no four digits.
 *
 * @example localDatetime(Date.UTC(2024, 5, 30, 10, 15), 14.4) // "2024-06-30 11:15:00 UTC+01:00"
 */
export function localDatetime(epochMs: EpochMs, lonDeg: number): string {
  const nautical = Math.round((lonDeg - 360 * Math.floor((lonDeg + 180) / 360)) / 15);
  const hours = isWritable(epochMs + nautical * HOUR_MS) ? nautical : 0;
  const label = `UTC${hours < 0 ? "-" : "+"}${String(Math.abs(hours)).padStart(2, "0")}:00`;
  return `${formatInstant(epochMs + hours * HOUR_MS)} ${label}`;
}
