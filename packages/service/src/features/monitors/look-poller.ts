import { createPlacesByGroup, type ClaimedWork, type PlacesByGroup } from "@swath/base/concurrency/places-by-group";
import { withLease, type Lease } from "@swath/base/concurrency/with-lease";
import type { Log } from "@swath/base/log/log";
import { backoffMs } from "../../platform/backoff.ts";
import { failedLook, lookOnce, reachedBy, type LookOnceDeps, type LookProgress } from "./look-once.ts";
import * as store from "./look-store.ts";

/** Looks of monitors for new scenes, each in one process at a time. */
export interface LookPoller extends AsyncDisposable {
  /** Starts the looks that are due, as many as there are places. @returns their ends */
  startDue(signal: AbortSignal): Promise<readonly Promise<void>[]>;
}

export interface LookPollerDeps extends LookOnceDeps {
  readonly log: Log;
  /** Looks at one provider at once; other providers have separate places. */
  readonly perProvider: number;
  /** Looks of one owner at a provider at once, in all processes. */
  readonly perOwner: number;
  /** A claim of a process that has died ends after this time. */
  readonly leaseMs: number;
  /** 0 to below 1. */
  readonly random: () => number;
  /** Called when a look has freed a place. */
  readonly onFree: () => void;
}

/** The usual limits. */
export const LOOK_LIMITS = {
  leaseMs: 20_000,
  perOwner: 4,
  perProvider: 8,
  random: Math.random,
  turnMs: 30_000,
} as const;

export function createLookPoller(deps: LookPollerDeps): LookPoller {
  const { onFree, perProvider } = deps;
  const places = createPlacesByGroup({ perGroup: perProvider, onFree });
  return {
    startDue: (signal) => startDue(deps, places, signal),
    [Symbol.asyncDispose]: () => places[Symbol.asyncDispose](),
  };
}

async function startDue(
  deps: LookPollerDeps,
  places: PlacesByGroup,
  signal: AbortSignal,
): Promise<readonly Promise<void>[]> {
  const { clock, db, leaseMs, perOwner } = deps;
  const looks: ClaimedWork<store.ClaimedLook> = {
    async claim(provider, limit) {
      const now = clock.now();
      return await store.claimLooks(db, provider, { limit, now, perOwner, until: new Date(now.getTime() + leaseMs) });
    },
    run: (claim) => runClaim(deps, claim, places.signal),
  };
  return await places.start(await store.dueProviders(db, clock.now()), looks, signal);
}

/** Does a claimed look, and ends its claim with the time of the next one. Never rejects. */
async function runClaim(deps: LookPollerDeps, look: store.ClaimedLook, signal: AbortSignal): Promise<void> {
  const { clock, db, log, random } = deps;
  const progress: LookProgress = { position: look.position, target: look.target };
  const about = { monitorId: look.monitor_id, provider: look.provider };
  try {
    const end = await lookAround(deps, look, progress, signal).catch((error: unknown) => {
      const at = clock.now();
      if (signal.aborted) return untouched(look, progress, at);
      const failures = look.failures + 1;
      log.warn({ err: error, ...about, failures }, "a monitor could not look for scenes");
      const next = new Date(at.getTime() + backoffMs(failures, random(), error));
      return failedLook(look, progress, error, { at, next });
    });
    await store.releaseLook(db, look, end ?? untouched(look, progress, clock.now()));
  } catch (error) {
    // The claim ends by itself.
    log.warn({ err: error, ...about }, "the claim of a look was not released");
  }
}

async function lookAround(
  deps: LookPollerDeps,
  look: store.ClaimedLook,
  progress: LookProgress,
  signal: AbortSignal,
): Promise<store.LookEnd | null> {
  return await withLease(leaseOf(deps, look), signal, (held) => lookOnce(deps, look, progress, held));
}

/** A look that is due at once, for another process or the next start. */
function untouched(look: store.ClaimedLook, progress: LookProgress, at: Date): store.LookEnd {
  const { failed_at, failure, failures, last_look_at, looked_until } = look;
  return { failed_at, failure, failures, last_look_at, looked_until, ...reachedBy(progress), at, next: at };
}

function leaseOf({ clock, db, leaseMs, log }: LookPollerDeps, look: store.ClaimedLook): Lease {
  return {
    ms: leaseMs,
    async prolong() {
      const next = new Date(clock.now().getTime() + leaseMs);
      const isHeld = await store.prolongLook(db, look, next);
      if (isHeld) look.until = next;
      return isHeld;
    },
    onFault: (error) => log.warn({ err: error, monitorId: look.monitor_id }, "the claim of a look was not prolonged"),
  };
}
