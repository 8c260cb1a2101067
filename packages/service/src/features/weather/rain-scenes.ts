import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { LonLatGrid } from "@swath/kernel/weather/cell-weights";
import type { RasterValues } from "@swath/kernel/weather/precipitation";

/** Rates of one hour, mm per hour, on a grid of longitude and latitude. */
export interface RainRaster {
  readonly grid: LonLatGrid;
  /**
   * Values of whole rows, for each band that has rates, the most trusted first: adjusted to gauges where that has been
   * done already, else as first measured.
   */
  readonly rows: (firstRow: number, rowCount: number) => Promise<readonly RasterValues[]>;
}

/** A scene that holds the rates of the hour that begins with it. */
export interface RainScene {
  readonly startMs: number;
  /** Opens the part that covers an area, which lies on one side of the antimeridian, for as long as `use` runs. */
  readonly open: <T>(area: MultiPolygon, use: (raster: RainRaster) => Promise<T>) => Promise<T>;
}

/** Where hourly rain comes from. */
export interface RainScenes {
  /** Scenes that begin in `[fromMs, toMs)`, in any order; an hour may come twice. */
  between(area: MultiPolygon, fromMs: number, toMs: number, signal: AbortSignal): Promise<readonly RainScene[]>;
}

const GAUGE_ADJUSTED = /gc$|gauge|calibrated/i;
const RATE = /precip|rain/i;

/**
 * Which bands of a scene are rates, the most trusted first: gauge-adjusted, then other rates, then the first band of a
 * scene that names none.
 *
 * @param bands names of each band
 * @example rainBands([["hourlyPrecipRate"], ["hourlyPrecipRateGC"], ["gaugeQualityInfo"]]) // [1, 0]
 */
export function rainBands(bands: readonly (readonly string[])[]): readonly number[] {
  const rates = [...bands.keys()].filter((index) => bands[index]?.some((name) => RATE.test(name)) === true);
  const adjusted = rates.filter((index) => bands[index]?.some((name) => GAUGE_ADJUSTED.test(name)) === true);
  const others = rates.filter((index) => !adjusted.includes(index));
  const found = [...adjusted, ...others];
  return found.length > 0 || bands.length === 0 ? found : [0];
}
