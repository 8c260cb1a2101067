import type { FoundObject, Parameters, PixelRect } from "@swath/kernel/analysis/block";
import type { PlacedObject } from "@swath/kernel/analysis/placed-object";
import type { ResultLayer } from "@swath/kernel/raster/rendering";
import { ServiceError } from "../../../errors.ts";
import type { BlockSource } from "./read-block.ts";
import { blockRaster, windowTransform } from "./block-raster.ts";
import type { BlobPaths } from "../serve/render/render-engine.ts";
import type { SourceCrs } from "../source-raster.ts";
import { writeCogs, type WrittenBand } from "../store/write-cog.ts";
import type { AnalysisPool } from "./analysis-pool.ts";

/** An analysis to be carried out. Plain data. */
export interface AnalysisJob {
  readonly mapType: string;
  readonly layers: readonly ResultLayer[];
  readonly parameters: Parameters;
  readonly source: BlockSource;
  /** Whole blocks of the grid. */
  readonly window: PixelRect;
  readonly crs: SourceCrs;
  /** Local path of each blob that is read, null for those that are elsewhere. */
  readonly paths: BlobPaths;
  /** Temporary folder for the rasters; the caller removes it. */
  readonly folder: string;
}

/** What an analysis has made; rasters lie in the job's folder. */
export interface AnalysisProduct {
  readonly bands: readonly WrittenBand[];
  readonly objects: readonly PlacedObject[];
  /** Whether there were more objects than are kept; the most certain ones are. */
  readonly objectsTruncated: boolean;
  /** What the algorithm says of what it has learnt. */
  readonly description: Readonly<Record<string, unknown>>;
}

/** About 40 MB as JSON; a scene full of cars has some ten thousands. */
const MAX_OBJECTS = 100_000;

/**
 * Surveys the scenes, computes the blocks of the window on all threads and writes one COG per layer.
 *
 * @throws {ServiceError} what reading the scenes meets; the signal's reason when it aborts
 */
export async function runAnalysis(
  job: AnalysisJob,
  pool: AnalysisPool,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<AnalysisProduct> {
  const { mapType, parameters, source, paths, layers, window } = job;
  const shared = { mapType, parameters, source };
  const { model, description } = await pool.run({ kind: "survey", ...shared, paths }, signal);
  const found: FoundObject[] = [];
  const ended = new AbortController();
  const stop = AbortSignal.any([signal, ended.signal]);
  try {
    await using raster = blockRaster(source.grid, window, layers, job.crs, async (core) => {
      const block = await pool.run({ kind: "block", ...shared, paths, model, core }, stop);
      if (found.length + block.objects.length > 4 * MAX_OBJECTS) {
        throw new ServiceError(
          "PROCESSING-ERROR",
          `the analysis found more than ${4 * MAX_OBJECTS} objects, expected fewer: release a smaller extent`,
        );
      }
      found.push(...block.objects);
      return block.layers;
    });
    const written = await writeCogs(raster, windowTransform(source.grid, window), job.crs, {
      folder: job.folder,
      name: "layer",
      isClass: layers.map(({ kind }) => kind === "classes"),
      signal: stop,
      onProgress: (done, total) => onProgress(done / total),
    });
    const objects = inOrder(found);
    const finished = await pool.run({ kind: "finish", ...shared, model, objects }, signal);
    const kept = mostCertain(finished.objects);
    return {
      bands: written.bands,
      objects: kept,
      objectsTruncated: kept.length < finished.objects.length,
      description,
    };
  } finally {
    // Blocks that were begun ahead of a failure are not waited for.
    ended.abort();
  }
}

/** Threads end in any order; the same analysis gives the same file. */
function inOrder(objects: readonly FoundObject[]): readonly FoundObject[] {
  return objects.toSorted((a, b) => a.centre[1] - b.centre[1] || a.centre[0] - b.centre[0]);
}

function confidenceOf({ properties }: PlacedObject): number {
  return Number(properties["confidence"] ?? 0);
}

function mostCertain(objects: readonly PlacedObject[]): readonly PlacedObject[] {
  if (objects.length <= MAX_OBJECTS) return objects;
  const least = objects.map(confidenceOf).toSorted((a, b) => b - a)[MAX_OBJECTS - 1]!;
  return objects.filter((object) => confidenceOf(object) >= least).slice(0, MAX_OBJECTS);
}
