import type { TestContext } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";

/** Turns of the event loop after each step: work that a timer began goes on in later turns. */
const TURNS = 200;

/** A clock that goes on when a test says so. */
export interface SteppedClock {
  nowMs(): number;
  /** The thread is in use for so long: no timer is called. */
  work(ms: number): void;
  /** The thread waits for so many whole milliseconds: timers are called when due, and work goes on. */
  pass(ms: number): Promise<void>;
}

interface Timer {
  readonly dueMs: number;
  readonly call: () => void;
}

/** Sets `performance.now` and timers to a clock of this test, which a busy machine does not move. */
export function steppedClock({ mock }: TestContext): SteppedClock {
  let nowMs = 1000;
  const timers = new Set<Timer>();
  const set = (call: (...values: readonly unknown[]) => void, ms: number, ...values: readonly unknown[]): Timer => {
    const timer = { dueMs: nowMs + ms, call: () => call(...values) };
    timers.add(timer);
    return timer;
  };
  mock.method(performance, "now", () => nowMs);
  mock.method(globalThis, "setTimeout", set as unknown as typeof setTimeout);
  mock.method(globalThis, "clearTimeout", (timer: Timer) => timers.delete(timer));
  const callDue = (): void => {
    for (const timer of [...timers].toSorted((a, b) => a.dueMs - b.dueMs)) {
      if (timer.dueMs <= nowMs && timers.delete(timer)) timer.call();
    }
  };
  const goOn = async (): Promise<void> => {
    for (let i = 0; i < TURNS; i += 1) {
      callDue();
      await nextTurn();
    }
  };
  return {
    nowMs: () => nowMs,
    work: (ms) => {
      nowMs += ms;
    },
    pass: async (ms) => {
      await goOn();
      for (let i = 0; i < ms; i += 1) {
        nowMs += 1;
        await goOn();
      }
    },
  };
}
