import { ScenesRefused } from "@swath/kernel/analysis/scenes-refused";
import type { ErrorCode } from "@swath/kernel/errors/error-code";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { BlobNotFoundError } from "@swath/base/blobs/blob-store";
import type { S3BlobStoreOptions } from "@swath/base/blobs/s3-blob-store";
import type { GridFile, GridRequest } from "../../grid-renderer.ts";
import type { BlockCacheMemory } from "../cog/block-cache.ts";
import type { NeededRange } from "../cog/byte-supply.ts";
import { MISSING_PIXELS } from "../cog/local-blobs.ts";
import type { BlobPaths } from "../render/render-engine.ts";

/** What a tile thread is started with. */
export interface TileThreadData {
  readonly cache: BlockCacheMemory;
  /** Where blobs without a local path are read; null: through the main thread. */
  readonly s3: S3BlobStoreOptions | null;
}

/** An error as it crosses threads; `code` only for expected failures. */
export interface ThreadFailure {
  readonly code: ErrorCode | null;
  readonly message: string;
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
  | { readonly kind: "render"; readonly id: number; readonly request: GridRequest; readonly paths: BlobPaths }
  | { readonly kind: "cancel"; readonly id: number }
  | FetchAnswer;

/** Tile thread to main thread. */
export type FromTileThread =
  | { readonly kind: "rendered"; readonly id: number; readonly file: GridFile }
  | { readonly kind: "failed"; readonly id: number; readonly failure: ThreadFailure }
  | FetchAsked;

export function describeFailure(error: unknown): ThreadFailure {
  if (error instanceof ServiceError) return { code: error.code, message: error.message };
  if (error instanceof ScenesRefused) return { code: "UNSUPPORTED-IMAGERY", message: error.message };
  if (error instanceof BlobNotFoundError) return { code: "DATA-NOT-AVAILABLE", message: MISSING_PIXELS };
  return { code: null, message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

export function failureError({ code, message }: ThreadFailure): Error {
  return code === null ? new Error(message) : new ServiceError(code, message);
}
