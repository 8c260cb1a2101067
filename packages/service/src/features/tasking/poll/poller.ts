import { createPlacesByGroup, type ClaimedWork, type PlacesByGroup } from "@swath/base/concurrency/places-by-group";
import { sleep } from "@swath/base/concurrency/sleep";
import { withLease, type Lease } from "@swath/base/concurrency/with-lease";
import { backoffMs } from "../../../platform/backoff.ts";
import * as claims from "./claim-store.ts";
import { pollOrder, type PollDeps } from "./poll-order.ts";

/** Polls open orders, each in one process at a time. */
export interface OrderPoller extends AsyncDisposable {
  /** Starts the questions that are due, as many as there are places. Does not wait for answers. */
  startDue(signal: AbortSignal): Promise<void>;
  /** As `startDue`, and waits for the answers. */
  pollDue(signal: AbortSignal): Promise<void>;
  /**
   * Asks for news of one order at once; while another process does, its answer is waited for. A provider that does not
   * answer leaves the order as it is. Files are left to `startDue`.
   */
  refreshOrder(orderId: string, signal: AbortSignal): Promise<void>;
}

export interface PollerDeps extends PollDeps {
  /** Questions of one provider at once; others have places of their own. */
  readonly perProvider: number;
  /** A claim of a process that has died ends after this time. */
  readonly leaseMs: number;
  /** Longest wait for an answer that another process asks for. */
  readonly patienceMs: number;
  /** 0 to below 1. */
  readonly random: () => number;
  /** Called when an answer has freed a place. */
  readonly onIdle: () => void;
}

interface Poller {
  readonly deps: PollerDeps;
  /** Questions under way, by provider. */
  readonly places: PlacesByGroup;
}

const WATCH_MS = 100;

/** The usual limits. */
export const POLLER_LIMITS = {
  callMs: 60_000,
  perProvider: 8,
  leaseMs: 60_000,
  patienceMs: 10_000,
  random: Math.random,
} as const;

export function createOrderPoller(deps: PollerDeps): OrderPoller {
  const { onIdle, perProvider } = deps;
  const poller: Poller = { deps, places: createPlacesByGroup({ perGroup: perProvider, onFree: onIdle }) };
  return {
    async startDue(signal) {
      // The answers are waited for at the end of the poller.
      void (await startDue(poller, signal));
    },
    async pollDue(signal) {
      await Promise.all(await startDue(poller, signal));
    },
    refreshOrder: (orderId, signal) => refreshOrder(poller, orderId, signal),
    [Symbol.asyncDispose]: () => poller.places[Symbol.asyncDispose](),
  };
}

async function startDue(poller: Poller, signal: AbortSignal): Promise<readonly Promise<void>[]> {
  const { clock, db, leaseMs } = poller.deps;
  const questions: ClaimedWork<claims.ClaimedOrder> = {
    async claim(provider, free) {
      const now = clock.now();
      return await claims.claimDue(db, provider, free, { now, until: new Date(now.getTime() + leaseMs) });
    },
    run: (claim) => runClaim(poller, claim, true, poller.places.signal),
  };
  return await poller.places.start(await claims.dueProviders(db, clock.now()), questions, signal);
}

/** Asks for a claimed order, keeps its claim meanwhile, and ends it with the time of the next question. Never rejects. */
async function runClaim(
  { deps }: Poller,
  claimed: claims.ClaimedOrder,
  delivers: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { clock, db, log, random } = deps;
  const { order } = claimed;
  const claim = { ...claimed };
  let next = { dueAt: clock.now(), failures: 0 };
  try {
    const dueAt = await withLease(leaseOf(deps, claim), signal, (held) => pollOrder(deps, order, delivers, held));
    next = { dueAt, failures: 0 };
  } catch (error) {
    if (!signal.aborted) {
      const failures = order.poll_failures + 1;
      next = { dueAt: new Date(clock.now().getTime() + backoffMs(failures, random(), error)), failures };
      log.warn({ err: error, orderId: order.id, failures }, "no news of an order");
    }
  }
  try {
    await claims.releaseClaim(db, claim, next);
  } catch (error) {
    // The claim ends by itself.
    log.warn({ err: error, orderId: order.id }, "the claim of an order was not released");
  }
}

/** @param claim keeps the end of the lease */
function leaseOf(
  { clock, db, leaseMs, log }: PollerDeps,
  claim: { readonly order: claims.ClaimedOrder["order"]; until: Date },
): Lease {
  return {
    ms: leaseMs,
    async prolong() {
      const next = new Date(clock.now().getTime() + leaseMs);
      const isHeld = await claims.prolongClaim(db, claim, next);
      if (isHeld) claim.until = next;
      return isHeld;
    },
    onFault: (error) => log.warn({ err: error, orderId: claim.order.id }, "the claim of an order was not prolonged"),
  };
}

async function refreshOrder(poller: Poller, orderId: string, signal: AbortSignal): Promise<void> {
  const { clock, db, leaseMs, patienceMs } = poller.deps;
  const endMs = performance.now() + patienceMs;
  while (!signal.aborted && performance.now() < endMs) {
    const now = clock.now();
    const claim = await claims.claimOrder(db, orderId, { now, until: new Date(now.getTime() + leaseMs) });
    if (claim !== null) {
      await runClaim(poller, claim, false, AbortSignal.any([signal, poller.places.signal]));
      return;
    }
    if (!(await claims.isClaimed(db, orderId, now))) return;
    await sleep(WATCH_MS, signal);
  }
}
