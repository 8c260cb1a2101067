import type { Listening } from "../postgres/listening.ts";
import { PLACED_CHANNEL, RECORDED_CHANNEL } from "./channels.ts";

/** The channels that `eventSignals` reads. */
export const EVENT_CHANNELS = [RECORDED_CHANNEL, PLACED_CHANNEL] as const;

/**
 * Notifications of events, from all processes. Signals are hints: they may be lost while the connection is restored, so whoever waits
 * also looks at the table now and then.
 */
export interface EventSignals {
  /** Aborts when the service stops: streams end then. */
  readonly stopping: AbortSignal;
  /** Calls back when events may wait for their position. Returns how to stop. */
  onRecorded(listener: () => void): () => void;
  /** Calls back when events may have got a position. Returns how to stop. */
  onPlaced(listener: () => void): () => void;
}

export function eventSignals(
  listening: Pick<Listening, "onNotification" | "onReconnected">,
  stopping: AbortSignal,
): EventSignals {
  const on = (channel: string, listener: () => void): (() => void) => {
    const stops = [listening.onNotification(channel, () => listener()), listening.onReconnected(listener)];
    return () => {
      for (const stop of stops) stop();
    };
  };
  return {
    stopping,
    onRecorded: (listener) => on(RECORDED_CHANNEL, listener),
    onPlaced: (listener) => on(PLACED_CHANNEL, listener),
  };
}
