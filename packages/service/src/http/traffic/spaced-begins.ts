import { availableParallelism } from "node:os";
import { untilQuiet } from "@swath/base/concurrency/light-requests";
import { LoopUse } from "@swath/base/concurrency/loop-use";
import { createRequestsInWork, follow, whenFewer, type RequestsInWork } from "@swath/base/concurrency/requests-in-work";
import { FairQueue } from "@swath/base/concurrency/fair-queue";

/** Time over which the use of the thread is judged, ms. */
const WINDOW_MS = 25;
/** Share of the thread's time that is used when spaced requests begin as often as they may. */
const WANTED_SHARE = 0.5;
/** Factor by which the time between two begins grows or shrinks. */
const STEP = 1.25;
/** Time between two begins, ms: where it begins to grow, and the longest. */
const FIRST_GAP_MS = 1;
const LONGEST_GAP_MS = 50;
/** A begin waits for light requests at most so long, ms: heavy callers still begin 200 requests a second. */
const PATIENCE_MS = 5;
/** Requests of heavy callers that are in work at once: their statements leave a processor of the database to others. */
export const MOST_IN_WORK = Math.max(1, availableParallelism() - 1);
/** A request counts as in work for as long again as it was, ms at most: others have the database for half of the time. */
const LONGEST_REST_MS = 10;
/** One that lasts counts so long with its rest, ms. */
const LONGEST_IN_WORK_MS = 2 * LONGEST_REST_MS;
const IN_WORK = { longestMs: LONGEST_IN_WORK_MS, patienceMs: LONGEST_IN_WORK_MS } as const;
/** Requests of a caller that wait; further ones begin at once, and meet the limits of rates. */
const MOST_WAITING = 200;

/** A request of a caller. */
interface Waiting {
  readonly share: string;
  /** Null once it has begun: who may end it would keep all of it. */
  begin: (() => void) | null;
  /** Ends it once it has begun. */
  end: (() => void) | null;
  /** Its client may go before its turn. */
  isOver: boolean;
}

/**
 * Requests that begin one after the other, when none of another caller has just been in work or after a short wait. Few of
 * them are in work at once, and the pauses between begins leave half of the thread's time to others.
 */
export interface SpacedBegins {
  /** Small requests of callers that are not heavy. */
  readonly light: RequestsInWork;
  /** Requests of heavy callers. */
  readonly heavy: RequestsInWork;
  readonly waiting: FairQueue<Waiting>;
  readonly use: LoopUse;
  gapMs: number;
  isScheduled: boolean;
}

export function createSpacedBegins(light: RequestsInWork = createRequestsInWork()): SpacedBegins {
  const waiting = new FairQueue<Waiting>();
  return { light, heavy: createRequestsInWork(), waiting, use: new LoopUse(), gapMs: 0, isScheduled: false };
}

/**
 * Begins a request of a heavy caller when its turn has come.
 *
 * @returns to be called when the request has ended
 */
export function beginSpaced(begins: SpacedBegins, caller: string, begin: () => void): () => void {
  if (begins.waiting.sizeOf(caller) >= MOST_WAITING) {
    begin();
    return () => {};
  }
  const request: Waiting = { share: caller, begin, end: null, isOver: false };
  begins.waiting.add(request);
  scheduleNext(begins);
  return () => {
    request.isOver = true;
    request.end?.();
  };
}

/** The time between two begins after the thread was used to a share of its time. */
export function nextGapMs(gapMs: number, utilization: number): number {
  if (utilization > WANTED_SHARE) return Math.min(LONGEST_GAP_MS, Math.max(FIRST_GAP_MS, gapMs * STEP));
  return gapMs <= FIRST_GAP_MS ? 0 : gapMs / STEP;
}

function scheduleNext(begins: SpacedBegins): void {
  if (begins.isScheduled) return;
  begins.isScheduled = true;
  if (begins.gapMs > 0) setTimeout(awaitHeavy, begins.gapMs, begins);
  else awaitHeavy(begins);
}

function awaitHeavy(begins: SpacedBegins): void {
  whenFewer(begins.heavy, MOST_IN_WORK, IN_WORK, () => void awaitLight(begins));
}

async function awaitLight(begins: SpacedBegins): Promise<void> {
  await untilQuiet(begins.light, PATIENCE_MS);
  setImmediate(beginNext, begins);
}

function beginNext(begins: SpacedBegins): void {
  const { heavy, use, waiting } = begins;
  const nowMs = performance.now();
  begins.isScheduled = false;
  if (use.ageMs() >= WINDOW_MS) begins.gapMs = nextGapMs(begins.gapMs, use.look());
  const next = waiting.take(() => 0, 1);
  if (next?.isOver === false) next.end = endAfterRest(follow(heavy, nowMs), nowMs);
  if (waiting.size > 0) scheduleNext(begins);
  if (next === null) return;
  const { begin } = next;
  next.begin = null;
  begin?.();
}

/** A request of less than a millisecond, as from memory, has no rest: the shortest one would be several times its work. */
function endAfterRest(end: () => void, begunMs: number): () => void {
  return () => {
    const restMs = Math.min(LONGEST_REST_MS, Math.floor(performance.now() - begunMs));
    if (restMs === 0) end();
    else setTimeout(end, restMs);
  };
}
