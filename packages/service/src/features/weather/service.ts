import type { MultiPolygon, PolygonCoordinates } from "@swath/kernel/geometry/geojson";
import { mbr } from "@swath/kernel/geometry/mbr";
import { parseInstant } from "@swath/kernel/time/instant";
import { cellWeights, type CellWeights } from "@swath/kernel/weather/cell-weights";
import { HOUR_MS, meanOf, precipitation, weightedSum, type PartialMean } from "@swath/kernel/weather/precipitation";
import type { RainInterval } from "@swath/kernel/weather/precipitation";
import type { ErrorCode } from "@swath/kernel/errors/error-code";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Clock } from "@swath/base/clock";
import type { Db } from "../../platform/context.ts";
import type { WindowReader } from "@swath/maps/render/read-window";
import type { SourceBindings } from "../../sources/bindings.ts";
import type { Areas } from "../../platform/geometry/areas.ts";
import type { PrecipitationAnswer, PrecipitationRequest } from "@swath/contract/features/weather/contract";
import type { RainRaster, RainScene } from "./rain-scenes.ts";
import { sourceRain, type RainDataset } from "./source-rain.ts";
import { storedRain } from "./stored-rain.ts";

export interface WeatherService {
  /** @throws {ServiceError} VALIDATION-ERROR, DATA-NOT-AVAILABLE, SERVICE-UNAVAILABLE */
  precipitation(request: PrecipitationRequest, signal: AbortSignal): Promise<PrecipitationAnswer>;
}

export interface WeatherServiceDeps {
  readonly areas: Pick<Areas, "read">;
  readonly db: Db;
  readonly clock: Clock;
  readonly sources: Pick<SourceBindings, "sourceOf">;
  readonly windows: WindowReader;
}

/** Hourly rates in mm per hour; timestamps mark the start of the hour. */
const RAIN: RainDataset = { provider: "ee", dataset: "JAXA/GPM_L3/GSMaP/v6/operational" };
const CADENCE_MS = HOUR_MS;
/** The dataset ends there. */
const MAX_LATITUDE_DEG = 60;
const UNREADABLE: ReadonlySet<ErrorCode> = new Set(["SCENE-UNREADABLE", "DATA-NOT-AVAILABLE", "NON-EXISTING-SCENE"]);
/** Rasters read at once. */
const CONCURRENCY = 8;

export function createWeatherService({ areas, db, clock, sources, windows }: WeatherServiceDeps): WeatherService {
  return {
    async precipitation(request, signal) {
      const endMs = endOf(request, clock.now().getTime());
      const { windowSizeHours } = request;
      const rules = { path: "/geometry", maxLatitudeDeg: 90, sceneCount: 1 };
      const area = await areas.read(request.geometry, rules, signal);
      requireCovered(area);
      const source = sources.sourceOf(RAIN.provider, RAIN.dataset);
      const rain = source === null ? storedRain(db, windows, RAIN) : sourceRain(source, RAIN);
      const fromMs = endMs - windowSizeHours * HOUR_MS;
      // An hour that began before the window reaches into it.
      const scenes = await rain.between(area, fromMs - CADENCE_MS, endMs, signal);
      const intervals = await meansOver(area, distinct(scenes, fromMs, endMs), signal);
      const result = precipitation(intervals, endMs, windowSizeHours);
      if (result.kind === "missing") {
        throw new ServiceError(
          "DATA-NOT-AVAILABLE",
          `${result.missingHours.toFixed(1)} of ${windowSizeHours} hours have no data over the geometry, at most a fifth may be missing`,
        );
      }
      return { precipitation: result.precipitationMm };
    },
  };
}

function invalid(path: string, message: string): ServiceError {
  return new ServiceError("VALIDATION-ERROR", `${path.slice(1)} ${message}`, { details: [{ path, message }] });
}

function endOf({ endDatetime, endTime }: PrecipitationRequest, nowMs: number): number {
  const path = endDatetime === undefined && endTime !== undefined ? "/endTime" : "/endDatetime";
  const text = endDatetime ?? endTime;
  if (text === undefined) throw invalid(path, "is required");
  const endMs = parseInstant(text);
  if (endMs === null) throw invalid(path, `must be a moment, got ${text}`);
  if (endDatetime !== undefined && endTime !== undefined && parseInstant(endTime) !== endMs) {
    throw invalid("/endTime", `must be the same moment as endDatetime, got ${endTime} and ${endDatetime}`);
  }
  if (endMs > nowMs) throw invalid(path, `must not lie in the future, got ${text}`);
  return endMs;
}

function requireCovered(area: MultiPolygon): void {
  const [, south, , north] = mbr(area);
  if (south < -MAX_LATITUDE_DEG || north > MAX_LATITUDE_DEG) {
    throw new ServiceError(
      "DATA-NOT-AVAILABLE",
      `the geometry reaches from latitude ${south} to ${north}, rain is known from -${MAX_LATITUDE_DEG} to ${MAX_LATITUDE_DEG}`,
    );
  }
}

/** One scene for each hour that the window needs. */
function distinct(scenes: readonly RainScene[], fromMs: number, endMs: number): readonly RainScene[] {
  const byStart = new Map<number, RainScene>();
  for (const scene of scenes) {
    if (scene.startMs + CADENCE_MS <= fromMs || scene.startMs >= endMs || byStart.has(scene.startMs)) continue;
    byStart.set(scene.startMs, scene);
  }
  return [...byStart.values()];
}

/** An area as parts that each lie on one side of the antimeridian. */
function sides(area: MultiPolygon): readonly MultiPolygon[] {
  if (mbr(area)[2] <= 180) return [area];
  return [true, false].map((west) => ({
    type: "MultiPolygon",
    coordinates: area.coordinates.filter((part) => isWest(part) === west),
  }));
}

function isWest(polygon: PolygonCoordinates): boolean {
  return (polygon[0]?.[0]?.[0] ?? 0) < 0;
}

/** The weights of an area on the grids it meets, of which all hours share one. */
class AreaOnGrids {
  readonly area: MultiPolygon;
  readonly #weights = new Map<string, CellWeights>();

  constructor(area: MultiPolygon) {
    this.area = area;
  }

  on(raster: RainRaster): CellWeights {
    const key = JSON.stringify(raster.grid);
    const known = this.#weights.get(key);
    if (known !== undefined) return known;
    const weights = cellWeights(this.area, raster.grid);
    this.#weights.set(key, weights);
    return weights;
  }
}

async function meansOver(
  area: MultiPolygon,
  scenes: readonly RainScene[],
  signal: AbortSignal,
): Promise<readonly RainInterval[]> {
  const parts = sides(area).map((side) => new AreaOnGrids(side));
  const intervals: RainInterval[] = [];
  let next = 0;
  const run = async (): Promise<void> => {
    for (let scene = scenes[next++]; scene !== undefined; scene = scenes[next++]) {
      signal.throwIfAborted();
      const meanMmPerH = await meanOver(parts, scene).catch(missing);
      intervals.push({ startMs: scene.startMs, endMs: scene.startMs + CADENCE_MS, meanMmPerH });
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, scenes.length) }, run));
  return intervals;
}

/** An hour that cannot be read is a missing one; a source that does not answer at all is a failure. */
function missing(error: unknown): null {
  if (error instanceof ServiceError && UNREADABLE.has(error.code)) return null;
  throw error;
}

/** The mean rate by the most trusted band that has values over enough of the area. */
async function meanOver(parts: readonly AreaOnGrids[], scene: RainScene): Promise<number | null> {
  const sums: (readonly PartialMean[])[] = [];
  let totalKm2 = 0;
  for (const part of parts) {
    const { bands, km2 } = await scene.open(part.area, async (raster) => {
      const weights = part.on(raster);
      return { bands: await bandSums(raster, weights), km2: weights.totalKm2 };
    });
    sums.push(bands);
    totalKm2 += km2;
  }
  const bandCount = Math.min(...sums.map((bands) => bands.length));
  for (let band = 0; band < bandCount; band += 1) {
    const mean = meanOf(
      sums.flatMap((bands) => bands[band] ?? []),
      totalKm2,
    );
    if (mean !== null) return Math.max(0, mean);
  }
  return null;
}

async function bandSums(raster: RainRaster, weights: CellWeights): Promise<readonly PartialMean[]> {
  const [first] = weights.cells;
  const last = weights.cells.at(-1);
  if (first === undefined || last === undefined) return [];
  const firstRow = Math.floor(first / raster.grid.columns);
  const rowCount = Math.floor(last / raster.grid.columns) - firstRow + 1;
  const bands = await raster.rows(firstRow, rowCount);
  return bands.map((band) => weightedSum(weights, band));
}
