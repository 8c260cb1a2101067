import type { Worker } from "node:worker_threads";

/** A job in a separate thread. */
export interface WorkerJob<Message, Result> {
  readonly worker: Worker;
  /** Verb and object of the work, for messages: "exports images". */
  readonly does: string;
  /** Gives the thread its job. */
  readonly start: () => void;
  /**
   * Receives the messages of the thread and settles `finished` at the end. `reading` then aborts reads for the thread.
   */
  readonly receive: (message: Message, finished: PromiseWithResolvers<Result>, reading: AbortSignal) => void;
}

/**
 * Waits for the job, then ends the thread.
 *
 * @throws what `finished` is rejected with; the signal's reason when it aborts, which ends the thread
 */
export async function runInWorker<Message, Result>(
  { worker, does, start, receive }: WorkerJob<Message, Result>,
  signal: AbortSignal,
): Promise<Result> {
  const finished = Promise.withResolvers<Result>();
  const reading = new AbortController();
  const abort = (): void => finished.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  worker.on("message", (message: Message) => receive(message, finished, reading.signal));
  worker.on("error", finished.reject);
  worker.on("exit", (code) => finished.reject(new Error(`the thread that ${does} ended with code ${code}`)));
  try {
    start();
    return await finished.promise;
  } finally {
    signal.removeEventListener("abort", abort);
    reading.abort(signal.aborted ? signal.reason : new Error("nobody reads any more"));
    await worker.terminate();
  }
}
