import { formatInstant, type EpochMs } from "../time/instant.ts";

/**
 * Local time of a capture with its zone label. The zone is the nautical one, fifteen degrees of longitude per hour.
 *
 * @example localDatetime(Date.UTC(2024, 5, 30, 10, 15), 14.4) // "2024-06-30 11:15:00 UTC+01:00"
 */
export function localDatetime(epochMs: EpochMs, lonDeg: number): string {
  const hours = Math.round((lonDeg - 360 * Math.floor((lonDeg + 180) / 360)) / 15);
  const label = `UTC${hours < 0 ? "-" : "+"}${String(Math.abs(hours)).padStart(2, "0")}:00`;
  return `${formatInstant(epochMs + hours * 3_600_000)} ${label}`;
}
