import type { FoundObject, Parameters, PixelRect } from "../analysis/block.ts";
import type { PlacedObject } from "../analysis/placed-object.ts";
import type { InstalledModel, ModelLimits } from "../models/runtime/installed-model.ts";
import type { S3BlobStoreOptions } from "@swath/base/blobs/s3-blob-store";
import type { BlockSource } from "./read-block.ts";
import type { ComputedLayers } from "./block-raster.ts";
import type { BlobPaths } from "../render/render-engine.ts";
import type { BlockCacheMemory } from "@swath/raster/cog/block-cache";
import type { ThreadFailure } from "@swath/base/threads/thread-failure";

/** Start data of an analysis thread. */
export interface AnalysisThreadData {
  /** Where blobs without a local path are read. */
  readonly s3: S3BlobStoreOptions | null;
  /** Limits of models; null without models. */
  readonly modelLimits: ModelLimits | null;
  /** Decoded blocks of scenes, shared by all threads: their margins overlap. */
  readonly cache: BlockCacheMemory;
}

/** One piece of an analysis. */
export type AnalysisTask = {
  /** Id of the map type, whose algorithm the thread looks up. */
  readonly mapType: string;
  readonly parameters: Parameters;
  /** The model whose map type it is; null for built-in map types. */
  readonly installed: InstalledModel | null;
} & (
  | { readonly kind: "survey"; readonly source: BlockSource; readonly paths: BlobPaths }
  | {
      readonly kind: "block";
      readonly source: BlockSource;
      readonly paths: BlobPaths;
      readonly model: unknown;
      readonly core: PixelRect;
    }
  | {
      readonly kind: "finish";
      readonly source: BlockSource;
      readonly model: unknown;
      readonly objects: readonly FoundObject[];
    }
);

export type AnalysisTaskResult =
  | { readonly kind: "survey"; readonly model: unknown; readonly description: Readonly<Record<string, unknown>> }
  | { readonly kind: "block"; readonly layers: ComputedLayers; readonly objects: readonly FoundObject[] }
  | { readonly kind: "finish"; readonly objects: readonly PlacedObject[] };

export interface ToAnalysisThread {
  readonly id: number;
  readonly task: AnalysisTask;
}

export type FromAnalysisThread =
  | { readonly id: number; readonly result: AnalysisTaskResult }
  | { readonly id: number; readonly failure: ThreadFailure };
