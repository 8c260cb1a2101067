/** Requests in work: the earliest first. */
export interface RequestsInWork {
  readonly begun: Set<{ readonly atMs: number }>;
  /** The latest end, by a monotonic clock. */
  endedMs: number;
  /** Called once at the next end. */
  onEnd: (() => void) | null;
}

export function createRequestsInWork(): RequestsInWork {
  return { begun: new Set(), endedMs: -Infinity, onEnd: null };
}

/**
 * Counts a request that begins.
 *
 * @param nowMs of a monotonic clock
 * @returns ends the count
 */
export function follow(requests: RequestsInWork, nowMs: number): () => void {
  const request = { atMs: nowMs };
  requests.begun.add(request);
  return () => {
    if (!requests.begun.delete(request)) return;
    requests.endedMs = performance.now();
    const { onEnd } = requests;
    requests.onEnd = null;
    onEnd?.();
  };
}

/** The requests in work that began less than `longestMs` ago; earlier ones are forgotten. */
export function countInWork({ begun }: RequestsInWork, nowMs: number, longestMs: number): number {
  for (const request of begun) {
    if (nowMs - request.atMs < longestMs) break;
    begun.delete(request);
  }
  return begun.size;
}

/** Goes on when fewer than `count` requests younger than `longestMs` are in work, or after `patienceMs`. */
export function whenFewer(
  requests: RequestsInWork,
  count: number,
  limits: { readonly longestMs: number; readonly patienceMs: number },
  goOn: () => void,
): void {
  const isFewer = (): boolean => countInWork(requests, performance.now(), limits.longestMs) < count;
  if (isFewer()) {
    goOn();
    return;
  }
  const timer = setTimeout(() => {
    requests.onEnd = null;
    goOn();
  }, limits.patienceMs);
  const look = (): void => {
    if (isFewer()) {
      clearTimeout(timer);
      goOn();
    } else requests.onEnd = look;
  };
  requests.onEnd = look;
}
