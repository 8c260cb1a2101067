import type { StoredBand } from "@swath/kernel/scenes/stored-raster";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import { createBlockCacheMemory } from "@swath/raster/cog/block-cache";
import type { LevelWindow } from "@swath/raster/cog/cog-reader";
import { readNativeWindow, type NativeWindow } from "./native-window.ts";
import { RenderEngine } from "./render-engine.ts";

/** Reads small windows of stored bands as they are, in the calling thread. */
export interface WindowReader extends Disposable {
  /** @throws {ServiceError} SCENE-UNREADABLE, DATA-NOT-AVAILABLE */
  read(band: StoredBand, window: LevelWindow, signal: AbortSignal): Promise<NativeWindow>;
}

const CACHE_BYTES = 8 * 2 ** 20;

export function createWindowReader(blobs: Pick<BlobStore, "localPath" | "read">): WindowReader {
  // Memory for pixels is taken when it is first needed.
  let engine: RenderEngine | null = null;
  return {
    async read(band, window, signal) {
      engine ??= new RenderEngine(createBlockCacheMemory(CACHE_BYTES), ({ key, offset, length }, aborted) =>
        blobs.read(key, offset, length, { signal: aborted }),
      );
      const keys = band.maskKey === null ? [band.key] : [band.key, band.maskKey];
      const paths = Object.fromEntries(keys.map((key) => [key, blobs.localPath(key)]));
      return await engine.draw((access) => readNativeWindow(access, band, window), paths, signal);
    },
    [Symbol.dispose]() {
      engine?.[Symbol.dispose]();
    },
  };
}
