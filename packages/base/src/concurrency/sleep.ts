import { setTimeout as wait } from "node:timers/promises";

/** Waits, or returns at once when the signal aborts; never rejects. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return;
  try {
    await wait(ms, undefined, signal === undefined ? {} : { signal });
  } catch {
    // an aborted wait is a finished wait
  }
}
