import type { FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { sleep } from "@swath/base/concurrency/sleep";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { statusOf } from "../../error-status.ts";
import { goneSignal } from "./gone-signal.ts";
import { addressShare } from "./share-name.ts";

/** Refusals of an address that are answered at once, and those that follow each second. */
const BURST = 20;
const PER_SECOND = 20;
const LONGEST_MS = 1_000;
/** Refusals that wait at the same time; further ones are answered at once. */
const MOST_WAITING = 5_000;
const MOST_ADDRESSES = 10_000;

/** Answers beyond the rate limit that wait: a caller who repeats them in a loop slows down. */
export interface PacedRefusals {
  /** Moment at which the next refusal of an address is due, ms of the monotonic clock. */
  readonly due: LRUCache<string, number>;
  waiting: number;
}

export function createPacedRefusals(): PacedRefusals {
  return { due: new LRUCache({ max: MOST_ADDRESSES }), waiting: 0 };
}

/**
 * Waits until the next refusal of an address is due: at most a second, and no longer than its client. Without the wait
 * 300 clients that ignore `Retry-After` keep the process at 70 % of a processor with refusals.
 */
export async function paceRefusal(refusals: PacedRefusals, address: string, gone: AbortSignal): Promise<void> {
  const waitMs = takeTurnMs(refusals, address, performance.now());
  if (waitMs === 0 || refusals.waiting >= MOST_WAITING) return;
  refusals.waiting += 1;
  try {
    await sleep(waitMs, gone);
  } finally {
    refusals.waiting -= 1;
  }
}

/** Waits before the answer to a thrown value, when the answer is a refusal for too many requests. */
export async function paceTooMany(
  refusals: PacedRefusals,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (!(thrown instanceof ServiceError) || statusOf(thrown) !== 429) return;
  await paceRefusal(refusals, addressShare(request.ip), goneSignal(reply));
}

/** The wait of the next refusal of an address, ms. */
export function takeTurnMs(
  { due }: PacedRefusals,
  address: string,
  nowMs: number,
  random: () => number = Math.random,
): number {
  const stepMs = 1_000 / PER_SECOND;
  const dueMs = Math.max(due.get(address) ?? 0, nowMs - BURST * stepMs) + stepMs;
  // A turn later than the longest wait is nobody's: a flood does not delay the refusals of the next minute.
  due.set(address, Math.min(dueMs, nowMs + LONGEST_MS));
  const waitMs = Math.max(0, dueMs - nowMs);
  // Requests that came together do not come again together: 300 at once hold the loop for 60 ms.
  return waitMs < LONGEST_MS ? waitMs : LONGEST_MS * (0.25 + 0.75 * random());
}
