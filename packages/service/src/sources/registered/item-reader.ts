import { Worker } from "node:worker_threads";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { watchTask } from "@swath/base/threads/task-watch";
import { ThreadCalls } from "@swath/base/threads/thread-calls";
import { FairSlots } from "../../platform/fair-slots.ts";
import type { ItemsJob, ReadItems } from "./read-items.ts";

interface Thread {
  readonly worker: Worker;
  readonly calls: ThreadCalls;
}

const THREADS = 2;
/** Requests of one caller that wait for a thread. */
const MAX_WAITING = 32;
const MAX_HEAP_MIB = 512;
/** Processor time: outlines that cross themselves thousands of times take minutes. */
const MAX_MS = 20_000;
const BUSY = "the processors are too busy to read items; try again later";
const RETRY_AFTER_S = 10;

/** Reads items in threads, which begin with the first use: a hostile outline stops none of the other requests. */
export class ItemReader implements AsyncDisposable {
  readonly #slots = new FairSlots({ slots: THREADS, slotsOfShare: 1, maxWaitingOfShare: MAX_WAITING });
  readonly #idle: Thread[] = [];
  readonly #all = new Set<Thread>();
  readonly #maxMs: number;

  constructor(maxMs: number = MAX_MS) {
    this.#maxMs = maxMs;
  }

  /**
   * Callers take turns, and one of them never has both threads.
   *
   * @throws {ServiceError} BAD-REQUEST when the items take too long or too much memory; TOO-MANY-REQUESTS when too many
   *   requests of the caller wait. SERVICE-UNAVAILABLE when the thread gets no processor
   */
  read(job: ItemsJob, signal: AbortSignal): Promise<ReadItems> {
    return this.#slots.run(signal, async () => {
      const thread = this.#idle.pop() ?? this.#start();
      try {
        const read = await this.#ask(thread, job, signal);
        this.#idle.push(thread);
        return read;
      } catch (error) {
        await this.#end(thread);
        throw error;
      }
    });
  }

  async #ask({ worker, calls }: Thread, job: ItemsJob, signal: AbortSignal): Promise<ReadItems> {
    signal.throwIfAborted();
    const ended = Promise.withResolvers<never>();
    const abort = (): void => ended.reject(signal.reason);
    const fail = (error: NodeJS.ErrnoException): void => {
      const isMemory = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      ended.reject(isMemory ? new ServiceError("BAD-REQUEST", `the items take more than ${MAX_HEAP_MIB} MiB`) : error);
    };
    using watch = watchTask(worker, {
      timeoutMs: this.#maxMs,
      isPatient: true,
      onOver: () => {
        const message = `reading the items takes longer than ${this.#maxMs / 1000} s: their geometries are too complex`;
        ended.reject(new ServiceError("BAD-REQUEST", message));
      },
      onStarved: () => ended.reject(new ServiceError("SERVICE-UNAVAILABLE", BUSY, { retryAfterS: RETRY_AFTER_S })),
    });
    watch.begun();
    signal.addEventListener("abort", abort, { once: true });
    worker.once("error", fail);
    const answer = calls.call("read", job);
    answer.catch(() => {});
    try {
      return (await Promise.race([answer, ended.promise])) as ReadItems;
    } finally {
      signal.removeEventListener("abort", abort);
      worker.off("error", fail);
    }
  }

  #start(): Thread {
    const worker = new Worker(new URL("items-thread.ts", import.meta.url), {
      name: "swath-items",
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
    });
    // A thread without work keeps no process alive.
    worker.unref();
    worker.on("error", () => {});
    const thread = { worker, calls: new ThreadCalls(worker, () => Promise.reject(new Error("items ask nothing"))) };
    this.#all.add(thread);
    return thread;
  }

  async #end(thread: Thread): Promise<void> {
    this.#all.delete(thread);
    thread.calls.fail(new Error("the thread that reads items is ended"));
    await thread.worker.terminate();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#idle.length = 0;
    for (const thread of this.#all) await this.#end(thread);
  }
}
