import { createTurnstile } from "@swath/base/concurrency/turnstile";
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

/** Waits that end in one turn of the event loop: each answers a request, which takes a third of a millisecond. */
const WAKES_PER_TURN = 2;

/** Signals over a connection that others share; disposing ends the waits and leaves the connection open. */
export function pipelineSignals(listening: Pick<Listening, "onNotification" | "onReconnected">): PipelineSignals {
  /** How to end each wait, by pipeline. */
  const waits = new Map<string, Set<() => void>>();
  const takeTurn = createTurnstile(WAKES_PER_TURN);

  function wake(pipelineId: string): void {
    for (const end of waits.get(pipelineId) ?? []) void takeTurn().then(end);
    waits.delete(pipelineId);
  }
  function wakeAll(): void {
    for (const pipelineId of waits.keys()) wake(pipelineId);
  }

  const stops = [listening.onNotification(FINISHED_CHANNEL, wake), listening.onReconnected(wakeAll)];
  let isStopped = false;
  return {
    onWork(listener) {
      const ends = [listening.onNotification(WORK_CHANNEL, listener), listening.onReconnected(() => listener(null))];
      return () => {
        for (const end of ends) end();
      };
    },
    onFinished: (listener) => listening.onNotification(FINISHED_CHANNEL, listener),
    async waitFinished(pipelineId, signal) {
      if (signal.aborted || isStopped) return;
      const { promise: finished, resolve: end } = Promise.withResolvers<void>();
      const ends = waits.get(pipelineId) ?? new Set();
      waits.set(pipelineId, ends.add(end));
      signal.addEventListener("abort", () => end(), { once: true });
      await finished;
      ends.delete(end);
      if (ends.size === 0 && waits.get(pipelineId) === ends) waits.delete(pipelineId);
    },
    async [Symbol.asyncDispose]() {
      isStopped = true;
      for (const stop of stops) stop();
      wakeAll();
    },
  };
}
