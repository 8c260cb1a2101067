import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { currentShare } from "../current-share.ts";
import { FairQueue } from "../fair-queue.ts";
import type { FromGeometryThread, GeometryKind, GeometryTask, GeometryTasks } from "./geometry-task.ts";
import { beginRest, endRests, nextEndMs, type Rests } from "./rests.ts";

/** Thrown for a task that took too long or too much memory; its thread has ended. */
export class TooEntangledError extends Error {
  override readonly name = "TooEntangledError";
}

interface Job {
  readonly share: string;
  readonly task: GeometryTask;
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Thread {
  readonly worker: Worker;
  job: Job | null;
  /** When the job was given to the thread, ms of a monotonic clock. */
  jobFromMs: number;
  timer: NodeJS.Timeout | null;
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
/** On a busy machine a task waits for a processor: a thread that gets a quarter of one keeps its whole time. */
const CLOCK_FACTOR = 4;
/** The shortest pause between two looks at the processor time of a task. */
const LEAST_PAUSE_MS = 20;

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
 *   tasks wait in all
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
  const { job, timer, worker } = thread;
  if (timer !== null) clearTimeout(timer);
  if (job !== null && options.threads === 1) beginRest(resting, job.share, performance.now() - thread.jobFromMs);
  thread.timer = null;
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
    const thread = free ?? startThread(pool);
    thread.job = job;
    thread.jobFromMs = performance.now();
    thread.worker.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
    thread.worker.postMessage(job.task);
  }
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

function startThread(pool: GeometryThreads): Thread {
  const worker = new Worker(new URL("geometry-thread.ts", import.meta.url), {
    name: "swath-geometry",
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
  });
  const thread: Thread = { worker, job: null, jobFromMs: 0, timer: null };
  worker.on("message", (message: FromGeometryThread) => receive(pool, thread, message));
  worker.on("error", (error: NodeJS.ErrnoException) => {
    const isMemory = error.code === "ERR_WORKER_OUT_OF_MEMORY";
    void end(pool, thread, isMemory ? new TooEntangledError("a geometry task took all memory of its thread") : error);
  });
  worker.on("exit", () => void end(pool, thread, new Error("the thread that computed an area ended unexpectedly")));
  pool.started.add(thread);
  return thread;
}

/** Ends the thread when its task has used up its time. */
function limitTime(pool: GeometryThreads, thread: Thread): void {
  const { timeoutMs } = pool.options;
  const { job, worker } = thread;
  const startedMs = performance.now();
  const earlier = worker.cpuUsage();
  const look = async (): Promise<void> => {
    const [start, now] = await Promise.all([earlier, worker.cpuUsage()]);
    if (thread.job !== job) return;
    const leftMs = timeoutMs - (now.user + now.system - start.user - start.system) / 1_000;
    const isOver = leftMs <= 0 || performance.now() - startedMs >= CLOCK_FACTOR * timeoutMs;
    if (isOver) await end(pool, thread, new TooEntangledError(`a geometry task took longer than ${timeoutMs} ms`));
    else arm(leftMs);
  };
  const arm = (pauseMs: number): void => {
    // A thread that has ended has no usage, and its task has failed.
    thread.timer = setTimeout(() => void look().catch(() => {}), Math.max(LEAST_PAUSE_MS, pauseMs));
  };
  earlier.catch(() => {});
  arm(timeoutMs);
}

function receive(pool: GeometryThreads, thread: Thread, message: FromGeometryThread): void {
  if (message.kind === "started") {
    // The start of a thread is nobody's work.
    thread.jobFromMs = performance.now();
    limitTime(pool, thread);
    return;
  }
  const job = settle(pool, thread);
  if (message.kind === "done") job?.resolve(message.output);
  else job?.reject(new (message.isRange ? RangeError : Error)(message.message));
  dispatch(pool);
}
