import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BandRole } from "@swath/kernel/bands/band-role";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { BandQuantity, StoredRaster } from "@swath/kernel/scenes/stored-raster";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import { createMapTypes } from "../registry.ts";
import type { GridFile, GridRequest } from "./grid-renderer.ts";
import { memoryRaster, type MemoryRasterOptions } from "@swath/raster/store/memory-raster";
import { writeCogs } from "@swath/raster/store/write-cog";

const mapTypes = createMapTypes([]);

/** A scene in a separate folder, written by the COG writer of the store. */
export interface SceneFixture extends AsyncDisposable {
  readonly folder: string;
  readonly stored: StoredScene;
  /** Blobs as local files. */
  readonly local: BlobStore;
  /** The same blobs without local paths; `reads` counts what was fetched. */
  readonly remote: BlobStore & { readonly reads: { readonly key: string; readonly length: number }[] };
}

export interface FixtureOptions extends MemoryRasterOptions {
  readonly roles: readonly (BandRole | null)[];
  readonly quantity?: BandQuantity;
  readonly scene?: Partial<Scene>;
  readonly reflectanceMult?: number;
}

export async function sceneFixture(options: FixtureOptions): Promise<SceneFixture> {
  const folder = await mkdtemp(join(tmpdir(), "swath-serve-"));
  const source = memoryRaster(options);
  if (source.georeference.kind !== "affine" || source.crs === null) throw new Error("the fixture needs a CRS");
  const { transform } = source.georeference;
  const isClass = options.quantity === "class" || source.palette !== null;
  const written = await writeCogs(source, transform, source.crs, {
    folder,
    name: "band",
    isClass: source.bands.map(() => isClass),
    signal: new AbortController().signal,
  });
  const keyOf = (path: string): string => path.slice(folder.length + 1);
  const raster: StoredRaster = {
    proj4: source.crs.proj4,
    controlGrid: null,
    bands: written.bands.map((band, i) => ({
      key: keyOf(band.path),
      role: options.roles[i] ?? null,
      quantity: options.quantity ?? "other",
      dataType: source.bands[i]?.dataType ?? "uint8",
      widthPx: options.widthPx,
      heightPx: options.heightPx,
      geotransform: transform,
      nodata: band.nodata,
      maskKey: written.mask === null ? null : keyOf(written.mask.path),
      statistics: band.statistics,
      palette: source.palette,
    })),
  };
  const scene = sceneOf(raster, options);
  return {
    folder,
    stored: { scene, raster, contentHash: "0" },
    local: blobsIn(folder, (key) => join(folder, key)),
    remote: Object.assign(
      blobsIn(folder, () => null),
      { reads: [] },
    ),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

function sceneOf(raster: StoredRaster, { scene, reflectanceMult }: FixtureOptions): Scene {
  return {
    sceneId: "local-uploads-fixture",
    foreignId: "fixture",
    provider: "local",
    dataset: "uploads",
    satellite: "none",
    datetime: "2024-05-06 10:11:12",
    crsEpsg: 32_632,
    footprint: { type: "MultiPolygon", coordinates: [] },
    areaKm2: 1,
    bands: raster.bands.map(({ role, geotransform, dataType }, i) => ({
      names: role === null ? [`Band ${i + 1}`] : [role, role.toLowerCase()],
      bitDepth: dataType === "uint8" ? 8 : 16,
      gsd: geotransform[0],
      pixelSizeX: geotransform[0],
      pixelSizeY: geotransform[4],
      crsOriginX: geotransform[2],
      crsOriginY: geotransform[5],
      approximateResolutionX: geotransform[0],
      approximateResolutionY: geotransform[0],
      ...(reflectanceMult === undefined ? {} : { reflectanceMult }),
    })),
    ...scene,
  };
}

function unsupported(): never {
  throw new Error("blobs of the fixture are only read");
}

function blobsIn(folder: string, localPath: (key: string) => string | null): BlobStore {
  return {
    put: unsupported,
    putFile: unsupported,
    head: unsupported,
    stream: unsupported,
    delete: unsupported,
    list: unsupported,
    probe: unsupported,
    removeUnfinished: unsupported,
    localPath,
    async read(key, offset, length) {
      const { open } = await import("node:fs/promises");
      await using file = await open(join(folder, key));
      const buffer = new Uint8Array(length);
      const { bytesRead } = await file.read(buffer, 0, length, offset);
      if ("reads" in this && Array.isArray(this.reads)) this.reads.push({ key, length });
      return buffer.subarray(0, bytesRead);
    },
    async [Symbol.asyncDispose]() {},
  };
}

/** A request for a file of a map type, everything else at its default. */
export function gridRequest(
  stored: StoredScene,
  mapType: string,
  fileName: string,
  window: GridRequest["window"],
  more: Partial<GridRequest> = {},
): GridRequest {
  const descriptor = mapTypes.find(mapType);
  if (descriptor === undefined) throw new Error(`no map type ${mapType}`);
  return {
    mapType,
    version: descriptor.version,
    rendering: descriptor.rendering,
    mapId: "map",
    scene: stored.scene,
    raster: stored.raster,
    window,
    clip: null,
    fileName,
    percentileStretch: false,
    userThreshold: null,
    forceDownload: false,
    ...more,
  };
}

/** The 512-pixel tile over a point. */
export function tileAt(lonDeg: number, latDeg: number, z: number): Extract<GridRequest["window"], { kind: "tile" }> {
  const x = Math.floor(((lonDeg + 180) / 360) * 2 ** z);
  const y = Math.floor((0.5 - Math.atanh(Math.sin((latDeg * Math.PI) / 180)) / (2 * Math.PI)) * 2 ** z);
  return { kind: "tile", z, x, y, sizePx: 512 };
}

/** The bytes of a file that must be one. */
export function bodyOf(file: GridFile): Uint8Array {
  if (file.kind !== "file") throw new Error(`got ${file.kind}, expected a file`);
  return file.body;
}

export function jsonOf(file: GridFile): Record<string, unknown> {
  return JSON.parse(new TextDecoder().decode(bodyOf(file))) as Record<string, unknown>;
}
