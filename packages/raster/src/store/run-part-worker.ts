import { Worker } from "node:worker_threads";
import { failureError } from "@swath/base/threads/thread-failure";
import { runInWorker } from "@swath/base/threads/run-in-worker";
import type { SourceRaster } from "../source-raster.ts";
import type { FormerRaster } from "./cut-raster.ts";
import type { DraftedPart, PartJob } from "./draft-part.ts";
import type { FromPartWorker, ToPartWorker } from "./part-worker.ts";
import { describeRaster } from "./relayed-raster.ts";

/**
 * Runs `draftPart` in a worker thread, which keeps the event loop of the caller free of cutting, averaging and
 * compressing. The rasters stay in this thread, where their connections and caches are; their rows cross over.
 *
 * When the signal aborts the thread stops and the promise rejects with the signal's reason.
 *
 * @throws what reading a raster throws; {RasterError} as `draftPart`
 */
export async function draftPartInWorker(
  job: PartJob,
  source: SourceRaster,
  former: FormerRaster | null,
  signal: AbortSignal,
): Promise<DraftedPart> {
  signal.throwIfAborted();
  const worker = new Worker(new URL("part-worker.ts", import.meta.url), { name: "swath-cogs" });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
  const tell = (message: ToPartWorker): void => worker.postMessage(message);

  const read = async (
    { id, place, what, firstRow, rowCount }: Extract<FromPartWorker, { kind: "read" }>,
    reading: AbortSignal,
  ): Promise<void> => {
    const raster = place === "source" ? source : former?.raster;
    if (raster === undefined) throw new Error("the thread that writes images asked for a raster that is not there");
    if (what === "rows") tell({ kind: "rows", id, pixels: await raster.readRows(firstRow, rowCount, reading) });
    else tell({ kind: "mask", id, mask: await raster.readMask(firstRow, rowCount, reading) });
  };
  const receive = (
    message: FromPartWorker,
    finished: PromiseWithResolvers<DraftedPart>,
    reading: AbortSignal,
  ): void => {
    switch (message.kind) {
      case "read":
        read(message, reading).catch(finished.reject);
        break;
      case "drafted":
        finished.resolve(message.part);
        break;
      case "failed":
        finished.reject(failureError(message.failure));
        break;
      default:
        message satisfies never;
    }
  };
  const start = (): void =>
    tell({
      kind: "draft",
      job,
      source: describeRaster(source),
      former: former === null ? null : { raster: describeRaster(former.raster), transform: former.transform },
    });
  return await runInWorker({ worker, does: "writes images", start, receive }, signal);
}
