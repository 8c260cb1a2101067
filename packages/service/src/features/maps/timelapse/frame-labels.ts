import { formatInstant } from "@swath/kernel/time/instant";

const MINUTES = 16;

/** Date and time to the minute, UTC. */
function minuteOf(epochMs: number): string {
  return formatInstant(epochMs).slice(0, MINUTES);
}

/** The text of an image. */
export function imageLabel(epochMs: number): string {
  return `${minuteOf(epochMs)} UTC`;
}

/** The text of a time without an image. */
export function gapLabel(startEpochMs: number, endEpochMs: number): string {
  return `no image between ${dayOrMinute(startEpochMs, endEpochMs)} and ${dayOrMinute(endEpochMs, startEpochMs)}`;
}

/** The day, and of gaps within a day the minute. */
function dayOrMinute(epochMs: number, otherEpochMs: number): string {
  const [own, other] = [minuteOf(epochMs), minuteOf(otherEpochMs)];
  return own.slice(0, 10) === other.slice(0, 10) ? own : own.slice(0, 10);
}
