import { createProjection } from "@swath/kernel/crs/projection";
import { epsgOfUtmZone, utmName, utmProjString } from "@swath/kernel/crs/utm";
import { areaKm2 } from "@swath/kernel/geometry/area";
import type { MultiPolygon, Position } from "@swath/kernel/geometry/geojson";
import type { Affine } from "@swath/kernel/raster-mathematics/affine";
import { sceneId } from "@swath/kernel/scenes/scene-id";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { SceneMetadata } from "@swath/raster/scene-metadata/scene-metadata";
import type { SourceCrs, SourceRaster } from "@swath/raster/source-raster";
import { memoryRaster } from "@swath/raster/store/memory-raster";
import type { SourceBindings } from "../../sources/bindings.ts";
import type { SceneSource, SceneWindow } from "@swath/raster/source/scene-source";

/** Test support: a source of scenes of 20 x 20 km in UTM zone 33N, whose pixels tell where they are. */

const ZONE = { zone: 33, south: false };
const CRS: SourceCrs = {
  epsg: epsgOfUtmZone(ZONE),
  proj4: utmProjString(ZONE),
  name: utmName(ZONE),
  datumShiftKnown: true,
};
export const WEST_M = 500_000;
export const NORTH_M = 5_560_000;
export const SIDE_M = 20_000;
/** Pixel sizes of the two bands, each a raster of its own. */
const BAND_M = [50, 100] as const;

const plane = createProjection(CRS.proj4);

function corner(eastM: number, northM: number): Position {
  const [lon, lat] = plane.inverse(WEST_M + eastM, NORTH_M - SIDE_M + northM);
  return [Math.round(lon * 1e7) / 1e7, Math.round(lat * 1e7) / 1e7];
}

/** A rectangle of metres east and north of the scene's south-west corner. */
export function metres(west: number, south: number, east: number, north: number): MultiPolygon {
  const ring = [corner(west, south), corner(east, south), corner(east, north), corner(west, north)];
  return { type: "MultiPolygon", coordinates: [[[...ring, ring[0] ?? [0, 0]]]] };
}

export function sourceScene(local: string, provider: string, dataset: string): Scene {
  const footprint = metres(0, 0, SIDE_M, SIDE_M);
  return {
    sceneId: sceneId(provider, dataset, local),
    foreignId: `foreign ${local}`,
    provider,
    dataset,
    satellite: "test",
    datetime: "2024-06-30 10:15:00",
    crsEpsg: epsgOfUtmZone(ZONE),
    footprint,
    areaKm2: areaKm2(footprint),
    cloudCover: 0.25,
    bands: [],
  };
}

/** The value of the pixel at a place of the scene. */
export function valueAt(column: number, row: number): number {
  return 1 + ((column * 31 + row * 17) % 60_000);
}

const metadata: SceneMetadata = {
  foreignId: null,
  satellite: "test",
  datetime: "2024-06-30 10:15:00",
  datetimeSource: "document",
  bands: BAND_M.map((gsdM, raster) => ({
    raster,
    band: 0,
    names:
      [
        ["Red", "red"],
        ["NIR", "nir"],
      ][raster] ?? [],
    role: raster === 0 ? "R" : "N",
    wavelengthNm: null,
    quantity: "reflectance",
    gsdM,
    nodata: 0,
  })),
};

export interface TestSource extends SceneSource {
  /** Windows of all openings. */
  readonly opened: (SceneWindow | null)[];
  /** How often pixels of each band were read. */
  readonly reads: number[];
  /** Awaited before a scene is open. */
  beforeOpen: (signal: AbortSignal, sceneId: string) => Promise<void>;
  /** Awaited before pixels of a band are read. */
  beforeRead: (raster: number) => Promise<void>;
}

export function testSource(scenes: readonly Scene[]): TestSource {
  const source: TestSource = {
    isComputed: true,
    opened: [],
    reads: [0, 0],
    beforeOpen: async () => {},
    beforeRead: async () => {},
    search: async () => ({ scenes, end: true }),
    scene: async (id) => scenes.find((scene) => scene.sceneId === id) ?? null,
    thumbnail: async () => null,
    async open(scene, window, signal) {
      source.opened.push(window);
      await source.beforeOpen(signal, scene.sceneId);
      signal.throwIfAborted();
      return {
        metadata,
        rasters: BAND_M.map((sizeM, index) => ({
          name: `band-${index}.tif`,
          raster: windowOf(source, index, sizeM, window),
        })),
        async [Symbol.asyncDispose]() {},
      };
    },
    async [Symbol.asyncDispose]() {},
  };
  return source;
}

/** The pixels around a window, one more on each side. */
function windowOf(source: TestSource, index: number, sizeM: number, window: SceneWindow | null): SourceRaster {
  const sidePx = SIDE_M / sizeM;
  let [left, top, right, bottom] = [0, 0, sidePx, sidePx];
  if (window !== null) {
    const points = window.extent.coordinates.flat(2).map(([lon, lat]) => plane.forward(lon, lat));
    const columns = points.map(([x]) => (x - WEST_M) / sizeM);
    const rows = points.map(([, y]) => (NORTH_M - y) / sizeM);
    left = Math.max(0, Math.floor(Math.min(...columns)) - 1);
    right = Math.min(sidePx, Math.ceil(Math.max(...columns)) + 1);
    top = Math.max(0, Math.floor(Math.min(...rows)) - 1);
    bottom = Math.min(sidePx, Math.ceil(Math.max(...rows)) + 1);
  }
  const [widthPx, heightPx] = [right - left, bottom - top];
  const pixels = Uint16Array.from({ length: widthPx * heightPx }, (_, i) =>
    valueAt(left + (i % widthPx), top + Math.floor(i / widthPx)),
  );
  const transform: Affine = [sizeM, 0, WEST_M + left * sizeM, 0, -sizeM, NORTH_M - top * sizeM];
  const raster = memoryRaster({ widthPx, heightPx, bands: [pixels], nodata: 0, transform, crs: CRS });
  return {
    ...raster,
    async readRows(firstRow, rowCount, signal) {
      await source.beforeRead(index);
      source.reads[index] = (source.reads[index] ?? 0) + 1;
      return raster.readRows(firstRow, rowCount, signal);
    },
  };
}

/** One source for all datasets. */
export function boundTo(source: SceneSource): SourceBindings {
  return { sourceOf: () => source, [Symbol.asyncDispose]: async () => {} };
}
