import { parentPort, workerData } from "node:worker_threads";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import { workInBackground } from "@swath/base/threads/work-in-background";
import type { FetchRange } from "@swath/raster/cog/byte-supply";
import { RenderEngine } from "../render/render-engine.ts";
import { describeFailure } from "@swath/base/threads/thread-failure";
import type { FromTileThread, TileThreadData, ToTileThread } from "./messages.ts";
import { RelayedFetches } from "./relayed-fetch.ts";

const port = parentPort;
if (port === null) throw new Error("tile-thread.ts runs in a worker thread only");
const { cache, isBackground, s3 } = workerData as TileThreadData;
if (isBackground) workInBackground();

const jobs = new Map<number, AbortController>();
let s3Store: Promise<BlobStore> | null = null;

function post(message: FromTileThread, transfer: readonly ArrayBuffer[] = []): void {
  port?.postMessage(message, [...transfer]);
}

const throughMain = new RelayedFetches(post);

const fetchFromS3: FetchRange = async ({ key, offset, length }, signal) => {
  if (s3 === null) throw new Error("no S3 store is configured");
  s3Store ??= import("@swath/base/blobs/s3-blob-store").then(({ openS3BlobStore }) => openS3BlobStore(s3));
  return (await s3Store).read(key, offset, length, { signal });
};

const engine = new RenderEngine(cache, s3 === null ? throughMain.fetchRange : fetchFromS3);

async function render({ id, request, paths }: Extract<ToTileThread, { kind: "render" }>): Promise<void> {
  const controller = new AbortController();
  jobs.set(id, controller);
  try {
    const file = await engine.renderGridFile(request, paths, controller.signal);
    if (file.kind !== "file") {
      post({ kind: "rendered", id, file });
      return;
    }
    // Memory of native encoders cannot change threads; a copy can.
    const body = new Uint8Array(file.body);
    post({ kind: "rendered", id, file: { ...file, body } }, [body.buffer]);
  } catch (error) {
    post({ kind: "failed", id, failure: describeFailure(error) });
  } finally {
    jobs.delete(id);
  }
}

port.on("message", (message: ToTileThread) => {
  switch (message.kind) {
    case "render":
      void render(message);
      break;
    case "cancel":
      jobs.get(message.id)?.abort();
      break;
    case "fetched":
    case "fetch-failed":
      throughMain.settle(message);
      break;
    default:
      message satisfies never;
  }
});
