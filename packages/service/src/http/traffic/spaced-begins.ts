import { LoopUse } from "@swath/base/concurrency/loop-use";
import { FairQueue } from "../../platform/fair-queue.ts";
import { createLightWork, isInWork, type LightWork } from "./light-work.ts";

/** Time over which the use of the thread is judged, ms. */
const WINDOW_MS = 25;
/** Share of the thread's time that is used when spaced requests begin as often as they may. */
const WANTED_SHARE = 0.5;
/** Factor by which the time between two begins grows or shrinks. */
const STEP = 1.25;
/** Time between two begins, ms: where it begins to grow, and the longest. */
const FIRST_GAP_MS = 1;
const LONGEST_GAP_MS = 50;
/**
 * Longest time that a begin waits for the end of requests of callers that are not heavy, ms: a tile or a check of an area
 * is answered within it, and a heavy caller still begins 500 requests a second.
 */
const GIVE_WAY_MS = 2;
/** Requests of a caller that wait; further ones begin at once, and meet the limits of rates. */
const MOST_WAITING = 200;

/** A request of a caller. */
interface Waiting {
  readonly share: string;
  readonly begin: () => void;
}

/**
 * Requests that begin one after the other, when none of another caller is in work or after a short wait. The pauses between
 * them leave half of the thread's time to others.
 */
export interface SpacedBegins {
  readonly light: LightWork;
  readonly waiting: FairQueue<Waiting>;
  readonly use: LoopUse;
  gapMs: number;
  isScheduled: boolean;
}

export function createSpacedBegins(): SpacedBegins {
  return { light: createLightWork(), waiting: new FairQueue(), use: new LoopUse(), gapMs: 0, isScheduled: false };
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
  if (begins.gapMs > 0) setTimeout(beginNext, begins.gapMs, begins);
  else if (isInWork(begins.light, performance.now())) beginAfterLight(begins);
  else setImmediate(beginNext, begins);
}

function beginAfterLight(begins: SpacedBegins): void {
  const { light } = begins;
  const timer = setTimeout(() => {
    light.onIdle = null;
    beginNext(begins);
  }, GIVE_WAY_MS);
  light.onIdle = () => {
    clearTimeout(timer);
    setImmediate(beginNext, begins);
  };
}

function beginNext(begins: SpacedBegins): void {
  const { use, waiting } = begins;
  begins.isScheduled = false;
  if (use.ageMs() >= WINDOW_MS) begins.gapMs = nextGapMs(begins.gapMs, use.look());
  const next = waiting.take(() => 0, 1);
  if (waiting.size > 0) scheduleNext(begins);
  next?.begin();
}
