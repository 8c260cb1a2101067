import { Worker } from "node:worker_threads";
import { currentShare } from "@swath/base/concurrency/current-share";
import { FairQueue } from "@swath/base/concurrency/fair-queue";
import type { RgbaImage } from "@swath/raster/encode/image";
import type { DrawTask, FromDrawWorker, ToDrawWorker } from "./draw-task.ts";
import type { SceneModel } from "./scene-model.ts";

interface Job {
  readonly share: string;
  readonly message: ToDrawWorker;
  readonly resolve: (picture: RgbaImage | null) => void;
  readonly reject: (error: unknown) => void;
}

interface Thread {
  readonly worker: Worker;
  job: Job | null;
  /** Ends the thread, unless a job comes first. */
  idleTimer: NodeJS.Timeout | null;
}

/** Threads that have nothing to draw end after this time, ms: each keeps what it drew, and starts within 100 ms. */
const IDLE_MS = 30_000;

/** Threads that draw, at most `size` of them, and the tasks that wait for one. Shares of callers take turns. */
export interface DrawPool {
  readonly size: number;
  readonly idleMs: number;
  readonly started: Set<Thread>;
  readonly queue: FairQueue<Job>;
  lastId: number;
  /** Models get numbers, by which a thread recognises a model that it drew before. */
  readonly modelKeys: WeakMap<SceneModel, number>;
  lastKey: number;
  closed: boolean;
}

/** A pool without threads: they start when they are needed. */
export function drawPool(size: number, idleMs: number = IDLE_MS): DrawPool {
  return {
    size,
    idleMs,
    started: new Set(),
    queue: new FairQueue(),
    lastId: 0,
    modelKeys: new WeakMap(),
    lastKey: 0,
    closed: false,
  };
}

/** Draws in the next free thread. Null for a task without a picture, whose pixels are then in its shared memory. */
export async function runInPool(
  pool: DrawPool,
  model: SceneModel,
  task: DrawTask,
  signal: AbortSignal,
): Promise<RgbaImage | null> {
  signal.throwIfAborted();
  if (pool.closed) throw new Error("scenes were drawn after the end of their threads");
  const { promise, resolve, reject } = Promise.withResolvers<RgbaImage | null>();
  pool.lastId += 1;
  const message = { id: pool.lastId, modelKey: keyOf(pool, model), model, task };
  const job: Job = { share: currentShare(), message, resolve, reject };
  const abort = (): void => {
    // A piece in the making is finished and dropped.
    pool.queue.remove(job);
    reject(signal.reason);
  };
  signal.addEventListener("abort", abort, { once: true });
  pool.queue.add(job);
  dispatch(pool);
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** Refuses the tasks that wait and ends all threads. */
export async function endPool(pool: DrawPool): Promise<void> {
  pool.closed = true;
  const stopping = new Error("the threads that draw scenes have ended");
  for (const { reject } of pool.queue.clear()) reject(stopping);
  await Promise.all([...pool.started].map(async ({ worker }) => worker.terminate()));
}

function keyOf(pool: DrawPool, model: SceneModel): number {
  const known = pool.modelKeys.get(model);
  if (known !== undefined) return known;
  pool.lastKey += 1;
  pool.modelKeys.set(model, pool.lastKey);
  return pool.lastKey;
}

function dispatch(pool: DrawPool): void {
  if (pool.closed) return;
  const running = (share: string): number => [...pool.started].filter(({ job }) => job?.share === share).length;
  while (pool.queue.size > 0) {
    const free = [...pool.started].find(({ job }) => job === null);
    const idle = free ?? (pool.started.size < pool.size ? startThread(pool) : null);
    const job = idle === null ? null : pool.queue.take(running, Infinity);
    if (idle === null || job === null) return;
    idle.job = job;
    clearTimeout(idle.idleTimer ?? undefined);
    idle.worker.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
    idle.worker.postMessage(job.message);
  }
}

function endWhenIdle({ idleMs, started }: DrawPool, thread: Thread): void {
  const end = (): void => {
    started.delete(thread);
    void thread.worker.terminate();
  };
  thread.idleTimer = setTimeout(end, idleMs).unref();
}

function startThread(pool: DrawPool): Thread {
  const worker = new Worker(new URL("draw-worker.ts", import.meta.url), { name: "swath-simulator" });
  const thread: Thread = { worker, job: null, idleTimer: null };
  let failure: unknown = new Error("the thread that drew the scene ended unexpectedly");
  worker.on("message", (answer: FromDrawWorker) => {
    const { job } = thread;
    if (job === null || job.message.id !== answer.id) return;
    thread.job = null;
    // Only work keeps the process alive, not idle threads.
    worker.unref();
    if (answer.kind === "drawn") job.resolve(answer.picture);
    else job.reject(new Error(`the scene could not be drawn: ${answer.message}`));
    endWhenIdle(pool, thread);
    dispatch(pool);
  });
  worker.on("error", (error) => {
    failure = error;
  });
  worker.on("exit", () => {
    pool.started.delete(thread);
    thread.job?.reject(failure);
    thread.job = null;
    dispatch(pool);
  });
  pool.started.add(thread);
  return thread;
}
