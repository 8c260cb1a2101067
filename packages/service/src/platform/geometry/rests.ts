/**
 * The shortest task that is followed by a rest, ms. A share that has the only thread rests for as long as its task took:
 * half of the time is left to others.
 */
const LEAST_REST_MS = 20;

/** Until when no task of a share begins, ms of a monotonic clock. */
export type Rests = Map<string, number>;

/** Lets a share rest after a task, unless the task was short. */
export function beginRest(rests: Rests, share: string, taskMs: number): void {
  if (taskMs >= LEAST_REST_MS) rests.set(share, performance.now() + taskMs);
}

/** Forgets the rests that are over. */
export function endRests(rests: Rests): void {
  const nowMs = performance.now();
  for (const [share, untilMs] of rests) if (untilMs <= nowMs) rests.delete(share);
}

/** Time until the next rest is over, ms; null when no share rests. */
export function nextEndMs(rests: Rests): number | null {
  return rests.size === 0 ? null : Math.ceil(Math.min(...rests.values()) - performance.now());
}
