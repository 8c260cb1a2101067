import type { Log } from "@swath/base/log/log";
import { openListening, type Listening } from "../postgres/listening.ts";
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

/** The channels that `pipelineSignals` reads. */
export const PIPELINE_CHANNELS = [WORK_CHANNEL, FINISHED_CHANNEL] as const;

/** Opens a listening connection for pipelines alone. */
export function openPipelineSignals(url: string, log: Log): PipelineSignals {
  const listening = openListening(url, PIPELINE_CHANNELS, log);
  const signals = pipelineSignals(listening);
  return {
    ...signals,
    async [Symbol.asyncDispose]() {
      await signals[Symbol.asyncDispose]();
      await listening[Symbol.asyncDispose]();
    },
  };
}

/** Signals over a connection that others share; disposing ends the waits and leaves the connection open. */
export function pipelineSignals(listening: Pick<Listening, "onNotification" | "onReconnected">): PipelineSignals {
  const stopping = new AbortController();
  return {
    onWork(listener) {
      const stops = [listening.onNotification(WORK_CHANNEL, listener), listening.onReconnected(() => listener(null))];
      return () => {
        for (const stop of stops) stop();
      };
    },
    onFinished: (listener) => listening.onNotification(FINISHED_CHANNEL, listener),
    async waitFinished(pipelineId, signal) {
      const until = AbortSignal.any([signal, stopping.signal]);
      if (until.aborted) return;
      const finished = Promise.withResolvers<void>();
      const stops = [
        listening.onNotification(FINISHED_CHANNEL, (id) => {
          if (id === pipelineId) finished.resolve();
        }),
        listening.onReconnected(finished.resolve),
      ];
      until.addEventListener("abort", () => finished.resolve(), { once: true });
      await finished.promise;
      for (const stop of stops) stop();
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
    },
  };
}
