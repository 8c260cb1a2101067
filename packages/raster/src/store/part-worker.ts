import { parentPort } from "node:worker_threads";
import { workInBackground } from "@swath/base/threads/work-in-background";
import type { Affine } from "@swath/kernel/raster-mathematics/affine";
import { fileFault } from "../file-fault.ts";
import type { PixelArray } from "../source-raster.ts";
import { describeFailure, type ThreadFailure } from "@swath/base/threads/thread-failure";
import { draftPart, type DraftedPart, type PartJob } from "./draft-part.ts";
import { relayedRaster, type RasterDescription, type RowReader } from "./relayed-raster.ts";

workInBackground();

/** Which of the two rasters of a job. */
export type RasterPlace = "source" | "former";

/** Messages to the thread. */
export type ToPartWorker =
  | {
      readonly kind: "draft";
      readonly job: PartJob;
      readonly source: RasterDescription;
      readonly former: { readonly raster: RasterDescription; readonly transform: Affine } | null;
    }
  | { readonly kind: "rows"; readonly id: number; readonly pixels: readonly PixelArray[] }
  | { readonly kind: "mask"; readonly id: number; readonly mask: Uint8Array | null };

/** Messages of the thread. */
export type FromPartWorker =
  | {
      readonly kind: "read";
      readonly id: number;
      readonly place: RasterPlace;
      readonly what: "rows" | "mask";
      readonly firstRow: number;
      readonly rowCount: number;
    }
  | { readonly kind: "drafted"; readonly part: DraftedPart }
  | { readonly kind: "failed"; readonly failure: ThreadFailure };

const port = parentPort;
if (port === null) throw new Error("part-worker.ts runs in a worker thread only");
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
const tell = (message: FromPartWorker): void => port.postMessage(message);

/** A caller without need of the result ends the thread. */
const unending = new AbortController().signal;
const waiting = new Map<number, (message: Extract<ToPartWorker, { kind: "rows" | "mask" }>) => void>();
let lastId = 0;

function readerOf(place: RasterPlace): RowReader {
  const ask = async (what: "rows" | "mask", firstRow: number, rowCount: number) => {
    lastId += 1;
    const id = lastId;
    const { promise, resolve } = Promise.withResolvers<Extract<ToPartWorker, { kind: "rows" | "mask" }>>();
    waiting.set(id, resolve);
    tell({ kind: "read", id, place, what, firstRow, rowCount });
    return await promise;
  };
  return {
    async rows(firstRow, rowCount) {
      const answer = await ask("rows", firstRow, rowCount);
      return answer.kind === "rows" ? answer.pixels : [];
    },
    async mask(firstRow, rowCount) {
      const answer = await ask("mask", firstRow, rowCount);
      return answer.kind === "mask" ? answer.mask : null;
    },
  };
}

port.on("message", (message: ToPartWorker) => {
  switch (message.kind) {
    case "rows":
    case "mask":
      waiting.get(message.id)?.(message);
      waiting.delete(message.id);
      break;
    case "draft": {
      const { job, source, former } = message;
      const before =
        former === null
          ? null
          : { raster: relayedRaster(former.raster, readerOf("former")), transform: former.transform };
      draftPart(job, relayedRaster(source, readerOf("source")), before, unending).then(
        (part) => tell({ kind: "drafted", part }),
        (error: unknown) => tell({ kind: "failed", failure: describeFailure(fileFault(job.name, error) ?? error) }),
      );
      break;
    }
    default:
      message satisfies never;
  }
});
