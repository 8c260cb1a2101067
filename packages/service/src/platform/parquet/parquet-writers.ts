import { Worker } from "node:worker_threads";
import { ThreadCalls } from "@swath/base/threads/thread-calls";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { ToParquetThread } from "./parquet-calls.ts";
import type { ParquetRow } from "./parquet-column.ts";
import type { ParquetTableOptions } from "./parquet-table.ts";

/** A file under way in the thread. */
export interface ParquetWriting extends Disposable {
  /** The bytes that are finished. */
  add(rows: readonly ParquetRow[]): Promise<Uint8Array>;
  finish(): Promise<Uint8Array>;
}

/** Writes Parquet files in one thread, which lives as long as a file is under way. */
export interface ParquetWriters {
  /**
   * Begins a file; its caller disposes it.
   *
   * @param share the files of one share are bounded
   * @throws {ServiceError} TOO-MANY-REQUESTS; SERVICE-UNAVAILABLE
   */
  open(share: string, options: ParquetTableOptions): ParquetWriting;
}

/** A file is held by its reader, however slow, with some 5 MB. */
const MOST_FILES = 16;
const MOST_OF_SHARE = 2;
const RETRY_AFTER_S = 5;
const MAX_HEAP_MIB = 512;

interface Thread {
  readonly worker: Worker;
  readonly calls: ThreadCalls;
  /** Why the thread has ended; null while it works. */
  fault: Error | null;
}

interface State {
  thread: Thread | null;
  lastId: number;
  /** Shares of the files under way. */
  readonly files: Map<number, string>;
}

export function createParquetWriters(): ParquetWriters {
  const state: State = { thread: null, lastId: 0, files: new Map() };
  return { open: (share, options) => open(state, share, options) };
}

function open(state: State, share: string, options: ParquetTableOptions): ParquetWriting {
  const { files } = state;
  const ofShare = [...files.values()].filter((one) => one === share).length;
  if (ofShare >= MOST_OF_SHARE) {
    throw new ServiceError("TOO-MANY-REQUESTS", `${MOST_OF_SHARE} Parquet files of the caller are on their way`, {
      retryAfterS: RETRY_AFTER_S,
    });
  }
  if (files.size >= MOST_FILES) {
    throw new ServiceError("SERVICE-UNAVAILABLE", "too many Parquet files are on their way", {
      retryAfterS: RETRY_AFTER_S,
    });
  }
  state.lastId += 1;
  const id = state.lastId;
  files.set(id, share);
  state.thread ??= start(state);
  const { thread } = state;
  const call = async <Name extends keyof ToParquetThread>(
    name: Name,
    input: ToParquetThread[Name],
  ): Promise<unknown> => {
    if (thread.fault !== null) throw thread.fault;
    return await thread.calls.call(name, input);
  };
  const opened = call("open", { id, options });
  // The first use of the file reports a failure.
  opened.catch(() => {});
  return {
    async add(rows) {
      await opened;
      return (await call("add", { id, rows })) as Uint8Array;
    },
    async finish() {
      await opened;
      return (await call("finish", { id })) as Uint8Array;
    },
    [Symbol.dispose]() {
      if (!files.delete(id)) return;
      if (files.size === 0) end(state);
      else call("close", { id }).catch(() => {});
    },
  };
}

function start(state: State): Thread {
  const worker = new Worker(new URL("./parquet-thread.ts", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
  });
  const calls = new ThreadCalls(worker, () => Promise.reject(new Error("the thread asks nothing")));
  const thread: Thread = { worker, calls, fault: null };
  const fail = (error: Error): void => {
    thread.fault = error;
    if (state.thread === thread) state.thread = null;
    calls.fail(error);
  };
  worker.on("error", fail);
  worker.on("exit", () => fail(new Error("the thread that writes Parquet has ended")));
  return thread;
}

function end(state: State): void {
  const { thread } = state;
  state.thread = null;
  void thread?.worker.terminate();
}
