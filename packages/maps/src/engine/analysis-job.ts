import type { FoundObject, Parameters, PixelRect } from "../analysis/block.ts";
import type { PlacedObject } from "../analysis/placed-object.ts";
import type { ResultLayer } from "@swath/kernel/raster-mathematics/rendering";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { BlobPaths } from "../render/render-engine.ts";
import type { PixelArray, SourceCrs, SourceRaster } from "@swath/raster/source-raster";
import { writeCogs } from "@swath/raster/store/write-cog";
import type { WrittenBand } from "@swath/raster/store/written-raster";
import { fileSource } from "@swath/raster/tiff/byte-sources";
import { openTiff } from "@swath/raster/tiff/open";
import type { InstalledModel } from "../models/runtime/installed-model.ts";
import type { AnalysisPool } from "./analysis-pool.ts";
import { blockRaster, layerBands, windowTransform } from "./block-raster.ts";
import type { BlockSource } from "./read-block.ts";

/** An analysis to be carried out. Plain data. */
export interface AnalysisJob {
  readonly mapType: string;
  readonly layers: readonly ResultLayer[];
  readonly parameters: Parameters;
  /** The model whose map type it is; the analyser fills it in. */
  readonly installed?: InstalledModel | null;
  readonly source: BlockSource;
  /** Whole blocks of the grid. */
  readonly window: PixelRect;
  readonly crs: SourceCrs;
  /** Local path of each blob that is read, null for those that are elsewhere. */
  readonly paths: BlobPaths;
  /** Temporary folder for the rasters; the caller removes it. */
  readonly folder: string;
}

/** Result of the survey of the scenes, before the computation of blocks. */
export interface AnalysisModel {
  readonly model: unknown;
  /** Description of the model by the algorithm. */
  readonly description: Readonly<Record<string, unknown>>;
}

/** Rows of a window that have been computed, perhaps by another process. */
export interface AnalysisPart {
  readonly bands: readonly WrittenBand[];
  /** Objects, not yet compared with the objects of other parts. */
  readonly found: readonly FoundObject[];
}

/** Product of an analysis; rasters lie in the folder of the job. */
export interface AnalysisProduct {
  readonly bands: readonly WrittenBand[];
  readonly objects: readonly PlacedObject[];
  /** Whether there were more objects than are kept; the most certain ones are. */
  readonly objectsTruncated: boolean;
}

/** About 40 MB as JSON; a scene full of cars has some ten thousands. */
const MAX_OBJECTS = 100_000;

type OnProgress = (share: number) => void;

/** Names and parameters by which a thread finds the algorithm. */
function namesOf({ mapType, parameters, installed = null }: AnalysisJob) {
  return { mapType, parameters, installed };
}

/** Looks at the whole scenes. */
export async function surveyScenes(job: AnalysisJob, pool: AnalysisPool, signal: AbortSignal): Promise<AnalysisModel> {
  const { source, paths } = job;
  const { model, description } = await pool.run({ kind: "survey", ...namesOf(job), source, paths }, signal);
  return { model, description };
}

/**
 * Computes the blocks of the window on all threads and writes one COG per layer.
 *
 * @throws {ServiceError} what reading the scenes meets; the signal's reason when it aborts
 */
export async function computeWindow(
  job: AnalysisJob,
  model: unknown,
  pool: AnalysisPool,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<AnalysisPart> {
  const { source, paths, layers, window } = job;
  const found: FoundObject[] = [];
  const ended = new AbortController();
  const stop = AbortSignal.any([signal, ended.signal]);
  try {
    await using raster = blockRaster(source.grid, window, layers, job.crs, async (core) => {
      const block = await pool.run({ kind: "block", ...namesOf(job), source, paths, model, core }, stop);
      if (found.length + block.objects.length > 4 * MAX_OBJECTS) throw tooMany();
      found.push(...block.objects);
      return block.layers;
    });
    return { bands: await writeLayers(raster, job, stop, onProgress), found };
  } finally {
    // Blocks that were begun ahead of a failure are not waited for.
    ended.abort();
  }
}

/**
 * Joins parts that lie one below the other into the rasters of the whole window.
 *
 * @param paths local files of each part from top to bottom, one per layer
 */
export async function joinParts(
  job: AnalysisJob,
  paths: readonly (readonly string[])[],
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<readonly WrittenBand[]> {
  await using stack = new AsyncDisposableStack();
  const parts: (readonly SourceRaster[])[] = [];
  for (const files of paths) {
    const layers: SourceRaster[] = [];
    for (const path of files) {
      layers.push(stack.use(await openTiff(await fileSource(path))));
    }
    parts.push(layers);
  }
  return await writeLayers(stacked(job, parts), job, signal, onProgress);
}

/** Lets the algorithm look at all objects together, and places them. */
export async function finishObjects(
  job: AnalysisJob,
  model: unknown,
  found: readonly FoundObject[],
  pool: AnalysisPool,
  signal: AbortSignal,
): Promise<Pick<AnalysisProduct, "objects" | "objectsTruncated">> {
  if (found.length > 4 * MAX_OBJECTS) throw tooMany();
  const objects = inOrder(found);
  const finished = await pool.run({ kind: "finish", ...namesOf(job), source: job.source, model, objects }, signal);
  const kept = mostCertain(finished.objects);
  return { objects: kept, objectsTruncated: kept.length < finished.objects.length };
}

async function writeLayers(
  raster: SourceRaster,
  { source, window, crs, folder, layers }: AnalysisJob,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<readonly WrittenBand[]> {
  const { bands } = await writeCogs(raster, windowTransform(source.grid, window), crs, {
    folder,
    name: "layer",
    isClass: layers.map(({ kind }) => kind === "classes"),
    signal,
    onProgress: (done, total) => onProgress(done / total),
  });
  return bands;
}

/** Parts one below the other as one raster. */
function stacked(
  { window, layers, crs, source }: AnalysisJob,
  parts: readonly (readonly SourceRaster[])[],
): SourceRaster {
  const heights = parts.map(([first]) => first?.heightPx ?? 0);
  const tops = heights.map((_, i) => heights.slice(0, i).reduce((sum, height) => sum + height, 0));
  return {
    widthPx: window.columns,
    heightPx: window.rows,
    bands: layerBands(layers),
    georeference: { kind: "affine", transform: windowTransform(source.grid, window) },
    crs,
    palette: null,
    hasMask: false,
    metadata: {},
    blockHeightPx: parts[0]?.[0]?.blockHeightPx ?? 1,
    async readRows(firstRow, rowCount, signal) {
      const planes = layers.map(({ kind }): PixelArray =>
        kind === "classes" ? new Uint8Array(window.columns * rowCount) : new Float32Array(window.columns * rowCount),
      );
      for (const [p, part] of parts.entries()) {
        const from = Math.max(firstRow, tops[p]!);
        const to = Math.min(firstRow + rowCount, tops[p]! + heights[p]!);
        if (to <= from) continue;
        for (const [l, layer] of part.entries()) {
          const [rows] = await layer.readRows(from - tops[p]!, to - from, signal);
          if (rows !== undefined) planes[l]!.set(rows, (from - firstRow) * window.columns);
        }
      }
      return planes;
    },
    readMask: () => Promise.resolve(null),
    async [Symbol.asyncDispose]() {},
  };
}

function tooMany(): ServiceError {
  return new ServiceError(
    "PROCESSING-ERROR",
    `the analysis found more than ${4 * MAX_OBJECTS} objects, expected fewer: release a smaller extent`,
  );
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
