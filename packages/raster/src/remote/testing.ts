import type { Clock } from "@swath/base/clock";
import type { Timers } from "./remote-client.ts";

/** Time that passes only by waiting: waits end at once and move the clock; deadlines end when a test says so. */
export class ManualTime implements Clock, Timers {
  nowMs: number;
  /** Lengths of all waits so far. */
  readonly waits: number[] = [];
  #deadlines: AbortController[] = [];

  constructor(nowMs = Date.UTC(2024, 0, 1)) {
    this.nowMs = nowMs;
  }

  now(): Date {
    return new Date(this.nowMs);
  }

  wait(ms: number): Promise<void> {
    this.waits.push(ms);
    this.nowMs += ms;
    return Promise.resolve();
  }

  deadline(): AbortSignal {
    const controller = new AbortController();
    this.#deadlines.push(controller);
    return controller.signal;
  }

  /** Ends all deadlines that were set. */
  expire(): void {
    for (const controller of this.#deadlines) controller.abort(new Error("deadline"));
    this.#deadlines = [];
  }
}
