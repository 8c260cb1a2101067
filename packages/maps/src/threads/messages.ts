import type { ThreadFailure } from "@swath/base/threads/thread-failure";
import type { S3BlobStoreOptions } from "@swath/base/blobs/s3-blob-store";
import type { GridFile, RenderRequest } from "../render/grid-renderer.ts";
import type { BlockCacheMemory } from "@swath/raster/cog/block-cache";
import type { NeededRange } from "@swath/raster/cog/byte-supply";
import type { BlobPaths } from "../render/render-engine.ts";

/** Start data of a tile thread. */
export interface TileThreadData {
  readonly cache: BlockCacheMemory;
  /** Where blobs without a local path are read; null: through the main thread. */
  readonly s3: S3BlobStoreOptions | null;
  /** Whether it leaves the cores to threads that somebody waits for. */
  readonly isBackground: boolean;
}

/** A thread asks the one that started it for bytes. */
export interface FetchAsked {
  readonly kind: "fetch";
  readonly id: number;
  readonly range: NeededRange;
}

export type FetchAnswer =
  | { readonly kind: "fetched"; readonly id: number; readonly bytes: Uint8Array }
  | { readonly kind: "fetch-failed"; readonly id: number; readonly failure: ThreadFailure };

/** Main thread to tile thread. */
export type ToTileThread =
  | { readonly kind: "render"; readonly id: number; readonly request: RenderRequest; readonly paths: BlobPaths }
  | { readonly kind: "cancel"; readonly id: number }
  | FetchAnswer;

/** Tile thread to main thread. */
export type FromTileThread =
  | { readonly kind: "rendered"; readonly id: number; readonly file: GridFile }
  | { readonly kind: "failed"; readonly id: number; readonly failure: ThreadFailure }
  | FetchAsked;
