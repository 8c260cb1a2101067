import { isGeographic } from "@swath/kernel/crs/projection";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { StoredBand, StoredRaster } from "@swath/kernel/scenes/stored-raster";
import type { LonLatGrid } from "@swath/kernel/weather/cell-weights";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Db } from "../../platform/context.ts";
import type { WindowReader } from "@swath/maps/render/read-window";
import { rainBands, type RainRaster, type RainScene, type RainScenes } from "./rain-scenes.ts";
import type { RainDataset } from "./source-rain.ts";
import * as store from "./store.ts";

/** An hour may be in the store twice; a window has at most 721. */
const MAX_SCENES = 2_000;

/** Hourly rain of what was ingested here. */
export function storedRain(db: Db, windows: WindowReader, dataset: RainDataset): RainScenes {
  return {
    async between(_area, fromMs, toMs, signal) {
      const rows = await store.findStoredScenes(db, dataset, new Date(fromMs), new Date(toMs), MAX_SCENES);
      return rows.map((row): RainScene => ({
        startMs: row.acquired_at.getTime(),
        open: async <T>(_part: MultiPolygon, use: (raster: RainRaster) => Promise<T>) =>
          // Written by ingestion from values of these types.
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion
          await use(rasterOf(row.document as Scene, row.raster as StoredRaster, windows, signal)),
      }));
    },
  };
}

function rasterOf(scene: Scene, raster: StoredRaster, windows: WindowReader, signal: AbortSignal): RainRaster {
  const bands = rainBands(scene.bands.map(({ names }) => names)).flatMap((index) => raster.bands[index] ?? []);
  const [first] = bands;
  if (first === undefined) throw new ServiceError("SCENE-UNREADABLE", `scene ${scene.sceneId} has no band of rain`);
  const together = bands.filter(({ geotransform }) => String(geotransform) === String(first.geotransform));
  return {
    grid: gridOf(scene, raster, first),
    rows: (firstRow, rowCount) =>
      Promise.all(
        together.map(async (band) => {
          const window = { x: 0, y: firstRow, widthPx: band.widthPx, heightPx: rowCount };
          const { pixels, valid } = await windows.read(band, window, signal);
          const values = Float64Array.from(pixels, (value, i) => (valid[i] === 0 ? Number.NaN : value));
          return { values, firstCell: firstRow * band.widthPx };
        }),
      ),
  };
}

function gridOf(scene: Scene, { proj4 }: StoredRaster, { geotransform, widthPx, heightPx }: StoredBand): LonLatGrid {
  if (!isGeographic(proj4)) {
    throw new ServiceError("SCENE-UNREADABLE", `scene ${scene.sceneId} is not on a grid of longitude and latitude`);
  }
  const [a, , c, , e, f] = geotransform;
  return { westDeg: c, northDeg: f, cellWidthDeg: a, cellHeightDeg: -e, columns: widthPx, rows: heightPx };
}
