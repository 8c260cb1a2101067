import type { AnalysisBlock } from "../../analysis/block.ts";
import { seededGamma, seededUniform } from "../../analysis/clutter/simulate-clutter.ts";
import { changeSeries } from "./change-series.ts";
import { surveySeries, type SeriesModel } from "./survey-series.ts";

/** Result of the whole processing, from pixels to classes, on scenes without changes. */
export interface SeriesRates {
  readonly model: SeriesModel;
  /** Share of pixels whose p is below `level`. */
  readonly falseAlarmRate: number;
  readonly pixels: number;
}

/** Pixels per side that resolution is wider than a pixel: neighbours share half of their speckle each way. */
const CORRELATED_PX = 2;
const WINDOW_PX = 5;

/**
 * Looks of means over 5 x 5 pixels that are each the mean of 2 x 2 cells: weights of the cells are (1, 2, 2, 2, 2, 1) / 10
 * each way, so that 1 / sum of their squares is 5.56² instead of 25 cells of 4.
 */
export const CORRELATED_LOOKS_PER_CELL = (100 / 18) ** 2;

/**
 * Scenes of correlated speckle, each pixel the mean of 2 x 2 cells of so many looks, over ground of strong texture that
 * is the same on all dates.
 */
function correlatedSeries(side: number, dates: number, cellLooks: number, seed: number): AnalysisBlock {
  const uniform = seededUniform(seed);
  const gamma = seededGamma(cellLooks, uniform);
  const ground = Float64Array.from({ length: side * side }, () => 0.05 + 0.2 * uniform());
  const cells = side + CORRELATED_PX - 1;
  const scenes = Array.from({ length: dates }, () => {
    const cell = Float64Array.from({ length: cells * cells }, gamma);
    return [
      Float32Array.from({ length: side * side }, (_, i) => {
        const at = Math.floor(i / side) * cells + (i % side);
        return (ground[i]! * (cell[at]! + cell[at + 1]! + cell[at + cells]! + cell[at + cells + 1]!)) / 4;
      }),
    ];
  });
  const rect = { column: 0, row: 0, columns: side, rows: side };
  const place = { metresPerPixelX: 10, metresPerPixelY: 10, northDeg: 0, lonDeg: 0, latDeg: 0 };
  return { rect, core: rect, scenes, land: null, ground: place };
}

/** @param statedLooks looks of a pixel that metadata promise, null when they say nothing */
export function correlatedSeriesRates(
  side: number,
  dates: number,
  cellLooks: number,
  statedLooks: number | null,
  level: number,
  seed: number,
): SeriesRates {
  const block = correlatedSeries(side, dates, cellLooks, seed);
  const parameters = { looks: statedLooks, windowPx: WINDOW_PX, alpha: level };
  const model = surveySeries({ overview: block, windows: [block] }, parameters);
  const heat = changeSeries.compute(block, model, parameters).layers[0]!;
  let [pixels, alarms] = [0, 0];
  for (const value of heat) {
    if (Number.isNaN(value)) continue;
    pixels++;
    if (1 - value < level) alarms++;
  }
  return { model, falseAlarmRate: alarms / pixels, pixels };
}
