import { sleep } from "./sleep.ts";

/** A claim on shared work that ends by itself unless its holder prolongs it. */
export interface Lease {
  /** Time from a prolongation to the end of the lease, milliseconds. */
  readonly ms: number;
  /** Prolongs the lease. @returns whether it still held */
  prolong(): Promise<boolean>;
  /** Hears of a prolongation that failed; the next one comes after a third of the lease. */
  onFault(error: unknown): void;
}

/**
 * Runs work and prolongs its lease meanwhile, each third of its time.
 *
 * @param run receives a signal that also aborts when another holder has the lease
 */
export async function withLease<Result>(
  lease: Lease,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const [ended, lost] = [new AbortController(), new AbortController()];
  const kept = keep(lease, lost, ended.signal);
  try {
    return await run(AbortSignal.any([signal, lost.signal]));
  } finally {
    ended.abort();
    await kept;
  }
}

async function keep(lease: Lease, lost: AbortController, ended: AbortSignal): Promise<void> {
  for (;;) {
    await sleep(lease.ms / 3, ended);
    if (ended.aborted) return;
    try {
      if (await lease.prolong()) continue;
      lost.abort(new Error("another holder has the lease"));
      return;
    } catch (error) {
      lease.onFault(error);
    }
  }
}
