/** A request counts this long, ms: long polls and streams last for minutes and use the thread hardly ever. */
const LONGEST_MS = 50;

/** Requests of callers that are not heavy, while they are in work: the earliest first. */
export interface LightWork {
  readonly begun: Set<{ readonly atMs: number }>;
  /** Called once when the last of them has ended. */
  onIdle: (() => void) | null;
}

export function createLightWork(): LightWork {
  return { begun: new Set(), onIdle: null };
}

/**
 * Counts a request that arrives.
 *
 * @param nowMs of a monotonic clock
 * @returns ends the count
 */
export function followLight(work: LightWork, nowMs: number): () => void {
  const request = { atMs: nowMs };
  work.begun.add(request);
  return () => {
    work.begun.delete(request);
    if (work.begun.size > 0) return;
    const { onIdle } = work;
    work.onIdle = null;
    onIdle?.();
  };
}

/** Whether a request is in work that arrived a short time ago; earlier ones are forgotten. */
export function isInWork({ begun }: LightWork, nowMs: number): boolean {
  for (const request of begun) {
    if (nowMs - request.atMs < LONGEST_MS) return true;
    begun.delete(request);
  }
  return false;
}
