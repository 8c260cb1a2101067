import { parentPort } from "node:worker_threads";
import { workInBackground } from "@swath/base/threads/work-in-background";
import { createBlockCacheMemory } from "@swath/raster/cog/block-cache";
import { RenderEngine, type BlobPaths } from "../render/render-engine.ts";
import { describeFailure, type ThreadFailure } from "@swath/base/threads/thread-failure";
import type { FetchAnswer, FetchAsked } from "../threads/messages.ts";
import { RelayedFetches } from "../threads/relayed-fetch.ts";
import { exportImage } from "./export-image.ts";
import type { ExportedImage, ExportJob } from "./export-job.ts";

workInBackground();

/** Messages to the thread. */
export type ToExportWorker =
  | { readonly kind: "export"; readonly job: ExportJob; readonly paths: BlobPaths }
  | FetchAnswer;

/** Messages of the thread. */
export type FromExportWorker =
  | FetchAsked
  | { readonly kind: "exported"; readonly image: ExportedImage }
  | { readonly kind: "failed"; readonly failure: ThreadFailure };

/** The picture reads what the bands have read: three million pixels of some bands. */
const CACHE_BYTES = 64 * 2 ** 20;

const port = parentPort;
if (port === null) throw new Error("export-worker.ts runs in a worker thread only");

function tell(message: FromExportWorker): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
  port?.postMessage(message);
}

const fetches = new RelayedFetches(tell);
const engine = new RenderEngine(createBlockCacheMemory(CACHE_BYTES), fetches.fetchRange);

port.on("message", (message: ToExportWorker) => {
  switch (message.kind) {
    case "export":
      exportImage(engine, message.job, message.paths, new AbortController().signal).then(
        (image) => tell({ kind: "exported", image }),
        (error: unknown) => tell({ kind: "failed", failure: describeFailure(error) }),
      );
      break;
    case "fetched":
    case "fetch-failed":
      fetches.settle(message);
      break;
    default:
      message satisfies never;
  }
});
