import { Worker } from "node:worker_threads";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import type { GridFile, RenderRequest } from "../render/grid-renderer.ts";
import type { BlobPaths } from "../render/render-engine.ts";
import { failureError, type ThreadFailure } from "@swath/base/threads/thread-failure";
import type { FromTileThread, TileThreadData, ToTileThread } from "./messages.ts";
import { answerFetch } from "./relayed-fetch.ts";

export interface ThreadPoolOptions {
  readonly threads: number;
  /** Module that a thread runs: `tile-thread.ts`. */
  readonly entry: URL;
  readonly data: TileThreadData;
  readonly blobs: BlobStore;
  /** Jobs waiting for a thread; more are refused. */
  readonly maxQueued: number;
}

/** Jobs a thread may hold at once: one computes while the others wait for remote bytes. */
const JOBS_PER_THREAD_LOCAL = 1;
const JOBS_PER_THREAD_REMOTE = 4;
/** A preferred thread is waited for only while it has fewer jobs in line than this. */
const AFFINITY_DEPTH = 2;

interface Job {
  readonly id: number;
  readonly request: RenderRequest;
  readonly paths: BlobPaths;
  readonly preferred: number;
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
 * Threads that draw grid files, started when first needed. Neighbouring tiles prefer the same thread, whose open files
 * and headers they share; a thread that dies takes only its own jobs with it.
 */
export class ThreadPool implements AsyncDisposable {
  readonly #options: ThreadPoolOptions;
  readonly #threads: Thread[];
  readonly #jobsPerThread: number;
  #queue: Job[] = [];
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
   * @param affinity jobs with equal numbers prefer the same thread
   * @throws {ServiceError} SERVICE-UNAVAILABLE when too many jobs wait
   */
  async run(request: RenderRequest, paths: BlobPaths, affinity: number, signal: AbortSignal): Promise<GridFile> {
    signal.throwIfAborted();
    if (this.#closed) throw new ServiceError("SERVICE-UNAVAILABLE", "the service is stopping");
    if (this.#queue.length >= this.#options.maxQueued) {
      throw new ServiceError(
        "SERVICE-UNAVAILABLE",
        `${this.#queue.length} files are waiting to be drawn, try again later`,
        {
          retryAfterS: 1,
        },
      );
    }
    const { promise, resolve, reject } = Promise.withResolvers<GridFile>();
    const id = ++this.#lastId;
    const onAbort = (): void => {
      this.#cancel(id, signal.reason);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    this.#queue.push({
      id,
      request,
      paths,
      preferred: affinity % this.#threads.length,
      signal,
      resolve,
      reject,
      onAbort,
    });
    this.#dispatch();
    return promise;
  }

  #dispatch(): void {
    const waiting: Job[] = [];
    const inLine = this.#threads.map(({ running }) => running.size);
    for (const job of this.#queue) {
      const thread = this.#threadFor(job, inLine);
      if (thread === null) waiting.push(job);
      else this.#start(thread, job);
      inLine[job.preferred]!++;
    }
    this.#queue = waiting;
  }

  #threadFor(job: Job, inLine: readonly number[]): Thread | null {
    const preferred = this.#threads[job.preferred]!;
    const isFree = ({ running }: Thread): boolean => running.size < this.#jobsPerThread;
    // A thread takes some 0.4 s to start.
    if (preferred.worker === null) {
      const started = this.#threads.find((thread) => thread.worker !== null && isFree(thread));
      if (started !== undefined) return started;
    }
    if (isFree(preferred)) return preferred;
    if (inLine[job.preferred]! < AFFINITY_DEPTH * this.#jobsPerThread) return null;
    return this.#threads.find(isFree) ?? null;
  }

  #start(thread: Thread, job: Job): void {
    thread.running.set(job.id, job);
    thread.worker ??= this.#spawn(thread);
    thread.worker.ref();
    this.#post(thread, { kind: "render", id: job.id, request: job.request, paths: job.paths });
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
    if ("file" in outcome) job.resolve(outcome.file);
    else job.reject(failureError(outcome.failure));
    this.#dispatch();
  }

  #cancel(id: number, reason: unknown): void {
    const queued = this.#queue.find((job) => job.id === id);
    if (queued !== undefined) {
      this.#queue = this.#queue.filter((job) => job !== queued);
      queued.reject(reason);
      return;
    }
    for (const thread of this.#threads) {
      const job = thread.running.get(id);
      if (job === undefined) continue;
      // Pixels in the making are finished and dropped; only waiting for bytes is cut short.
      this.#post(thread, { kind: "cancel", id });
      job.reject(reason);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    const stopping = new ServiceError("SERVICE-UNAVAILABLE", "the service is stopping");
    for (const job of this.#queue.splice(0)) job.reject(stopping);
    await Promise.all(
      this.#threads.map(async (thread) => {
        thread.fetching.abort();
        await thread.worker?.terminate();
      }),
    );
  }
}
