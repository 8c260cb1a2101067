import { LoopUse } from "@swath/base/concurrency/loop-use";
import { sleep } from "@swath/base/concurrency/sleep";

/** Time over which the use of the thread is judged, ms: a few short pipelines. */
const WINDOW_MS = 50;
/** Share of the thread's time above which it has none to spare. */
const BUSY_SHARE = 0.5;
/** Longest wait, ms: work goes on, if slowly, beside requests that never end. */
const LONGEST_WAIT_MS = 500;

/**
 * Waits until the thread that answers requests has time to spare. A process that answers starts its pipelines by this:
 * some thirty statements of a short one take 20 to 47 ms of that thread, and four at once would hold all of it.
 */
export class SpareTime {
  readonly #use = new LoopUse();

  /** Resolves at once on an idle thread, and after at most half a second on a busy one, or when the signal aborts. */
  async wait(signal: AbortSignal): Promise<void> {
    const endMs = performance.now() + LONGEST_WAIT_MS;
    while (!signal.aborted && performance.now() < endMs) {
      const youngMs = WINDOW_MS - this.#use.ageMs();
      if (youngMs > 0) await sleep(youngMs, signal);
      if (this.#use.look() < BUSY_SHARE) return;
    }
  }
}
