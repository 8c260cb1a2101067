import { Worker } from "node:worker_threads";
import { currentShare } from "@swath/base/concurrency/current-share";
import { FairQueue } from "@swath/base/concurrency/fair-queue";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import type { GridFile, RenderRequest } from "../render/grid-renderer.ts";
import type { BlobPaths } from "../render/render-engine.ts";
import { watchTask, type TaskWatch } from "@swath/base/threads/task-watch";
import { failureError, type ThreadFailure } from "@swath/base/threads/thread-failure";
import type { FromTileThread, TileThreadData, ToTileThread } from "./messages.ts";
import { PresentShares } from "./present-shares.ts";
import { answerFetch } from "./relayed-fetch.ts";
import { threadFor } from "./thread-choice.ts";

export interface ThreadPoolOptions {
  readonly threads: number;
  /** Module that a thread runs: `tile-thread.ts`. */
  readonly entry: URL;
  readonly data: TileThreadData;
  readonly blobs: BlobStore;
  /** Jobs waiting for a thread; beyond them the share with the most loses its latest. */
  readonly maxQueued: number;
}

/** Thrown for a file whose thread gets too little of a processor, and for files that would wait behind it. */
export class StarvedError extends Error {
  override readonly name = "StarvedError";
}

function starved(): StarvedError {
  return new StarvedError("the thread that drew the file got no processor");
}

/** The wishes of a caller about the thread of its file. */
export interface Wanted {
  /** Jobs with equal numbers prefer the same thread. */
  readonly affinity: number;
  /** Whether the file is given up when its thread gets less than a quarter of a processor for a second. */
  readonly isImpatient?: boolean;
}

/** Processor time of a file after which nobody looks whether its thread starves, ms. */
const WATCHED_MS = 60_000;
const RETRY_AFTER_S = 1;
/** Jobs a thread may hold at once: one computes while the others wait for remote bytes. */
const JOBS_PER_THREAD_LOCAL = 1;
const JOBS_PER_THREAD_REMOTE = 4;

interface Job {
  readonly id: number;
  readonly share: string;
  readonly request: RenderRequest;
  readonly paths: BlobPaths;
  readonly preferred: number;
  readonly isImpatient: boolean;
  /** Whether it was given up for want of a processor: its thread goes on with it until it gets one. */
  isStarved: boolean;
  watch: TaskWatch | null;
  readonly signal: AbortSignal;
  readonly resolve: (file: GridFile) => void;
  readonly reject: (error: unknown) => void;
  readonly onAbort: () => void;
}

interface Thread {
  worker: Worker | null;
  readonly running: Map<number, Job>;
  readonly fetching: AbortController;
}

/**
 * Threads that draw grid files, started when first needed. Shares take turns; while several are here, none has all
 * threads. Neighbouring tiles prefer the same thread, whose open files and headers they share; a thread that dies takes
 * only its own jobs with it.
 */
export class ThreadPool implements AsyncDisposable {
  readonly #options: ThreadPoolOptions;
  readonly #threads: Thread[];
  readonly #jobsPerThread: number;
  readonly #queue = new FairQueue<Job>();
  readonly #present = new PresentShares();
  #lastId = 0;
  #closed = false;

  constructor(options: ThreadPoolOptions, allLocal: boolean) {
    this.#options = options;
    this.#jobsPerThread = allLocal ? JOBS_PER_THREAD_LOCAL : JOBS_PER_THREAD_REMOTE;
    this.#threads = Array.from({ length: options.threads }, () => ({
      worker: null,
      running: new Map(),
      fetching: new AbortController(),
    }));
  }

  /** Starts a thread, unless one has started. */
  prepare(): void {
    const [first] = this.#threads;
    if (this.#closed || first === undefined || this.#threads.some(({ worker }) => worker !== null)) return;
    first.worker = this.#spawn(first);
    first.worker.unref();
  }

  /**
   * @throws {ServiceError} SERVICE-UNAVAILABLE when too many jobs wait
   * @throws {StarvedError}
   */
  async run(
    request: RenderRequest,
    paths: BlobPaths,
    { affinity, isImpatient = false }: Wanted,
    signal: AbortSignal,
  ): Promise<GridFile> {
    signal.throwIfAborted();
    if (this.#closed) throw new ServiceError("SERVICE-UNAVAILABLE", "the service is stopping");
    if (isImpatient && this.#isStarved()) throw starved();
    const share = currentShare();
    this.#makeRoom(share);
    this.#present.note(share, performance.now());
    const { promise, resolve, reject } = Promise.withResolvers<GridFile>();
    const id = ++this.#lastId;
    const preferred = affinity % this.#threads.length;
    const onAbort = (): void => this.#cancel(job, signal.reason);
    const asked = { id, share, request, paths, preferred, isImpatient };
    const job: Job = { ...asked, isStarved: false, watch: null, signal, resolve, reject, onAbort };
    signal.addEventListener("abort", onAbort, { once: true });
    this.#queue.add(job);
    this.#dispatch();
    return promise;
  }

  /** @throws {ServiceError} SERVICE-UNAVAILABLE */
  #makeRoom(share: string): void {
    if (this.#queue.size < this.#options.maxQueued) return;
    const message = `${this.#queue.size} files are waiting to be drawn, try again later`;
    const full = new ServiceError("SERVICE-UNAVAILABLE", message, { retryAfterS: RETRY_AFTER_S });
    const other = this.#queue.takeLatestOfLargest(this.#queue.sizeOf(share) + 1);
    if (other === null) throw full;
    other.signal.removeEventListener("abort", other.onAbort);
    other.reject(full);
  }

  #dispatch(): void {
    if (this.#queue.size === 0) return;
    const limits = { jobsPerThread: this.#jobsPerThread, threadsOfShare: this.#threadsOfShare() };
    const inLine = this.#threads.map(({ running }) => running.size);
    for (const job of this.#queue.inTurn((share) => this.#runningOf(share))) {
      if (this.#threads.every(({ running }) => running.size >= this.#jobsPerThread)) return;
      const thread = threadFor(this.#threads, job, inLine, limits);
      if (thread !== null) {
        this.#queue.begin(job);
        this.#start(thread, job);
      }
      inLine[job.preferred]!++;
    }
  }

  #threadsOfShare(): number {
    const count = this.#threads.length;
    return this.#present.areSeveral(performance.now()) ? Math.max(1, count - 1) : count;
  }

  #runningOf(share: string): number {
    return this.#threads
      .flatMap(({ running }) => [...running.values()])
      .reduce((count, job) => count + Number(job.share === share), 0);
  }

  #start(thread: Thread, job: Job): void {
    thread.running.set(job.id, job);
    thread.worker ??= this.#spawn(thread);
    thread.worker.ref();
    if (job.isImpatient) job.watch = this.#watch(thread.worker, job);
    this.#post(thread, { kind: "render", id: job.id, request: job.request, paths: job.paths });
  }

  #watch(worker: Worker, job: Job): TaskWatch {
    const onStarved = (): void => this.#starve(job);
    const watch = watchTask(worker, { timeoutMs: WATCHED_MS, isPatient: false, onOver: () => {}, onStarved });
    watch.begun();
    return watch;
  }

  /** Gives up a job, and the impatient ones that wait: they would wait for this one to end. */
  #starve(job: Job): void {
    job.isStarved = true;
    const waiting = [...this.#queue.inTurn(() => 0)].filter(({ isImpatient }) => isImpatient);
    for (const one of [job, ...waiting]) this.#cancel(one, starved());
  }

  /** Whether a thread still has a job that was given up. */
  #isStarved(): boolean {
    return this.#threads.some(({ running }) => running.values().some(({ isStarved }) => isStarved));
  }

  #post(thread: Thread, message: ToTileThread, transfer: readonly ArrayBuffer[] = []): void {
    thread.worker?.postMessage(message, [...transfer]);
  }

  #spawn(thread: Thread): Worker {
    const worker = new Worker(this.#options.entry, {
      workerData: this.#options.data,
      name: "swath-tiles",
    });
    let failure = "the thread that drew the file ended unexpectedly";
    worker.on("message", (message: FromTileThread) => {
      this.#receive(thread, message);
    });
    worker.on("error", (error: Error) => {
      failure = `the thread that drew the file failed: ${error.message}`;
    });
    worker.on("exit", () => {
      if (thread.worker === worker) thread.worker = null;
      const lost = [...thread.running.values()];
      const outcome: ThreadFailure = this.#closed
        ? { code: "SERVICE-UNAVAILABLE", message: "the service is stopping" }
        : { code: null, message: failure };
      for (const job of lost) this.#settle(thread, job.id, { failure: outcome });
    });
    return worker;
  }

  #receive(thread: Thread, message: FromTileThread): void {
    switch (message.kind) {
      case "rendered":
        this.#settle(thread, message.id, { file: message.file });
        break;
      case "failed":
        this.#settle(thread, message.id, { failure: message.failure });
        break;
      case "fetch":
        void answerFetch(this.#options.blobs, message, thread.fetching.signal).then((answer) =>
          this.#post(thread, answer),
        );
        break;
      default:
        message satisfies never;
    }
  }

  #settle(
    thread: Thread,
    id: number,
    outcome: { readonly file: GridFile } | { readonly failure: ThreadFailure },
  ): void {
    const job = thread.running.get(id);
    if (job === undefined) return;
    thread.running.delete(id);
    // Only jobs keep the process alive, not idle threads.
    if (thread.running.size === 0) thread.worker?.unref();
    job.signal.removeEventListener("abort", job.onAbort);
    job.watch?.[Symbol.dispose]();
    if ("file" in outcome) job.resolve(outcome.file);
    else job.reject(failureError(outcome.failure));
    this.#dispatch();
  }

  #cancel(job: Job, reason: unknown): void {
    job.reject(reason);
    job.watch?.[Symbol.dispose]();
    if (this.#queue.remove(job)) return;
    const thread = this.#threads.find(({ running }) => running.get(job.id) === job);
    // Pixels in the making are finished and dropped; only waiting for bytes is cut short.
    if (thread !== undefined) this.#post(thread, { kind: "cancel", id: job.id });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    const stopping = new ServiceError("SERVICE-UNAVAILABLE", "the service is stopping");
    for (const job of this.#queue.clear()) job.reject(stopping);
    await Promise.all(
      this.#threads.map(async (thread) => {
        thread.fetching.abort();
        await thread.worker?.terminate();
      }),
    );
  }
}
