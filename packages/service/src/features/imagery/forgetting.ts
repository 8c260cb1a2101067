import { sleep } from "@swath/base/concurrency/sleep";
import type { Log } from "@swath/base/log/log";
import type { ImageryService } from "./service.ts";

const EVERY_MS = 3_600_000;

/** Forgets catalogue scenes nobody needs, now and every hour, until it is disposed. */
export function startForgetting(imagery: Pick<ImageryService, "forget">, log: Log): AsyncDisposable {
  const stopping = new AbortController();
  const work = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- one round after the other
        const scenes = await imagery.forget(stopping.signal);
        if (scenes > 0) log.info({ scenes }, "catalogue scenes that nobody asked for were forgotten");
      } catch (error) {
        if (!stopping.signal.aborted) log.warn({ err: error }, "old catalogue scenes could not be removed");
      }
      // oxlint-disable-next-line no-await-in-loop -- one round after the other
      await sleep(EVERY_MS, stopping.signal);
    }
  };
  const working = work();
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await working;
    },
  };
}
