import { ServiceError } from "@swath/kernel/errors/service-error";
import { createShares, giveBack, takeShare, type Shares } from "./shares.ts";
import type { TrafficLimits } from "./traffic-limits.ts";

const RETRY_AFTER_S = 1;

interface Waiter {
  readonly enter: () => void;
  readonly refuse: (error: Error) => void;
}

/** Places for the work of requests. Callers that wait for one take turns. */
export interface WorkPlaces {
  readonly limits: TrafficLimits;
  readonly shares: Shares;
  /** By caller, the next turn first. */
  readonly waiting: Map<string, Set<Waiter>>;
}

export function createWorkPlaces(limits: TrafficLimits): WorkPlaces {
  const shares = createShares({ perCaller: limits.workPerCaller, inAll: limits.workInAll });
  return { limits, shares, waiting: new Map() };
}

/**
 * A place for a request of the caller; disposing it leaves the place.
 *
 * @param signal gives up the wait
 * @throws {ServiceError} TOO-MANY-REQUESTS when too many requests of the caller wait, or one for too long;
 *   SERVICE-UNAVAILABLE after as long a wait for other callers
 */
export async function enterPlace(places: WorkPlaces, caller: string, signal: () => AbortSignal): Promise<Disposable> {
  if (!takeShare(places.shares, caller)) await queue(places, caller, signal());
  let isLeft = false;
  return {
    [Symbol.dispose]() {
      if (isLeft) return;
      isLeft = true;
      leavePlace(places, caller);
    },
  };
}

function leavePlace(places: WorkPlaces, caller: string): void {
  giveBack(places.shares, caller);
  for (const [next, waiters] of places.waiting) {
    if (!takeShare(places.shares, next)) continue;
    const [waiter] = waiters;
    if (waiter === undefined) throw new Error(`no request of ${next} waits`);
    waiter.enter();
    // The others of this caller wait behind every other caller.
    places.waiting.delete(next);
    if (waiters.size > 0) places.waiting.set(next, waiters);
    return;
  }
}

async function queue(places: WorkPlaces, caller: string, signal: AbortSignal): Promise<void> {
  const { limits, shares, waiting } = places;
  const waiters = waiting.get(caller) ?? new Set();
  if (waiters.size >= limits.queuedPerCaller) {
    throw tooMany(`${limits.queuedPerCaller} requests of the caller wait already; send fewer at once`);
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const leaveQueue = (): void => {
    waiters.delete(waiter);
    if (waiters.size === 0) waiting.delete(caller);
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  };
  const waiter: Waiter = {
    enter() {
      leaveQueue();
      resolve();
    },
    refuse(error) {
      leaveQueue();
      reject(error);
    },
  };
  const abort = (): void => waiter.refuse(signal.reason instanceof Error ? signal.reason : new Error("aborted"));
  const timer = setTimeout(() => {
    const isAtOwnBound = (shares.held.get(caller) ?? 0) >= limits.workPerCaller;
    waiter.refuse(isAtOwnBound ? tooMany(`${limits.workPerCaller} requests of the caller are under way`) : busy());
  }, limits.queuedMs);
  timer.unref();
  waiters.add(waiter);
  waiting.set(caller, waiters);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  await promise;
}

function tooMany(message: string): ServiceError {
  return new ServiceError("TOO-MANY-REQUESTS", message, { retryAfterS: RETRY_AFTER_S });
}

function busy(): ServiceError {
  const message = "The service has too much to do; try again";
  return new ServiceError("SERVICE-UNAVAILABLE", message, { retryAfterS: RETRY_AFTER_S });
}
