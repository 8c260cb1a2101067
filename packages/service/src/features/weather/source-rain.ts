import { parseInstant } from "@swath/kernel/time/instant";
import { mbr, splitBounds } from "@swath/kernel/geometry/mbr";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { LonLatGrid } from "@swath/kernel/weather/cell-weights";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { SourceRaster } from "@swath/raster/source-raster";
import type { OpenedScene, SceneSource } from "@swath/raster/source/scene-source";
import { rainBands, type RainRaster, type RainScene, type RainScenes } from "./rain-scenes.ts";

/** A window has at most 721 hours; sources may make pages smaller than asked. */
const PAGE_SIZE = 1000;
const MAX_PAGES = 100;

export interface RainDataset {
  readonly provider: string;
  readonly dataset: string;
}

/** Hourly rain of the source that a dataset is bound to. */
export function sourceRain(source: SceneSource, { provider, dataset }: RainDataset): RainScenes {
  return {
    async between(area, fromMs, toMs, signal) {
      const scenes: RainScene[] = [];
      let last: Scene | null = null;
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const after: { readonly acquiredAtMs: number; readonly sceneId: string } | null =
          last === null ? null : { acquiredAtMs: startOf(last), sceneId: last.sceneId };
        const found = await source.search(
          { provider, dataset, extent: area, boxes: splitBounds(mbr(area)), fromMs, toMs, after, limit: PAGE_SIZE },
          signal,
        );
        for (const scene of found.scenes) scenes.push(rainScene(source, scene, signal));
        last = found.scenes.at(-1) ?? null;
        if (found.end || last === null) break;
      }
      return scenes;
    },
  };
}

function startOf(scene: Scene): number {
  const startMs = parseInstant(scene.datetime);
  if (startMs === null) {
    throw new ServiceError("SCENE-UNREADABLE", `scene ${scene.sceneId} has the datetime "${scene.datetime}"`);
  }
  return startMs;
}

function rainScene(source: SceneSource, scene: Scene, signal: AbortSignal): RainScene {
  return {
    startMs: startOf(scene),
    async open<T>(area: MultiPolygon, use: (raster: RainRaster) => Promise<T>): Promise<T> {
      await using opened = await source.open(scene, { extent: area }, signal);
      return await use(rasterOf(scene, opened, signal));
    },
  };
}

function rasterOf(scene: Scene, { rasters, metadata }: OpenedScene, signal: AbortSignal): RainRaster {
  const bands = rainBands(metadata.bands.map(({ names }) => names)).flatMap((index) => metadata.bands[index] ?? []);
  const [first] = bands;
  const raster = first === undefined ? undefined : rasters[first.raster]?.raster;
  if (first === undefined || raster === undefined) {
    throw new ServiceError("SCENE-UNREADABLE", `scene ${scene.sceneId} has no band of rain`);
  }
  // Bands in rasters of their own are on the same grid but would need to be read one by one; the best one will do.
  const together = bands.filter((band) => band.raster === first.raster);
  return {
    grid: gridOf(scene, raster),
    async rows(firstRow, rowCount) {
      const pixels = await raster.readRows(firstRow, rowCount, signal);
      return together.flatMap((band) => {
        const values = pixels[band.band];
        const source = raster.bands[band.band];
        if (values === undefined || source === undefined) return [];
        const { scale, offset } = source;
        return [{ values, firstCell: firstRow * raster.widthPx, nodata: band.nodata ?? source.nodata, scale, offset }];
      });
    },
  };
}

function gridOf(scene: Scene, { georeference, crs, widthPx, heightPx }: SourceRaster): LonLatGrid {
  if (georeference.kind !== "affine" || crs?.epsg !== 4326) {
    throw new ServiceError("SCENE-UNREADABLE", `scene ${scene.sceneId} is not on a grid of longitude and latitude`);
  }
  const [a, b, c, d, e, f] = georeference.transform;
  if (!(a > 0 && e < 0 && b === 0 && d === 0)) {
    throw new ServiceError("SCENE-UNREADABLE", `scene ${scene.sceneId} is not north-up`);
  }
  return { westDeg: c, northDeg: f, cellWidthDeg: a, cellHeightDeg: -e, columns: widthPx, rows: heightPx };
}
