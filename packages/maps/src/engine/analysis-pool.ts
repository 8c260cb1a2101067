import { Worker } from "node:worker_threads";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { failureError } from "@swath/base/threads/thread-failure";
import type { AnalysisTask, AnalysisTaskResult, AnalysisThreadData, FromAnalysisThread } from "./messages.ts";

interface Job {
  readonly task: AnalysisTask;
  readonly signal: AbortSignal;
  readonly resolve: (result: AnalysisTaskResult) => void;
  readonly reject: (error: unknown) => void;
}

interface Thread {
  worker: Worker | null;
  job: { readonly id: number; readonly own: Job } | null;
}

/** Threads that compute blocks, started when first needed; one task at a time each. */
export class AnalysisPool implements AsyncDisposable {
  readonly #threads: Thread[];
  readonly #data: AnalysisThreadData;
  #waiting: Job[] = [];
  #lastId = 0;
  #closed = false;

  constructor(threads: number, data: AnalysisThreadData) {
    this.#threads = Array.from({ length: Math.max(1, threads) }, () => ({ worker: null, job: null }));
    this.#data = data;
  }

  /** @throws {ServiceError} what the task met; the signal's reason when it aborts before the task has begun */
  async run<Kind extends AnalysisTask["kind"]>(
    task: Extract<AnalysisTask, { readonly kind: Kind }>,
    signal: AbortSignal,
  ): Promise<Extract<AnalysisTaskResult, { readonly kind: Kind }>> {
    signal.throwIfAborted();
    if (this.#closed) throw new ServiceError("SERVICE-UNAVAILABLE", "the service is stopping");
    const { promise, resolve, reject } = Promise.withResolvers<AnalysisTaskResult>();
    this.#waiting.push({ task, signal, resolve, reject });
    this.#dispatch();
    const result = await promise;
    if (!isOfKind(result, task.kind)) throw new Error(`a task ${task.kind} was answered with ${result.kind}`);
    return result;
  }

  #dispatch(): void {
    for (const thread of this.#threads) {
      if (thread.job !== null) continue;
      const own = this.#next();
      if (own === null) return;
      thread.worker ??= this.#spawn(thread);
      // Only work keeps the process alive, not idle threads.
      thread.worker.ref();
      thread.job = { id: ++this.#lastId, own };
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
      thread.worker.postMessage({ id: thread.job.id, task: own.task });
    }
  }

  #next(): Job | null {
    for (;;) {
      const job = this.#waiting.shift();
      if (job === undefined) return null;
      if (!job.signal.aborted) return job;
      job.reject(job.signal.reason);
    }
  }

  #spawn(thread: Thread): Worker {
    const worker = new Worker(new URL("analysis-thread.ts", import.meta.url), {
      workerData: this.#data,
      name: "swath-analysis",
    });
    let cause: Error = new Error("the thread of an analysis ended unexpectedly");
    worker.on("message", (message: FromAnalysisThread) => {
      const { job } = thread;
      if (job?.id !== message.id) return;
      thread.job = null;
      worker.unref();
      if ("failure" in message) job.own.reject(failureError(message.failure));
      else job.own.resolve(message.result);
      this.#dispatch();
    });
    worker.on("error", (error: Error) => {
      cause = error;
    });
    worker.on("exit", () => {
      thread.worker = null;
      const { job } = thread;
      thread.job = null;
      job?.own.reject(this.#closed ? new ServiceError("SERVICE-UNAVAILABLE", "the service is stopping") : cause);
      if (!this.#closed) this.#dispatch();
    });
    return worker;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    for (const { reject } of this.#waiting.splice(0)) {
      reject(new ServiceError("SERVICE-UNAVAILABLE", "the service is stopping"));
    }
    await Promise.all(this.#threads.map(async ({ worker }) => worker?.terminate()));
  }
}

function isOfKind<Kind extends AnalysisTaskResult["kind"]>(
  result: AnalysisTaskResult,
  kind: Kind,
): result is Extract<AnalysisTaskResult, { readonly kind: Kind }> {
  return result.kind === kind;
}
