import { formatInstant } from "@swath/kernel/time/instant";
import { HOUR_MS } from "@swath/kernel/weather/precipitation";
import type { Scene } from "@swath/kernel/scenes/scene";
import { sceneId } from "@swath/kernel/scenes/scene-id";
import { mbr } from "@swath/kernel/geometry/mbr";
import type { PixelArray } from "@swath/raster/source-raster";
import { memoryRaster } from "@swath/raster/store/memory-raster";
import type { OpenedScene, SceneSource } from "@swath/raster/source/scene-source";
import { boxArea } from "../credits/testing.ts";

/** A source of hourly rain on cells of a tenth of a degree, with whatever rates a test wants. */
export interface RainFixture {
  readonly source: SceneSource;
  /** How often a scene was opened. */
  opened: number;
}

export interface RainFixtureOptions {
  /** First and last start of the hours there are. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Names of the bands; one unless said. */
  readonly bands?: readonly string[];
  /** mm per hour of a cell, counted from -180 and 60 degrees; null for no value. */
  readonly rate: (startMs: number, column: number, row: number, band: number) => number | null;
  /** Hours that fail when they are opened. */
  readonly broken?: (startMs: number) => Error | null;
}

const PAGE = 100;
const PROVIDER = "ee";
const DATASET = "JAXA/GPM_L3/GSMaP/v6/operational";
const CELLS_PER_DEGREE = 10;

export function rainFixture(options: RainFixtureOptions): RainFixture {
  const fixture: RainFixture = {
    opened: 0,
    source: {
      isComputed: true,
      async search({ fromMs, toMs, after, limit }) {
        const scenes: Scene[] = [];
        for (let at = options.toMs; at >= options.fromMs; at -= HOUR_MS) {
          if ((fromMs !== null && at < fromMs) || (toMs !== null && at >= toMs)) continue;
          if (after !== null && at >= after.acquiredAtMs) continue;
          scenes.push(rainScene(at));
        }
        const size = Math.min(PAGE, limit);
        return { scenes: scenes.slice(0, size), end: scenes.length <= size };
      },
      scene: () => Promise.resolve(null),
      thumbnail: () => Promise.resolve(null),
      async open(scene, window, signal): Promise<OpenedScene> {
        signal.throwIfAborted();
        fixture.opened += 1;
        const startMs = Date.parse(`${scene.datetime.replace(" ", "T")}Z`);
        const error = options.broken?.(startMs) ?? null;
        if (error !== null) throw error;
        const [west, south, east, north] = window === null ? [-180, -60, 180, 60] : mbr(window.extent);
        const left = Math.floor((west + 180) * CELLS_PER_DEGREE);
        const top = Math.floor((60 - north) * CELLS_PER_DEGREE);
        const widthPx = Math.ceil((east + 180) * CELLS_PER_DEGREE) - left;
        const heightPx = Math.ceil((60 - south) * CELLS_PER_DEGREE) - top;
        const names = options.bands ?? ["hourlyPrecipRate"];
        const pixels = names.map((_, band): PixelArray =>
          Float32Array.from({ length: widthPx * heightPx }, (__, i) => {
            const rate = options.rate(startMs, left + (i % widthPx), top + Math.floor(i / widthPx), band);
            return rate ?? Number.NaN;
          }),
        );
        const raster = memoryRaster({
          widthPx,
          heightPx,
          bands: pixels,
          nodata: Number.NaN,
          transform: [0.1, 0, left / CELLS_PER_DEGREE - 180, 0, -0.1, 60 - top / CELLS_PER_DEGREE],
          crs: { epsg: 4326, proj4: "+proj=longlat +datum=WGS84 +no_defs", name: "WGS 84", datumShiftKnown: true },
        });
        return {
          rasters: [{ name: "rain", raster }],
          metadata: {
            foreignId: scene.foreignId,
            satellite: scene.satellite,
            datetime: scene.datetime,
            datetimeSource: "metadata",
            bands: names.map((name, band) => ({
              raster: 0,
              band,
              names: [name],
              role: null,
              wavelengthNm: null,
              quantity: "other",
              gsdM: null,
              nodata: Number.NaN,
            })),
          },
          [Symbol.asyncDispose]: () => Promise.resolve(),
        };
      },
      [Symbol.asyncDispose]: () => Promise.resolve(),
    },
  };
  return fixture;
}

function rainScene(startMs: number): Scene {
  const datetime = formatInstant(startMs);
  return {
    sceneId: sceneId(PROVIDER, DATASET, datetime.replaceAll(/\D/g, "")),
    foreignId: datetime,
    provider: PROVIDER,
    dataset: DATASET,
    satellite: "GPM",
    datetime,
    crsEpsg: 4326,
    footprint: boxArea([-180, -60, 180, 60]),
    areaKm2: 4.4e8,
    bands: [],
  };
}
