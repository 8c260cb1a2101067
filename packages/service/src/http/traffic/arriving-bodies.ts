import { ServiceError } from "@swath/kernel/errors/service-error";
import { addEntry, oldestOf, removeEntry, type OwnedEntries } from "./owned-entries.ts";
import { createShares, giveBack, takeShare, type Shares } from "./shares.ts";
import type { TrafficLimits } from "./traffic-limits.ts";

const RETRY_AFTER_S = 1;

/** A body on its way, or kept by the request that it belongs to. */
export interface KeptBody {
  readonly caller: string;
  readonly bytes: number;
  readonly giveUp: (error: Error) => void;
  isDropped: boolean;
}

/** Bodies in memory. Neither bound of a caller refuses a new body while an older one is still arriving. */
export interface ArrivingBodies {
  readonly limits: TrafficLimits;
  readonly bytes: Shares;
  readonly arriving: OwnedEntries<KeptBody>;
}

export function createArrivingBodies(limits: TrafficLimits): ArrivingBodies {
  const bytes = createShares({ perCaller: limits.bodyBytesPerCaller, inAll: limits.bodyBytesInAll });
  return { limits, bytes, arriving: new Map() };
}

/**
 * Reserves memory for a body that is about to arrive.
 *
 * @param bytes announced length, or the longest possible
 * @param giveUp ends the wait for this body
 * @throws {ServiceError} TOO-MANY-REQUESTS when requests of the caller keep as many bytes as they may
 */
export function expectBody(
  bodies: ArrivingBodies,
  caller: string,
  bytes: number,
  giveUp: (error: Error) => void,
): KeptBody {
  const { limits, arriving } = bodies;
  const body: KeptBody = { caller, bytes: Math.min(bytes, limits.bodyBytesPerCaller), giveUp, isDropped: false };
  if ((arriving.get(caller)?.size ?? 0) >= limits.bodiesPerCaller) giveUpOldest(bodies, caller);
  while (!takeShare(bodies.bytes, caller, body.bytes)) {
    if (!giveUpOldest(bodies, caller)) {
      throw tooMany("The requests of the caller hold as many bytes of bodies as they may");
    }
  }
  addEntry(arriving, caller, body);
  return body;
}

/** The body is complete; its bytes stay in memory until `dropBody`. */
export function bodyArrived(bodies: ArrivingBodies, body: KeptBody): void {
  removeEntry(bodies.arriving, body.caller, body);
}

export function dropBody(bodies: ArrivingBodies, body: KeptBody): void {
  if (body.isDropped) return;
  body.isDropped = true;
  removeEntry(bodies.arriving, body.caller, body);
  giveBack(bodies.bytes, body.caller, body.bytes);
}

function giveUpOldest(bodies: ArrivingBodies, caller: string): boolean {
  const oldest = oldestOf(bodies.arriving, caller);
  if (oldest === undefined) return false;
  // Its memory is counted for the newer body from now on: nothing more is read of it.
  dropBody(bodies, oldest);
  oldest.giveUp(tooMany("Too many bodies of the caller are arriving at once"));
  return true;
}

function tooMany(message: string): ServiceError {
  return new ServiceError("TOO-MANY-REQUESTS", message, { retryAfterS: RETRY_AFTER_S });
}
