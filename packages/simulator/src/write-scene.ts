import { Worker } from "node:worker_threads";
import { runInWorker } from "@swath/base/threads/run-in-worker";
import type { SceneModel } from "./scene-model.ts";

export interface SceneFile {
  readonly model: SceneModel;
  readonly path: string;
}

/**
 * Draws a scene and writes it as a GeoTIFF, in a thread.
 *
 * @throws the reason of the signal, which ends the thread
 */
export async function writeScene(file: SceneFile, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const worker = new Worker(new URL("write-scene-thread.ts", import.meta.url), { name: "swath-rehearsal" });
  await runInWorker<"written", void>(
    {
      worker,
      does: "writes simulated scenes",
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
      start: () => worker.postMessage(file),
      receive: (_message, finished) => finished.resolve(),
    },
    signal,
  );
}
