import { processorMs } from "./processor-time.ts";

/** A running limit of the time of a process. */
export interface ProcessTimeLimit extends Disposable {
  /** Sets the time, from the start of the limit. */
  allowMs(this: void, timeoutMs: number): void;
}

/** On a busy machine a process waits for a processor: with less than a quarter of one it has four times as long. */
const CLOCK_FACTOR = 4;
/** Pause between two looks at a process whose time on the clock is over. */
const PAUSE_MS = 1_000;
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Calls `onOver` once when a process has worked for longer than it may. Its time is the time on the clock. A process with
 * less than a quarter of a processor goes on until it has as much, for at most four times its time.
 */
export function limitProcessTime(
  pid: number | undefined,
  timeoutMs: number,
  onOver: (timeoutMs: number) => void,
): ProcessTimeLimit {
  const startedMs = performance.now();
  const earlierMs = processorMs(pid);
  let limitMs = timeoutMs;
  let timer: NodeJS.Timeout | undefined;

  const isStarved = (passedMs: number): boolean => {
    const nowMs = processorMs(pid);
    if (earlierMs === null || nowMs === null || passedMs >= CLOCK_FACTOR * limitMs) return false;
    return (nowMs - earlierMs) * CLOCK_FACTOR < limitMs;
  };
  const look = (): void => {
    const passedMs = performance.now() - startedMs;
    if (passedMs < limitMs) arm(limitMs - passedMs);
    else if (isStarved(passedMs)) arm(Math.min(PAUSE_MS, CLOCK_FACTOR * limitMs - passedMs));
    else onOver(limitMs);
  };
  const arm = (pauseMs: number): void => {
    clearTimeout(timer);
    timer = setTimeout(look, Math.min(pauseMs, MAX_TIMER_MS));
  };
  arm(timeoutMs);
  return {
    allowMs(allowedMs) {
      limitMs = allowedMs;
      arm(Math.max(0, startedMs + allowedMs - performance.now()));
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}
