import { parseInstant } from "@swath/kernel/time/instant";
import type { Interval, TaskingInfo } from "../../../providers/tasking-info.ts";
import { invalidMember } from "../contracts/invalid-members.ts";

const HOUR_MS = 3_600_000;
/** Requests are written some time before they arrive, and clocks differ. */
const TOLERANCE_MS = 10 * 60_000;
/** Length of a study that names no end: orbits are foretold well for so long. */
const STUDY_MS = 14 * 24 * HOUR_MS;

/** Milliseconds since 1970, UTC. */
export interface TimeInterval {
  readonly fromMs: number;
  readonly toMs: number;
}

interface Requested {
  readonly startTime?: string | undefined;
  readonly endTime?: string | undefined;
}

/**
 * The interval of a study: from the least offset of the kind of tasking, and two weeks long, where the request is
 * silent.
 *
 * @throws {ServiceError} VALIDATION-ERROR with the offsets that are allowed
 */
export function studyInterval(
  requested: Requested,
  { feasibilityHourOffset }: Pick<TaskingInfo, "feasibilityHourOffset">,
  nowMs: number,
  path: string,
): TimeInterval {
  const earliestMs = nowMs + feasibilityHourOffset.min * HOUR_MS;
  const latestMs = nowMs + feasibilityHourOffset.max * HOUR_MS;
  const fromMs = instantOf(requested.startTime, `${path}/startTime`) ?? earliestMs;
  const toMs = instantOf(requested.endTime, `${path}/endTime`) ?? Math.min(fromMs + STUDY_MS, latestMs);
  requireWithin(`${path}/startTime`, fromMs, nowMs, feasibilityHourOffset, "of a study");
  requireOrder(fromMs, toMs, path);
  requireWithin(`${path}/endTime`, toMs, nowMs, feasibilityHourOffset, "of a study");
  return { fromMs, toMs };
}

/**
 * The interval of an order. Where the request is silent, it is the interval of the study of the window. A study that is
 * longer than an order may be is cut around the window.
 *
 * @throws {ServiceError} VALIDATION-ERROR with the offsets and durations that are allowed, or when the window is outside
 */
export function orderInterval(
  requested: Requested,
  { taskingHourDuration, taskingHourOffset }: Pick<TaskingInfo, "taskingHourDuration" | "taskingHourOffset">,
  study: { readonly interval: TimeInterval; readonly window: TimeInterval },
  nowMs: number,
  path: string,
): TimeInterval {
  const { window } = study;
  const usual = usualInterval(taskingHourDuration, taskingHourOffset, study, nowMs);
  const fromMs = instantOf(requested.startTime, `${path}/startTime`) ?? usual.fromMs;
  const toMs = instantOf(requested.endTime, `${path}/endTime`) ?? Math.max(usual.toMs, fromMs + 1);
  requireWithin(`${path}/startTime`, fromMs, nowMs, taskingHourOffset, "of an order");
  requireOrder(fromMs, toMs, path);
  const hours = (toMs - fromMs) / HOUR_MS;
  const { min, max } = taskingHourDuration;
  if (hours < min - TOLERANCE_MS / HOUR_MS || hours > max + TOLERANCE_MS / HOUR_MS) {
    throw invalidMember(`${path}/endTime`, `is ${shown(hours)} h after startTime, expected ${min} h to ${max} h`);
  }
  if (window.fromMs < fromMs || window.toMs > toMs) {
    const span = `${isoOf(window.fromMs)} to ${isoOf(window.toMs)}`;
    throw invalidMember(`${path}/windowId`, `is of ${span}, expected a window between startTime and endTime`);
  }
  return { fromMs, toMs };
}

function usualInterval(
  duration: Interval,
  offset: Interval,
  { interval, window }: { readonly interval: TimeInterval; readonly window: TimeInterval },
  nowMs: number,
): TimeInterval {
  const longestMs = duration.max * HOUR_MS;
  const middleMs = (window.fromMs + window.toMs) / 2;
  const isLong = interval.toMs - interval.fromMs > longestMs;
  const wishedMs = isLong ? Math.max(interval.fromMs, middleMs - longestMs / 2) : interval.fromMs;
  const fromMs = Math.max(wishedMs, nowMs + offset.min * HOUR_MS);
  const endMs = Math.min(Math.max(interval.toMs, fromMs + duration.min * HOUR_MS), fromMs + longestMs);
  return { fromMs, toMs: endMs };
}

function instantOf(text: string | undefined, path: string): number | null {
  if (text === undefined) return null;
  const instant = parseInstant(text);
  if (instant === null) throw invalidMember(path, `is ${text}, which is no day of the calendar`);
  return instant;
}

function requireOrder(fromMs: number, toMs: number, path: string): void {
  if (toMs > fromMs) return;
  throw invalidMember(`${path}/endTime`, `is ${isoOf(toMs)}, expected a time after startTime, ${isoOf(fromMs)}`);
}

function requireWithin(path: string, timeMs: number, nowMs: number, { min, max }: Interval, of: string): void {
  if (timeMs >= nowMs + min * HOUR_MS - TOLERANCE_MS && timeMs <= nowMs + max * HOUR_MS + TOLERANCE_MS) return;
  const [earliest, latest] = [isoOf(nowMs + min * HOUR_MS), isoOf(nowMs + max * HOUR_MS)];
  throw invalidMember(
    path,
    `is ${isoOf(timeMs)}, ${shown((timeMs - nowMs) / HOUR_MS)} h from now; expected ${min} h to ${max} h ${of}: ` +
      `${earliest} to ${latest}`,
  );
}

/** Two decimals. */
function shown(hours: number): number {
  return Math.round(hours * 100) / 100;
}

/** Dates can lie outside the years that a moment can be written in. */
function isoOf(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(/[.]\d{3}Z$/, "Z");
}
