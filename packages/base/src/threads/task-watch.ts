import type { Worker } from "node:worker_threads";
import { sleep } from "../concurrency/sleep.ts";

/** The time of one task in a thread. */
export interface TaskWatch extends Disposable {
  /** The thread has begun the task. */
  begun(this: void): void;
}

export interface TaskWatchOptions {
  /** Processor time of the task. */
  readonly timeoutMs: number;
  /** Whether less than a quarter of a processor is borne, for four times the processor time on the clock. */
  readonly isPatient: boolean;
  readonly onOver: () => void;
  /** The thread gets too little of a processor. */
  readonly onStarved: () => void;
}

/** On a busy machine a task waits for a processor: a thread that gets a quarter of one keeps its whole time. */
const CLOCK_FACTOR = 4;
/** The longest start of a thread, 0.2 s on an idle machine, and the longest wait of one that runs for its next task. */
const START_MS = 2_000;
/** Pauses between two looks at the processor time. */
const LEAST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1_000;
/** The longest wait for a thread to tell its processor time: one that has a processor takes less than a millisecond. */
const USAGE_MS = 250;

/** Watches a task from when it is given to its thread. Tells once that its time is over or its thread starves. */
export function watchTask(worker: Pick<Worker, "cpuUsage">, options: TaskWatchOptions): TaskWatch {
  const { isPatient, onOver, onStarved, timeoutMs } = options;
  let isEnded = false;
  let timer = setTimeout(onStarved, isPatient ? CLOCK_FACTOR * START_MS : START_MS);

  const begun = (): void => {
    const startedMs = performance.now();
    const earlier = usedMs(worker);
    const ofTask = async (): Promise<number> => (await usedMs(worker)) - (await earlier);
    const look = async (): Promise<void> => {
      const taskMs = (await Promise.race([ofTask(), sleep(USAGE_MS)])) ?? 0;
      if (isEnded) return;
      const patienceMs = CLOCK_FACTOR * (isPatient ? timeoutMs : taskMs);
      if (taskMs >= timeoutMs) onOver();
      else if (performance.now() - startedMs >= patienceMs) onStarved();
      else arm(timeoutMs - taskMs);
    };
    const arm = (leftMs: number): void => {
      clearTimeout(timer);
      timer = setTimeout(() => void look(), Math.min(Math.max(leftMs, LEAST_PAUSE_MS), LONGEST_PAUSE_MS));
    };
    arm(timeoutMs);
  };
  return {
    begun,
    [Symbol.dispose]() {
      isEnded = true;
      clearTimeout(timer);
    },
  };
}

/** Processor time of a thread since its start; 0 for one that does not run. */
async function usedMs(worker: Pick<Worker, "cpuUsage">): Promise<number> {
  const { system, user } = await worker.cpuUsage().catch(() => ({ system: 0, user: 0 }));
  return (system + user) / 1_000;
}
