import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { StoredBand, StoredRaster } from "@swath/kernel/scenes/stored-raster";
import { writeCogs } from "../packages/raster/src/store/write-cog.ts";
import { fileSource } from "../packages/raster/src/tiff/byte-sources.ts";
import { openTiff } from "../packages/raster/src/tiff/open.ts";
import { GRANULE_PX, largeGeotiff, TEMPORARY } from "./large-geotiff.ts";

const BANDS = [
  { names: ["Blue", "blue", "b"], role: "B" },
  { names: ["Green", "green", "g"], role: "G" },
  { names: ["Red", "red", "r"], role: "R" },
  { names: ["NIR", "near-ir"], role: "N" },
] as const;

export interface GranuleScene {
  readonly scene: Scene;
  readonly raster: StoredRaster;
  /** COG of each band, blue first. */
  readonly files: readonly string[];
  readonly blobs: {
    localPath(key: string): string;
    read(key: string, offset: number, length: number): Promise<Uint8Array>;
  };
}

/** The granule of `largeGeotiff` as the store keeps it; made once, kept in `bench/tmp`. */
export async function granuleScene(): Promise<GranuleScene> {
  const folder = join(TEMPORARY, "store");
  const path = join(folder, "scene.json");
  if (!existsSync(path)) {
    await rm(folder, { recursive: true, force: true });
    await using source = await fileSource(await largeGeotiff());
    await using raster = await openTiff(source);
    if (raster.georeference.kind !== "affine" || raster.crs === null) throw new Error("the granule is north-up");
    const { transform } = raster.georeference;
    const written = await writeCogs(raster, transform, raster.crs, {
      folder,
      name: "scene",
      isClass: raster.bands.map(() => false),
      signal: new AbortController().signal,
    });
    const bands = written.bands.map((band, index): StoredBand => ({
      key: `scene-b${index}.tif`,
      role: BANDS[index]?.role ?? null,
      quantity: "reflectance",
      dataType: "uint16",
      widthPx: GRANULE_PX,
      heightPx: GRANULE_PX,
      geotransform: transform,
      nodata: band.nodata,
      maskKey: null,
      statistics: band.statistics,
      palette: null,
    }));
    const stored: StoredRaster = { proj4: raster.crs.proj4, controlGrid: null, bands };
    await writeFile(path, JSON.stringify(stored));
  }
  const raster: StoredRaster = JSON.parse(await readFile(path, "utf8"));
  const localPath = (key: string): string => join(folder, key);
  return {
    scene: sceneOf(raster),
    raster,
    files: raster.bands.map(({ key }) => localPath(key)),
    blobs: {
      localPath,
      async read(key, offset, length) {
        await using file = await open(localPath(key));
        const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, offset);
        return buffer.subarray(0, bytesRead);
      },
    },
  };
}

function sceneOf(raster: StoredRaster): Scene {
  return {
    sceneId: "local.uploads.granule",
    foreignId: "granule",
    provider: "local",
    dataset: "uploads",
    satellite: "bench",
    datetime: "2026-06-01 10:00:00",
    crsEpsg: 32_633,
    // Well inside the granule: the tiles of the benches are all within it.
    footprint: {
      type: "MultiPolygon",
      coordinates: [
        [
          [
            [15.05, 49.6],
            [15.05, 50.5],
            [16.45, 50.5],
            [16.45, 49.6],
            [15.05, 49.6],
          ],
        ],
      ],
    },
    areaKm2: 9_900,
    bands: raster.bands.map(({ geotransform: [pixelSizeX, , crsOriginX, , pixelSizeY, crsOriginY] }, index) => ({
      names: BANDS[index]?.names ?? [],
      bitDepth: 16,
      gsd: 10,
      pixelSizeX,
      pixelSizeY,
      crsOriginX,
      crsOriginY,
      approximateResolutionX: 10,
      approximateResolutionY: 10,
      reflectanceMult: 0.0001,
      reflectanceAdd: 0,
    })),
  };
}
