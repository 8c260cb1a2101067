import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { watchTask, type TaskWatch } from "@swath/base/threads/task-watch";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { currentShare } from "@swath/base/concurrency/current-share";
import { FairQueue } from "@swath/base/concurrency/fair-queue";
import type {
  FromGeometryThread,
  GeometryKind,
  GeometryTask,
  GeometryTasks,
  GeometryThreadData,
} from "./geometry-task.ts";
import { beginRest, endRests, nextEndMs, type Rests } from "./rests.ts";

/** Thrown for a task that took too much processor time or memory. */
export class TooEntangledError extends Error {
  override readonly name = "TooEntangledError";
}

const FAULTS = { overlay: TooEntangledError, range: RangeError, other: Error } as const;

interface Job {
  readonly share: string;
  readonly task: GeometryTask;
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Thread {
  readonly worker: Worker;
  /** A thread in the foreground makes others wait: it ends with its task. */
  readonly isForeground: boolean;
  job: Job | null;
  /** When the job was given to the thread, ms of a monotonic clock. */
  jobFromMs: number;
  watch: TaskWatch | null;
}

export interface GeometryThreadsOptions {
  readonly threads: number;
  /** Tasks of one share that wait for a thread; more are refused. */
  readonly maxWaitingOfShare: number;
  /** Tasks that wait for a thread; beyond them the share with the most loses its latest. */
  readonly maxWaiting: number;
  /** Processor time of one task; four times as much may pass on the clock. */
  readonly timeoutMs: number;
}

/** Threads that each run one task at a time, and the tasks that wait for one. */
export interface GeometryThreads {
  readonly options: GeometryThreadsOptions;
  readonly started: Set<Thread>;
  readonly waiting: FairQueue<Job>;
  /** Shares whose next task waits, where there is a single thread. */
  readonly resting: Rests;
  restTimer: NodeJS.Timeout | null;
  closed: boolean;
}

const DEFAULTS: GeometryThreadsOptions = {
  threads: availableParallelism() > 2 ? 2 : 1,
  maxWaitingOfShare: 64,
  maxWaiting: 1024,
  timeoutMs: 2_000,
};
/** The heap of a thread; 3,000 random positions need half a gigabyte before their time is over. */
const MAX_HEAP_MIB = 256;
const RETRY_AFTER_S = 2;

/** A pool without threads: they start when they are needed. */
export function geometryThreads(options: Partial<GeometryThreadsOptions> = {}): GeometryThreads {
  return {
    options: { ...DEFAULTS, ...options },
    started: new Set(),
    waiting: new FairQueue(),
    resting: new Map(),
    restTimer: null,
    closed: false,
  };
}

/**
 * Runs a task in the next free thread. Shares take turns. Where there are several threads, no share has all of them; of a
 * single one none has more than half of the time. When the signal aborts, the thread ends with the task.
 *
 * @throws {ServiceError} TOO-MANY-REQUESTS when too many tasks of the share wait; SERVICE-UNAVAILABLE when too many
 *   tasks wait in all, or the task got no processor
 * @throws {TooEntangledError}
 */
export async function runInThread<Kind extends GeometryKind>(
  pool: GeometryThreads,
  kind: Kind,
  input: GeometryTasks[Kind]["input"],
  signal?: AbortSignal,
): Promise<GeometryTasks[Kind]["output"]> {
  signal?.throwIfAborted();
  if (pool.closed) throw new ServiceError("SERVICE-UNAVAILABLE", "the service is stopping");
  const share = currentShare();
  makeRoom(pool, share);
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const job: Job = { share, task: { kind, input } as GeometryTask, resolve, reject };
  const abort = (): void => cancel(pool, job, signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  pool.waiting.add(job);
  dispatch(pool);
  try {
    return (await promise) as GeometryTasks[Kind]["output"];
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

/** Refuses the tasks that wait and ends all threads. */
export async function endThreads(pool: GeometryThreads): Promise<void> {
  pool.closed = true;
  if (pool.restTimer !== null) clearTimeout(pool.restTimer);
  const stopping = new ServiceError("SERVICE-UNAVAILABLE", "the service is stopping");
  for (const { reject } of pool.waiting.clear()) reject(stopping);
  await Promise.all([...pool.started].map(async (thread) => end(pool, thread, stopping)));
}

/** @throws {ServiceError} TOO-MANY-REQUESTS, SERVICE-UNAVAILABLE */
function makeRoom({ options, waiting }: GeometryThreads, share: string): void {
  const ofShare = waiting.sizeOf(share);
  if (ofShare >= options.maxWaitingOfShare) {
    throw new ServiceError(
      "TOO-MANY-REQUESTS",
      `${ofShare} areas of the caller wait to be computed, expected fewer than ${options.maxWaitingOfShare}`,
      { retryAfterS: RETRY_AFTER_S },
    );
  }
  if (waiting.size < options.maxWaiting) return;
  const full = new ServiceError("SERVICE-UNAVAILABLE", `${waiting.size} areas wait to be computed; try again later`, {
    retryAfterS: RETRY_AFTER_S,
  });
  const other = waiting.takeLatestOfLargest(ofShare + 1);
  if (other === null) throw full;
  other.reject(full);
}

function cancel(pool: GeometryThreads, job: Job, reason: unknown): void {
  pool.waiting.remove(job);
  const thread = [...pool.started].find((one) => one.job === job);
  if (thread === undefined) job.reject(reason);
  else void end(pool, thread, reason);
}

/** Ends a thread, whatever it computes, and fails its task. The next task starts another thread. */
async function end(pool: GeometryThreads, thread: Thread, reason: unknown): Promise<void> {
  pool.started.delete(thread);
  settle(pool, thread)?.reject(reason);
  await thread.worker.terminate();
  dispatch(pool);
}

/** Takes the task from a thread. */
function settle({ options, resting }: GeometryThreads, thread: Thread): Job | null {
  const { job, watch, worker } = thread;
  watch?.[Symbol.dispose]();
  if (job !== null && options.threads === 1) beginRest(resting, job.share, performance.now() - thread.jobFromMs);
  thread.watch = null;
  thread.job = null;
  // Only work keeps the process alive, not idle threads.
  worker.unref();
  return job;
}

function dispatch(pool: GeometryThreads): void {
  const { options, started, waiting, resting } = pool;
  const most = Math.max(1, options.threads - 1);
  endRests(resting);
  const runningOf = (share: string): number =>
    resting.has(share) ? most : [...started].filter(({ job }) => job?.share === share).length;
  while (!pool.closed) {
    const free = [...started].find(({ job }) => job === null);
    if (free === undefined && started.size >= options.threads) return;
    const job = waiting.take(runningOf, most);
    if (job === null) {
      if (waiting.size > 0) dispatchAfterRest(pool);
      return;
    }
    give(pool, free ?? startThread(pool, false), job);
  }
}

function give(pool: GeometryThreads, thread: Thread, job: Job): void {
  const { timeoutMs } = pool.options;
  const { isForeground, worker } = thread;
  thread.job = job;
  thread.jobFromMs = performance.now();
  thread.watch = watchTask(worker, {
    timeoutMs,
    isPatient: isForeground,
    onOver: () => void end(pool, thread, new TooEntangledError(`a geometry task took longer than ${timeoutMs} ms`)),
    onStarved: () => (isForeground ? void end(pool, thread, busy()) : moveToForeground(pool, thread, job)),
  });
  worker.ref();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
  worker.postMessage(job.task);
}

/**
 * Begins a task anew where it takes a processor from others. Beside eight programs that only counted, a thread in the
 * background computed no area of 300 overlapping squares within 8 s. The answer takes 4 s by one in the foreground.
 */
function moveToForeground(pool: GeometryThreads, thread: Thread, job: Job): void {
  pool.started.delete(thread);
  thread.watch?.[Symbol.dispose]();
  thread.job = null;
  give(pool, startThread(pool, true), job);
  void thread.worker.terminate();
}

function busy(): ServiceError {
  return new ServiceError("SERVICE-UNAVAILABLE", "the processors are too busy to compute an area; try again later", {
    retryAfterS: RETRY_AFTER_S,
  });
}

/** Looks again when the first rest is over. */
function dispatchAfterRest(pool: GeometryThreads): void {
  const pauseMs = nextEndMs(pool.resting);
  if (pool.restTimer !== null || pauseMs === null) return;
  pool.restTimer = setTimeout(() => {
    pool.restTimer = null;
    dispatch(pool);
  }, pauseMs);
}

function startThread(pool: GeometryThreads, isForeground: boolean): Thread {
  const workerData: GeometryThreadData = { isForeground };
  const worker = new Worker(new URL("geometry-thread.ts", import.meta.url), {
    name: "swath-geometry",
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
    workerData,
  });
  const thread: Thread = { worker, isForeground, job: null, jobFromMs: 0, watch: null };
  worker.on("message", (message: FromGeometryThread) => receive(pool, thread, message));
  worker.on("error", (error: NodeJS.ErrnoException) => {
    const isMemory = error.code === "ERR_WORKER_OUT_OF_MEMORY";
    void end(pool, thread, isMemory ? new TooEntangledError("a geometry task took all memory of its thread") : error);
  });
  worker.on("exit", () => void end(pool, thread, new Error("the thread that computed an area ended unexpectedly")));
  pool.started.add(thread);
  return thread;
}

function receive(pool: GeometryThreads, thread: Thread, message: FromGeometryThread): void {
  if (!pool.started.has(thread)) return;
  if (message.kind === "started") {
    // The start of a thread is nobody's work.
    thread.jobFromMs = performance.now();
    thread.watch?.begun();
    return;
  }
  const job = settle(pool, thread);
  if (message.kind === "done") job?.resolve(message.output);
  else job?.reject(new FAULTS[message.fault](message.message));
  if (thread.isForeground) void end(pool, thread, null);
  else dispatch(pool);
}
