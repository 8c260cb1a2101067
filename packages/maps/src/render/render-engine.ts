import type { StoredRaster } from "@swath/kernel/scenes/stored-raster";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { GridFile, RenderRequest } from "./grid-renderer.ts";
import { BlockCache, type BlockCacheMemory } from "@swath/raster/cog/block-cache";
import { BytesNeeded, ByteSupply, type FetchRange, type LocalBlob } from "@swath/raster/cog/byte-supply";
import { CogReader } from "@swath/raster/cog/cog-reader";
import { LocalBlobs } from "@swath/raster/cog/local-blobs";
import type { PixelAccess } from "@swath/raster/sample/scene-sampler";
import { WarpKernel } from "@swath/raster/warp/warp-kernel";
import { encodeDrawn } from "./encode-drawn.ts";
import { drawGridFile, type DrawnGridFile } from "./grid-file.ts";
import { zonalStatistics } from "./zonal-statistics.ts";

/** Local path of each blob of a scene, null for blobs that are elsewhere. */
export type BlobPaths = Readonly<Record<string, string | null>>;

/** Header, block table beyond the first read, pixels, pixels of aligned bands, overview: nothing needs more rounds. */
const MAX_FETCH_ROUNDS = 16;

/** Every blob that a scene's pixels are read from. */
export function blobKeys(raster: StoredRaster): readonly string[] {
  return raster.bands.flatMap((band) => (band.maskKey === null ? [band.key] : [band.key, band.maskKey]));
}

/** Every blob that a request reads. */
export function requestedBlobs(request: RenderRequest): readonly string[] {
  if (!("zones" in request)) {
    const members = request.mosaic?.members ?? [];
    const rasters = members.flatMap(({ raster, clearSky }) => [
      raster,
      ...(clearSky === null ? [] : [clearSky.raster]),
    ]);
    return [request.raster, ...rasters].flatMap(blobKeys);
  }
  const { map, clearSky } = request;
  return [map.raster, ...(clearSky === null ? [] : [clearSky.raster])].flatMap(blobKeys);
}

function draw(access: PixelAccess, request: RenderRequest): DrawnGridFile {
  if (!("zones" in request)) return drawGridFile(access, request);
  const body = new TextEncoder().encode(JSON.stringify(zonalStatistics(access, request)));
  return { kind: "bytes", mediaType: "application/json", body };
}

/** Draws in the calling thread. Jobs may overlap while they wait for bytes; pixels are made one job at a time. */
export class RenderEngine implements Disposable {
  readonly #kernel = new WarpKernel();
  readonly #reader: CogReader;
  readonly #locals = new LocalBlobs();
  readonly #fetchRange: FetchRange;

  constructor(cache: BlockCacheMemory, fetchRange: FetchRange) {
    this.#reader = new CogReader(new BlockCache(cache));
    this.#fetchRange = fetchRange;
  }

  async renderGridFile(request: RenderRequest, paths: BlobPaths, signal: AbortSignal): Promise<GridFile> {
    // Encoding starts before the job gives its memory to the next one.
    const encoding = await this.draw((access) => [encodeDrawn(draw(access, request))] as const, paths, signal);
    return encoding[0];
  }

  /** Runs `drawing`, fetching what it lacks and running it again until it has everything. */
  async draw<T>(drawing: (access: PixelAccess) => T, paths: BlobPaths, signal: AbortSignal): Promise<T> {
    const opened = new Map<string, LocalBlob | null>();
    const supply = new ByteSupply((key) => {
      let blob = opened.get(key);
      if (blob === undefined) {
        const path = paths[key] ?? null;
        blob = path === null ? null : this.#locals.open(path);
        opened.set(key, blob);
      }
      return blob;
    });
    for (let round = 0; round < MAX_FETCH_ROUNDS; round++) {
      signal.throwIfAborted();
      this.#kernel.reset();
      try {
        return drawing({ kernel: this.#kernel, reader: this.#reader, supply });
      } catch (error) {
        if (!(error instanceof BytesNeeded)) throw error;
      }
      await supply.fetch(this.#fetchRange, signal);
    }
    throw new ServiceError("SCENE-UNREADABLE", "the scene's rasters ask for more and more of their bytes");
  }

  [Symbol.dispose](): void {
    this.#locals[Symbol.dispose]();
  }
}
