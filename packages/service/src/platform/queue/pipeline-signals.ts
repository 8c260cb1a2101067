import { EventEmitter, once } from "node:events";
import { Client } from "pg";
import { sleep } from "@swath/base/concurrency/sleep";
import type { Log } from "@swath/base/log/log";
import { FINISHED_CHANNEL, WORK_CHANNEL } from "./channels.ts";

/**
 * What other processes tell about pipelines, over one listening connection. Signals are hints: they may be lost
 * while the connection is being restored, so whoever waits also looks at the table now and then.
 */
export interface PipelineSignals extends AsyncDisposable {
  /** Calls back with the lane in which there may be new work, null for all of them. Returns how to stop. */
  onWork(listener: (lane: string | null) => void): () => void;
  /** Calls back with the id of each pipeline that reached a terminal status. Returns how to stop. */
  onFinished(listener: (pipelineId: string) => void): () => void;
  /** Resolves at once when the pipeline may have finished since the call, or when the signal aborts. */
  waitFinished(pipelineId: string, signal: AbortSignal): Promise<void>;
}

interface Events {
  /** The lane, or null. */
  readonly work: [string | null];
  /** The id. */
  readonly finished: [string];
  readonly reconnected: [];
}

const LONGEST_BACKOFF_MS = 5_000;

/** Starts listening; connects, and connects again after a loss, in the background. */
export function openPipelineSignals(url: string, log: Log): PipelineSignals {
  const emitter = new EventEmitter<Events>();
  // One listener for each caller in a long poll, besides the workers.
  emitter.setMaxListeners(0);
  const stopping = new AbortController();

  const listen = async (): Promise<void> => {
    let backoffMs = 100;
    while (!stopping.signal.aborted) {
      const client = new Client({ connectionString: url, application_name: "swath signals", keepAlive: true });
      const ended = new AbortController();
      client.on("error", () => ended.abort());
      client.on("end", () => ended.abort());
      client.on("notification", ({ channel, payload = "" }) => {
        if (channel === WORK_CHANNEL) emitter.emit("work", payload);
        else if (channel === FINISHED_CHANNEL) emitter.emit("finished", payload);
      });
      try {
        await client.connect();
        await client.query(`listen ${WORK_CHANNEL}; listen ${FINISHED_CHANNEL}`);
        backoffMs = 100;
        // Something may have been said while nobody listened.
        emitter.emit("work", null);
        emitter.emit("reconnected");
        const until = AbortSignal.any([ended.signal, stopping.signal]);
        if (!until.aborted) await once(until, "abort");
        if (!stopping.signal.aborted) log.warn({}, "the listening database connection was lost");
      } catch (error) {
        log.warn({ err: error, backoffMs }, "the listening database connection could not be opened");
      }
      await client.end().catch(() => {});
      await sleep(backoffMs, stopping.signal);
      backoffMs = Math.min(backoffMs * 2, LONGEST_BACKOFF_MS);
    }
  };
  const listening = listen();

  return {
    onWork(listener) {
      emitter.on("work", listener);
      return () => emitter.off("work", listener);
    },
    onFinished(listener) {
      emitter.on("finished", listener);
      return () => emitter.off("finished", listener);
    },
    async waitFinished(pipelineId, signal) {
      const until = AbortSignal.any([signal, stopping.signal]);
      if (until.aborted) return;
      await new Promise<void>((resolve) => {
        const done = (): void => {
          emitter.off("finished", onFinished);
          emitter.off("reconnected", done);
          until.removeEventListener("abort", done);
          resolve();
        };
        const onFinished = (id: string): void => {
          if (id === pipelineId) done();
        };
        emitter.on("finished", onFinished);
        emitter.on("reconnected", done);
        until.addEventListener("abort", done, { once: true });
      });
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await listening;
    },
  };
}
