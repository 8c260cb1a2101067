import type { BlobStore } from "@swath/base/blobs/blob-store";
import type { GridFile, RenderRequest } from "./grid-renderer.ts";
import { createBlockCacheMemory } from "@swath/raster/cog/block-cache";
import { requestedBlobs, RenderEngine } from "./render-engine.ts";

export interface InProcessRenderer extends Disposable {
  render(request: RenderRequest, signal?: AbortSignal): Promise<GridFile>;
}

/**
 * Draws grid files in the calling thread: for measurements and for tools that draw a few files.
 *
 * @param cacheBytes memory for decoded blocks; 0 keeps almost nothing, so that every tile is a cold one
 */
export function renderInProcess(blobs: Pick<BlobStore, "localPath" | "read">, cacheBytes: number): InProcessRenderer {
  const engine = new RenderEngine(createBlockCacheMemory(cacheBytes), ({ key, offset, length }, signal) =>
    blobs.read(key, offset, length, { signal }),
  );
  return {
    render(request, signal = new AbortController().signal) {
      const paths = Object.fromEntries(requestedBlobs(request).map((key) => [key, blobs.localPath(key)]));
      return engine.renderGridFile(request, paths, signal);
    },
    [Symbol.dispose]() {
      engine[Symbol.dispose]();
    },
  };
}
