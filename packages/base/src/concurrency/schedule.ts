import type { Log } from "../log/log.ts";
import { OVER } from "./over.ts";
import { sleep } from "./sleep.ts";

/** Work that repeats while a process runs, such as the removal of expired files. */
export interface PeriodicWork {
  /** Unique in a schedule; the log and `soon` name the work by it. */
  readonly name: string;
  /** Pause between the end of a round and the start of the next. */
  readonly everyMs: number;
  /** Whether the first round runs at once instead of after a pause. */
  readonly atStart?: boolean;
  /** Pause after a round, before the usual one, that `soon` does not shorten; 0 unless given. */
  readonly leastPauseMs?: number;
  readonly run: (signal: AbortSignal) => Promise<unknown>;
}

export interface ScheduleOptions {
  readonly log: Log;
  /** Ends early when the signal aborts; timers of the process unless given. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** 0 to below 1. */
  readonly random?: () => number;
}

interface Task {
  readonly work: PeriodicWork;
  /** Pause that `soon` asks for instead of the usual one. */
  soonMs: number | null;
  waking: AbortController;
}

/** Pauses differ by at most a tenth either way, so that processes started together spread their rounds. */
const JITTER = 0.1;

/**
 * Runs periodic work until it is disposed. Rounds of one work never overlap. A failed round is logged, and the next
 * one comes as usual. Disposing aborts the rounds under way and waits for their end.
 */
export class Schedule implements AsyncDisposable {
  readonly #log: Log;
  readonly #wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly #random: () => number;
  readonly #stopping = new AbortController();
  readonly #tasks = new Map<string, Task>();
  readonly #loops: Promise<void>[] = [];

  constructor({ log, wait = sleep, random = Math.random }: ScheduleOptions) {
    this.#log = log;
    this.#wait = wait;
    this.#random = random;
  }

  /** @throws {RangeError} when there is work of that name already */
  add(work: PeriodicWork): void {
    if (this.#tasks.has(work.name)) throw new RangeError(`the schedule has work named "${work.name}" already`);
    const task: Task = { work, soonMs: null, waking: new AbortController() };
    this.#tasks.set(work.name, task);
    this.#loops.push(this.#repeat(task));
  }

  /** Starts the next round after this pause instead of the usual one. Unknown names do nothing. */
  soon(name: string, pauseMs: number): void {
    const task = this.#tasks.get(name);
    if (task === undefined) return;
    task.soonMs = pauseMs;
    task.waking.abort(OVER);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#loops);
  }

  async #repeat(task: Task): Promise<void> {
    const { signal } = this.#stopping;
    const { work } = task;
    const { leastPauseMs = 0 } = work;
    if (work.atStart !== true) await this.#pause(task);
    while (!signal.aborted) {
      try {
        await work.run(signal);
      } catch (error) {
        if (!signal.aborted) this.#log.warn({ err: error, work: work.name }, "a round of periodic work failed");
      }
      if (leastPauseMs > 0 && !signal.aborted) await this.#wait(leastPauseMs, signal);
      await this.#pause(task);
    }
  }

  async #pause(task: Task): Promise<void> {
    const { signal } = this.#stopping;
    let ms: number | null = takeSoon(task) ?? task.work.everyMs * (1 - JITTER + 2 * JITTER * this.#random());
    while (ms !== null && !signal.aborted) {
      task.waking = new AbortController();
      await this.#wait(ms, AbortSignal.any([signal, task.waking.signal]));
      ms = takeSoon(task);
    }
  }
}

function takeSoon(task: Task): number | null {
  const ms = task.soonMs;
  task.soonMs = null;
  return ms;
}
