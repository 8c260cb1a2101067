import type { BlobStore } from "@swath/base/blobs/blob-store";
import type { S3BlobStoreOptions } from "@swath/base/blobs/s3-blob-store";
import type { GridRenderer, RenderRequest } from "./grid-renderer.ts";
import { createBlockCacheMemory } from "@swath/raster/cog/block-cache";
import { requestedBlobs, type BlobPaths } from "./render-engine.ts";
import { StarvedError, ThreadPool } from "../threads/thread-pool.ts";

export interface GridRendererOptions {
  readonly blobs: BlobStore;
  /** Threads that draw, and as many in the background; one per core is best. */
  readonly workers: number;
  /** Memory for decoded blocks, shared by the threads and taken as it is needed. */
  readonly cacheBytes: number;
  /** Given, threads read blobs without a local path from S3 themselves; otherwise through `blobs` in this thread. */
  readonly s3?: S3BlobStoreOptions | null;
  /** Files waiting for a thread; beyond them the share of callers with the most loses its latest. */
  readonly maxQueued?: number;
}

const MAX_QUEUED = 512;
/** A store has local paths for all keys or for none. */
const ANY_KEY = "any";

/** Draws grid files on worker threads. */
export function createGridRenderer(options: GridRendererOptions): GridRenderer {
  const { blobs, workers, cacheBytes, s3 = null, maxQueued = MAX_QUEUED } = options;
  const cache = lazily(() => createBlockCacheMemory(cacheBytes));
  const pools: ThreadPool[] = [];
  const openPool = (isBackground: boolean): ThreadPool => {
    const pool = new ThreadPool(
      {
        threads: Math.max(1, workers),
        entry: new URL("../threads/tile-thread.ts", import.meta.url),
        data: { cache: cache(), s3, isBackground },
        blobs,
        maxQueued,
      },
      blobs.localPath(ANY_KEY) !== null,
    );
    pools.push(pool);
    return pool;
  };
  const front = lazily(() => openPool(false));
  const background = lazily(() => openPool(true));
  const draw = async (pool: ThreadPool, request: RenderRequest, signal: AbortSignal, isImpatient: boolean) =>
    pool.run(request, pathsOf(blobs, request), { affinity: affinityOf(request), isImpatient }, signal);
  return {
    async render(request, signal) {
      if (isShort(request)) return await draw(front(), request, signal, false);
      try {
        return await draw(background(), request, signal, true);
      } catch (error) {
        // Other programs may keep all processors from threads of the lowest priority.
        if (error instanceof StarvedError) return await draw(front(), request, signal, false);
        throw error;
      }
    },
    background: { render: (request, signal) => draw(background(), request, signal, false) },
    prepare() {
      front().prepare();
      background().prepare();
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(pools.map((pool) => pool[Symbol.asyncDispose]()));
    },
  };
}

/** Whether it is drawn within some tens of milliseconds: a tile, or single pixels. */
function isShort(request: RenderRequest): boolean {
  if ("zones" in request) return false;
  return request.window.kind === "tile" || request.pixels !== undefined;
}

/** Makes the value when it is first asked for. */
function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
}

function pathsOf(blobs: BlobStore, request: RenderRequest): BlobPaths {
  return Object.fromEntries(requestedBlobs(request).map((key) => [key, blobs.localPath(key)]));
}

/** Tiles of one scene that share a parent get the same number. */
function affinityOf(request: RenderRequest): number {
  const { scene, window } = "zones" in request ? request.map : request;
  let hash = 0;
  for (let i = 0; i < scene.sceneId.length; i++) hash = Math.imul(hash, 31) + scene.sceneId.charCodeAt(i);
  if (window.kind === "tile") {
    hash = Math.imul(hash, 31) + (window.x >> 1);
    hash = Math.imul(hash, 31) + (window.y >> 1);
  }
  return hash >>> 0;
}
