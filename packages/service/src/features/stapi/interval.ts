import type { Interval as Offset, TaskingInfo } from "../../providers/tasking-info.ts";
import { intervalText, parseInterval, type Interval } from "../../tasking-providers/stapi/interval.ts";
import { badRequest } from "./stapi-error.ts";

const HOUR_MS = 3_600_000;
/** Of tasking: requests are written some time before they arrive. */
const TOLERANCE_MS = 10 * 60_000;
/** An order may be placed some time after its search. */
const SPARE_MS = 24 * HOUR_MS;

/** @throws {ServiceError} BAD-REQUEST */
export function readInterval(datetime: string): Interval {
  const interval = parseInterval(datetime);
  if (interval !== null) return interval;
  throw badRequest("/datetime", "must be a closed interval a/b of two RFC 3339 instants, the first before the second");
}

/** The part of an interval that lies within the offsets of tasking from now. @throws {ServiceError} BAD-REQUEST */
function within({ startMs, endMs }: Interval, { min, max }: Offset, nowMs: number): Interval {
  const [earliestMs, latestMs] = [nowMs + min * HOUR_MS, nowMs + max * HOUR_MS];
  const part = { startMs: Math.max(startMs, earliestMs), endMs: Math.min(endMs, latestMs) };
  if (part.startMs < part.endMs) return part;
  const allowed = intervalText({ startMs: earliestMs, endMs: latestMs });
  throw badRequest("/datetime", `has no time within ${allowed}, the times of the product now`);
}

/** The part of an interval for which opportunities can be computed. @throws {ServiceError} BAD-REQUEST */
export function searchedInterval(asked: Interval, info: TaskingInfo, nowMs: number): Interval {
  return within(asked, info.feasibilityHourOffset, nowMs);
}

/**
 * The interval of a flexible order: the part that can be ordered, cut around the window where an order may not be as
 * long.
 *
 * @throws {ServiceError} BAD-REQUEST
 */
export function orderedInterval(asked: Interval, window: Interval, info: TaskingInfo, nowMs: number): Interval {
  const part = within(asked, info.taskingHourOffset, nowMs);
  const leastMs = info.taskingHourDuration.min * HOUR_MS;
  if (part.endMs - part.startMs < leastMs - TOLERANCE_MS) {
    const hours = Math.round((part.endMs - part.startMs) / 36_000) / 100;
    throw badRequest("/datetime", `has ${hours} h that can be ordered now, expected ${leastMs / HOUR_MS} h or more`);
  }
  const longestMs = info.taskingHourDuration.max * HOUR_MS;
  if (part.endMs - part.startMs <= longestMs) return part;
  const middleMs = (window.startMs + window.endMs) / 2;
  const startMs = Math.min(Math.max(part.startMs, middleMs - longestMs / 2), part.endMs - longestMs);
  return { startMs, endMs: startMs + longestMs };
}

/** An interval that a flexible order of an opportunity may have: as searched, and no shorter than allowed. */
export function offeredInterval(searched: Interval, { taskingHourDuration: { min, max } }: TaskingInfo): Interval {
  const leastMs = Math.min(min * HOUR_MS + SPARE_MS, max * HOUR_MS);
  return { startMs: searched.startMs, endMs: Math.max(searched.endMs, searched.startMs + leastMs) };
}
