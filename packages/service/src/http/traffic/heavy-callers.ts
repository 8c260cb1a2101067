/** Time over which requests are counted, ms. */
const WINDOW_MS = 1_000;
/**
 * Requests of a window below which nobody is heavy: a console that draws a map asks for thirty tiles at once, and
 * existing clients send sixty requests at once.
 */
const LEAST_REQUESTS = 100;
/** A caller is heavy that asks so much more often than another one. */
const TIMES_ANOTHER = 2;
/** Another caller counts this long after its latest request, ms: one request does not slow a crowd for long. */
const PRESENT_MS = 3_000;
/** Callers beyond are not counted, and are not heavy. */
const MOST_CALLERS = 1_000;

interface Recent {
  requests: number;
  latestMs: number;
}

/** Callers that ask much more often than others who are here too. */
export interface HeavyCallers {
  readonly recent: Map<string, Recent>;
  windowFromMs: number;
  heavy: ReadonlySet<string>;
}

export function createHeavyCallers(): HeavyCallers {
  return { recent: new Map(), windowFromMs: 0, heavy: new Set() };
}

/** Whether a caller was heavy in the latest whole window. */
export function isHeavy({ heavy }: HeavyCallers, caller: string): boolean {
  return heavy.has(caller);
}

/**
 * Counts a request.
 *
 * @param nowMs of a monotonic clock
 */
export function countRequest(callers: HeavyCallers, caller: string, nowMs: number): void {
  const { recent } = callers;
  if (nowMs - callers.windowFromMs >= WINDOW_MS) beginWindow(callers, nowMs);
  const own = recent.get(caller);
  if (own !== undefined) {
    own.requests += 1;
    own.latestMs = nowMs;
  } else if (recent.size < MOST_CALLERS) recent.set(caller, { requests: 1, latestMs: nowMs });
}

function beginWindow(callers: HeavyCallers, nowMs: number): void {
  const { recent } = callers;
  for (const [caller, { latestMs }] of recent) if (nowMs - latestMs > PRESENT_MS) recent.delete(caller);
  const windows = Math.max(1, (nowMs - callers.windowFromMs) / WINDOW_MS);
  const least = Math.min(...recent.values().map(({ requests }) => requests));
  const heavyFrom = Math.max(LEAST_REQUESTS * windows, TIMES_ANOTHER * least);
  // A caller that is here alone does not reach twice its own requests.
  const heavy = recent.entries().filter(([, { requests }]) => requests >= heavyFrom);
  callers.heavy = new Set(heavy.map(([caller]) => caller));
  callers.windowFromMs = nowMs;
  for (const one of recent.values()) one.requests = 0;
}
