import type { FoundObject, PixelRect } from "@swath/maps/analysis/block";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import { ANALYSIS_BLOCK_PX } from "@swath/maps/engine/analysis-grid";
import type { Analyser } from "@swath/maps/engine/analyser";
import type { AnalysisJob, AnalysisProduct } from "@swath/maps/engine/analysis-job";
import { encodePlain } from "@swath/maps/engine/plain-data";
import { blobKeys } from "@swath/maps/render/render-engine";
import type { Db, PipelineHandler, PipelineJob } from "../../../platform/context.ts";
import type { PipelineService } from "../../../platform/queue/pipeline-service.ts";
import type { WorkFolders } from "../../../platform/uploads/work-folders.ts";
import { foundKey, layerKey, sharedKey } from "./part-keys.ts";
import { enqueueParts, PART_KIND, waitForParts, type PartRequest } from "./part-pipelines.ts";
import { readShared, type SharedAnalysis } from "./shared-analysis.ts";

/** Large windows, computed in parts by all free workers. */
export interface AnalysisParts {
  /** @throws {ServiceError} the failure of a part; the signal's reason when it aborts, which ends the parts too */
  compute(
    prefix: string,
    job: AnalysisJob,
    model: unknown,
    signal: AbortSignal,
    onProgress?: (share: number) => void,
  ): Promise<AnalysisProduct>;
  /** Computes single parts. Their worker needs separate places, because releases wait for the parts. */
  readonly handlers: ReadonlyMap<string, PipelineHandler<PartRequest, unknown>>;
}

export interface AnalysisPartsDeps {
  readonly db: Db;
  readonly blobs: BlobStore;
  readonly folders: WorkFolders;
  readonly analyser: Analyser;
  readonly pipelines: Pick<PipelineService, "cancel" | "enqueue" | "retrieve" | "waitFor">;
}

const PART_ROWS = 4 * ANALYSIS_BLOCK_PX;

export function createAnalysisParts(deps: AnalysisPartsDeps): AnalysisParts {
  return {
    async compute(prefix, job, model, signal, onProgress) {
      const windows = partsOf(job.window);
      await shareAnalysis(deps.blobs, prefix, { job, model }, signal);
      const ids = await enqueueParts(deps.db, deps.pipelines, prefix, windows);
      await waitForParts(deps.pipelines, ids, signal, onProgress);
      const product = await joinParts(deps, prefix, job, model, windows.length, signal);
      await removeParts(deps.blobs, prefix, job, windows.length);
      return product;
    },
    handlers: new Map([
      [
        PART_KIND,
        {
          async run(request: PartRequest, job) {
            await computePart(deps, request, job);
            return { result: {} };
          },
        },
      ],
    ]),
  };
}

async function shareAnalysis(
  blobs: BlobStore,
  prefix: string,
  { job, model }: { readonly job: AnalysisJob; readonly model: unknown },
  signal: AbortSignal,
): Promise<void> {
  const { folder: _folder, paths: _paths, ...rest } = job;
  const shared: SharedAnalysis = { job: rest, model };
  await blobs.put(sharedKey(prefix), encodePlain(shared), { signal });
}

/** Computes one part and leaves its layers and objects in the blob store. */
async function computePart(
  { blobs, folders, analyser }: AnalysisPartsDeps,
  { prefix, part, window }: PartRequest,
  { pipelineId, attempt, signal, report }: PipelineJob,
): Promise<void> {
  await report({ message: "Analyzing", step: 5 });
  const { job, model } = (await readShared(blobs, sharedKey(prefix))) as SharedAnalysis;
  const keys = job.source.scenes.flatMap(({ raster }) => blobKeys(raster));
  const paths = Object.fromEntries(keys.map((key) => [key, blobs.localPath(key)]));
  const folder = await folders.create(pipelineId, attempt);
  try {
    const work = { ...job, window, folder, paths };
    const { bands, found } = await analyser.run({ stage: "part", job: work, model }, signal);
    for (const [layer, { path }] of bands.entries()) {
      await blobs.putFile(layerKey(prefix, part, layer), path, { signal });
    }
    await blobs.put(foundKey(prefix, part), encodePlain(found), { signal });
  } finally {
    await folders.remove(folder);
  }
}

async function joinParts(
  { blobs, folders, analyser }: AnalysisPartsDeps,
  prefix: string,
  job: AnalysisJob,
  model: unknown,
  count: number,
  signal: AbortSignal,
): Promise<AnalysisProduct> {
  const parts: (readonly string[])[] = [];
  const found: FoundObject[] = [];
  for (let part = 0; part < count; part += 1) {
    const layers: string[] = [];
    for (const layer of job.layers.keys()) {
      const name = `part${part}-${layer}.tif`;
      layers.push(await folders.localCopy(blobs, layerKey(prefix, part, layer), job.folder, signal, name));
    }
    parts.push(layers);
    found.push(...((await readShared(blobs, foundKey(prefix, part))) as readonly FoundObject[]));
  }
  return await analyser.run({ stage: "join", job, model, parts, found }, signal);
}

async function removeParts(blobs: BlobStore, prefix: string, { layers }: AnalysisJob, count: number): Promise<void> {
  for (let part = 0; part < count; part += 1) {
    for (const layer of layers.keys()) await blobs.delete(layerKey(prefix, part, layer));
    await blobs.delete(foundKey(prefix, part));
  }
  await blobs.delete(sharedKey(prefix));
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
