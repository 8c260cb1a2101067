import { LoopUse } from "@swath/base/concurrency/loop-use";
import { FairQueue } from "../../platform/fair-queue.ts";

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

/** A request of a caller. */
interface Waiting {
  readonly share: string;
  readonly begin: () => void;
}

/** Requests that begin one after the other, so far apart that half of the thread's time is left to others. */
export interface SpacedBegins {
  readonly waiting: FairQueue<Waiting>;
  readonly use: LoopUse;
  gapMs: number;
  isScheduled: boolean;
}

export function createSpacedBegins(): SpacedBegins {
  return { waiting: new FairQueue(), use: new LoopUse(), gapMs: 0, isScheduled: false };
}

/** Begins a request of a heavy caller when its turn has come. */
export function beginSpaced(begins: SpacedBegins, caller: string, begin: () => void): void {
  if (begins.waiting.sizeOf(caller) >= MOST_WAITING) {
    begin();
    return;
  }
  begins.waiting.add({ share: caller, begin });
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
  const { use, waiting } = begins;
  begins.isScheduled = false;
  if (use.ageMs() >= WINDOW_MS) begins.gapMs = nextGapMs(begins.gapMs, use.look());
  const next = waiting.take(() => 0, 1);
  if (waiting.size > 0) scheduleNext(begins);
  next?.begin();
}
