import type { Clock } from "@swath/base/clock";

/** Pauses between writes are this many times as long as a write, so that a release of 1,000 scenes is not all writes. */
const PAUSE_FACTOR = 10;

/** Stores what a pipeline has made so far, the more rarely the longer storing it takes. */
export interface PartialResult<Result> {
  /** @param result called only when it is time to store */
  save(result: () => Result): Promise<void>;
}

/** Whether there is a first result is seen at once; a few small ones are stored one by one. */
export function partialResult<Result>(store: (result: Result) => Promise<void>, clock: Clock): PartialResult<Result> {
  let nextAtMs = 0;
  return {
    async save(result) {
      const startedAtMs = clock.now().getTime();
      if (startedAtMs < nextAtMs) return;
      await store(result());
      const endedAtMs = clock.now().getTime();
      nextAtMs = endedAtMs + PAUSE_FACTOR * (endedAtMs - startedAtMs);
    },
  };
}
