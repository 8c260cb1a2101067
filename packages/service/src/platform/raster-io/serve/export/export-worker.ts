import { parentPort } from "node:worker_threads";
import { createBlockCacheMemory } from "../cog/block-cache.ts";
import type { NeededRange } from "../cog/byte-supply.ts";
import { RenderEngine, type BlobPaths } from "../render/render-engine.ts";
import { describeFailure, failureError, type ThreadFailure } from "../threads/messages.ts";
import { exportImage } from "./export-image.ts";
import type { ExportedImage, ExportJob } from "./export-job.ts";

/** What the thread is told. */
export type ToExportWorker =
  | { readonly kind: "export"; readonly job: ExportJob; readonly paths: BlobPaths }
  | { readonly kind: "fetched"; readonly id: number; readonly bytes: Uint8Array }
  | { readonly kind: "fetch-failed"; readonly id: number; readonly failure: ThreadFailure };

/** What the thread tells. */
export type FromExportWorker =
  | { readonly kind: "fetch"; readonly id: number; readonly range: NeededRange }
  | { readonly kind: "exported"; readonly image: ExportedImage }
  | { readonly kind: "failed"; readonly failure: ThreadFailure };

/** The picture reads what the bands have read: three million pixels of some bands. */
const CACHE_BYTES = 64 * 2 ** 20;

const port = parentPort;
if (port === null) throw new Error("export-worker.ts runs in a worker thread only");

const fetches = new Map<number, PromiseWithResolvers<Uint8Array>>();
let lastFetch = 0;

function tell(message: FromExportWorker): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
  port?.postMessage(message);
}

const engine = new RenderEngine(createBlockCacheMemory(CACHE_BYTES), (range) => {
  const id = ++lastFetch;
  const fetched = Promise.withResolvers<Uint8Array>();
  fetches.set(id, fetched);
  tell({ kind: "fetch", id, range });
  return fetched.promise;
});

port.on("message", (message: ToExportWorker) => {
  switch (message.kind) {
    case "export":
      exportImage(engine, message.job, message.paths, new AbortController().signal).then(
        (image) => tell({ kind: "exported", image }),
        (error: unknown) => tell({ kind: "failed", failure: describeFailure(error) }),
      );
      break;
    case "fetched":
      fetches.get(message.id)?.resolve(message.bytes);
      fetches.delete(message.id);
      break;
    case "fetch-failed":
      fetches.get(message.id)?.reject(failureError(message.failure));
      fetches.delete(message.id);
      break;
    default:
      message satisfies never;
  }
});
