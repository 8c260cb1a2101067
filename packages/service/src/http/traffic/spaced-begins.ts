import { performance, type EventLoopUtilization } from "node:perf_hooks";

/** Time over which the use of the thread is judged, ms. */
const WINDOW_MS = 25;
/** Share of the thread's time that is used when spaced requests begin as often as they may. */
const WANTED_SHARE = 0.5;
/** Factor by which the time between two begins grows or shrinks. */
const STEP = 1.25;
/** Time between two begins, ms: where it begins to grow, and the longest. */
const FIRST_GAP_MS = 1;
const LONGEST_GAP_MS = 50;
/** Requests of a caller that wait; further ones begin at once, and meet the limits of rates. */
const MOST_WAITING = 200;

type Begin = () => void;

/** Requests that begin one after the other, so far apart that half of the thread's time is left to others. */
export interface SpacedBegins {
  /** By caller, the next turn first. */
  readonly waiting: Map<string, Begin[]>;
  gapMs: number;
  since: EventLoopUtilization;
  sinceMs: number;
  isScheduled: boolean;
}

export function createSpacedBegins(): SpacedBegins {
  return {
    waiting: new Map(),
    gapMs: 0,
    since: performance.eventLoopUtilization(),
    sinceMs: performance.now(),
    isScheduled: false,
  };
}

/** Begins a request of a heavy caller when its turn has come. */
export function beginSpaced(begins: SpacedBegins, caller: string, begin: Begin): void {
  const queue = begins.waiting.get(caller) ?? [];
  if (queue.length >= MOST_WAITING) {
    begin();
    return;
  }
  queue.push(begin);
  begins.waiting.set(caller, queue);
  scheduleNext(begins);
}

/** The time between two begins after the thread was used to a share of its time. */
export function nextGapMs(gapMs: number, utilization: number): number {
  if (utilization > WANTED_SHARE) return Math.min(LONGEST_GAP_MS, Math.max(FIRST_GAP_MS, gapMs * STEP));
  return gapMs <= FIRST_GAP_MS ? 0 : gapMs / STEP;
}

function scheduleNext(begins: SpacedBegins): void {
  if (begins.isScheduled) return;
  begins.isScheduled = true;
  if (begins.gapMs === 0) setImmediate(beginNext, begins);
  else setTimeout(beginNext, begins.gapMs, begins);
}

function beginNext(begins: SpacedBegins): void {
  const { waiting } = begins;
  begins.isScheduled = false;
  judge(begins);
  const [next] = waiting;
  if (next === undefined) return;
  const [caller, queue] = next;
  // The others of this caller wait behind every other caller.
  waiting.delete(caller);
  const begin = queue.shift();
  if (queue.length > 0) waiting.set(caller, queue);
  if (waiting.size > 0) scheduleNext(begins);
  begin?.();
}

function judge(begins: SpacedBegins): void {
  const nowMs = performance.now();
  if (nowMs - begins.sinceMs < WINDOW_MS) return;
  const now = performance.eventLoopUtilization();
  const { utilization } = performance.eventLoopUtilization(now, begins.since);
  begins.gapMs = nextGapMs(begins.gapMs, utilization);
  begins.since = now;
  begins.sinceMs = nowMs;
}
