import { performance, type EventLoopUtilization } from "node:perf_hooks";

/** How much of its time the thread is used, from one look to the next. */
export class LoopUse {
  #since: EventLoopUtilization = performance.eventLoopUtilization();
  #sinceMs = performance.now();

  /** Time since the latest look, ms. */
  ageMs(): number {
    return performance.now() - this.#sinceMs;
  }

  /** Share of the time since the latest look in which the thread was busy, 0 to 1. */
  look(): number {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#since);
    this.#since = now;
    this.#sinceMs = performance.now();
    return utilization;
  }
}
