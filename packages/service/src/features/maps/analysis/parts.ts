import type { FoundObject, PixelRect } from "@swath/maps/analysis/block";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import type { Caller, Db, PipelineHandler } from "../../../platform/context.ts";
import { inTransaction } from "../../../platform/postgres/transaction.ts";
import type { PipelineService } from "../../../platform/queue/pipeline-service.ts";
import { ANALYSIS_BLOCK_PX } from "@swath/maps/engine/analysis-grid";
import type { Analyser } from "@swath/maps/engine/analyser";
import type { AnalysisJob, AnalysisProduct } from "@swath/maps/engine/analysis-job";
import { decodePlain, encodePlain } from "@swath/maps/engine/plain-data";
import { blobKeys } from "@swath/maps/render/render-engine";
import type { WorkFolders } from "../../../platform/uploads/work-folders.ts";

/** What the pipeline of one part is given. */
export interface PartRequest {
  /** Start of the keys of the result's blobs. */
  readonly prefix: string;
  /** Position of the part from the top. */
  readonly part: number;
  readonly window: PixelRect;
}

/** An analysis and what its survey has learnt, as the workers of its parts read them. */
interface SharedAnalysis {
  readonly job: Omit<AnalysisJob, "folder" | "paths">;
  readonly model: unknown;
}

/** Large windows, computed in parts by whichever workers are free. */
export interface AnalysisParts {
  /** @throws {ServiceError} what a part met; the signal's reason when it aborts, which ends the parts too */
  compute(
    prefix: string,
    job: AnalysisJob,
    model: unknown,
    signal: AbortSignal,
    onProgress?: (share: number) => void,
  ): Promise<AnalysisProduct>;
  /** Runs the parts that this process takes; their own worker needs places of its own, since a release waits for them. */
  readonly handlers: ReadonlyMap<string, PipelineHandler<PartRequest, unknown>>;
}

export interface AnalysisPartsDeps {
  readonly db: Db;
  readonly blobs: BlobStore;
  readonly folders: WorkFolders;
  readonly analyser: Analyser;
  readonly pipelines: Pick<PipelineService, "cancel" | "enqueue" | "retrieve" | "waitFor">;
}

/** Kind of the pipelines that compute parts; no operation initiates or retrieves them. */
const PART_KIND = "/mapsvc/analyse-part";
/** Owns these pipelines, so that no user can end what others wait for. */
const ANALYST: Caller = {
  kind: "anonymous",
  userId: "service:maps",
  groupId: "",
  email: "",
  permissions: new Set(),
};
const PART_ROWS = 4 * ANALYSIS_BLOCK_PX;
const POLL_MS = 1000;
/** Models are forests of some megabytes, objects of a part some tens. */
const MAX_SHARED_BYTES = 512 * 1024 * 1024;

export function createAnalysisParts({ db, blobs, folders, analyser, pipelines }: AnalysisPartsDeps): AnalysisParts {
  async function readShared(key: string): Promise<unknown> {
    return decodePlain(await blobs.read(key, 0, MAX_SHARED_BYTES));
  }

  async function waitForAll(
    ids: readonly string[],
    signal: AbortSignal,
    onProgress?: (share: number) => void,
  ): Promise<void> {
    try {
      for (const [done, pipelineId] of ids.entries()) {
        for (;;) {
          // oxlint-disable-next-line no-await-in-loop -- they run at the same time; this only waits
          const status = await pipelines.waitFor(pipelineId, signal, POLL_MS);
          signal.throwIfAborted();
          if (status === "RESOLVED" || status === "FAILED") break;
        }
        const failed = { kind: PART_KIND, pipelineId, caller: ANALYST, allowPartial: false };
        // oxlint-disable-next-line no-await-in-loop -- throws what the part met
        await pipelines.retrieve(failed);
        onProgress?.((done + 1) / (ids.length + 1));
      }
    } catch (error) {
      // Those that have ended cannot be cancelled, and need not be.
      await Promise.allSettled(ids.map(async (pipelineId) => pipelines.cancel(pipelineId, ANALYST)));
      throw error;
    }
  }

  return {
    async compute(prefix, job, model, signal, onProgress) {
      const { folder, paths: _paths, ...rest } = job;
      const shared: SharedAnalysis = { job: rest, model };
      await blobs.put(`${prefix}job.bin`, encodePlain(shared), { signal });
      const windows = partsOf(job.window);
      const ids = await inTransaction(db, async (trx) => {
        const enqueued: string[] = [];
        for (const [part, window] of windows.entries()) {
          const request: PartRequest = { prefix, part, window };
          // oxlint-disable-next-line no-await-in-loop -- one transaction
          const { pipelineId } = await pipelines.enqueue(trx, {
            kind: PART_KIND,
            request,
            caller: ANALYST,
            baseUrl: "",
          });
          enqueued.push(pipelineId);
        }
        return enqueued;
      });
      await waitForAll(ids, signal, onProgress);

      const files: (readonly string[])[] = [];
      const found: FoundObject[] = [];
      for (const part of windows.keys()) {
        const layers: string[] = [];
        for (const layer of job.layers.keys()) {
          const key = layerKey(prefix, part, layer);
          // oxlint-disable-next-line no-await-in-loop -- bound by the disk or the network
          layers.push(await folders.localCopy(blobs, key, folder, signal, `part${part}-${layer}.tif`));
        }
        files.push(layers);
        // oxlint-disable-next-line no-await-in-loop
        found.push(...((await readShared(foundKey(prefix, part))) as readonly FoundObject[]));
      }
      const product = await analyser.run({ stage: "join", job, model, parts: files, found }, signal);
      for (const part of windows.keys()) {
        const keys = [...job.layers.keys()].map((layer) => layerKey(prefix, part, layer));
        // oxlint-disable-next-line no-await-in-loop -- clean-up of a few blobs
        for (const key of [...keys, foundKey(prefix, part)]) await blobs.delete(key);
      }
      await blobs.delete(`${prefix}job.bin`);
      return product;
    },

    handlers: new Map([
      [
        PART_KIND,
        {
          async run({ prefix, part, window }: PartRequest, { pipelineId, attempt, signal, report }) {
            await report({ message: "Analyzing", step: 5 });
            const { job, model } = (await readShared(`${prefix}job.bin`)) as SharedAnalysis;
            const keys = job.source.scenes.flatMap(({ raster }) => blobKeys(raster));
            const paths = Object.fromEntries(keys.map((key) => [key, blobs.localPath(key)]));
            const folder = await folders.create(pipelineId, attempt);
            try {
              const work = { ...job, window, folder, paths };
              const { bands, found } = await analyser.run({ stage: "part", job: work, model }, signal);
              for (const [layer, { path }] of bands.entries()) {
                // oxlint-disable-next-line no-await-in-loop -- bound by the disk or the network
                await blobs.putFile(layerKey(prefix, part, layer), path, { signal });
              }
              await blobs.put(foundKey(prefix, part), encodePlain(found), { signal });
            } finally {
              await folders.remove(folder);
            }
            return { result: {} };
          },
        },
      ],
    ]),
  };
}

function layerKey(prefix: string, part: number, layer: number): string {
  return `${prefix}part${part}-layer${layer}.tif`;
}

function foundKey(prefix: string, part: number): string {
  return `${prefix}part${part}-objects.bin`;
}

/** Whole rows of blocks, from top to bottom. */
function partsOf({ column, row, columns, rows }: PixelRect): readonly PixelRect[] {
  return Array.from({ length: Math.ceil(rows / PART_ROWS) }, (_, i) => ({
    column,
    row: row + i * PART_ROWS,
    columns,
    rows: Math.min(PART_ROWS, rows - i * PART_ROWS),
  }));
}
