import type { BlockAlgorithm } from "../../analysis/block.ts";
import { trustOf } from "../change/change.ts";
import { INDEFINITE, NEGATIVE, POSITIVE } from "../change/change-classes.ts";
import { withoutSmallGroups } from "../change/change-mask.ts";
import { multilook } from "../change/radar/multilook.ts";
import { changeResult } from "../change/scored-pixels.ts";
import { MAX_SHIFT_PX } from "../../analysis/coregistration/scene-shift.ts";
import { shiftedPlane } from "../../analysis/coregistration/shifted-plane.ts";
import { tailOf } from "../change/tail-table.ts";
import { createChangePoints, findChangePoints, type ChangePoints } from "./change-points.ts";
import {
  describeSeries,
  shiftOf,
  surveySeries,
  type RadarSeriesParameters,
  type SeriesModel,
} from "./survey-series.ts";

/** A shift, averaging (up to 7 x 7), and groups that a smallest size decides about. */
export const SERIES_MARGIN_PX = MAX_SHIFT_PX + 8;
const MIN_PIXELS = 4;

/**
 * What changed in a series of radar scenes, and when. Layers: heat (1 - p of the whole series), classes of change, number
 * of the first scene after the first change (the first scene of all is 1), the same for the last change, and how many
 * there were; NaN where none is.
 */
export const changeSeries: BlockAlgorithm<RadarSeriesParameters, SeriesModel> = {
  survey: surveySeries,

  compute(block, { coregistration, windowPx, tests, table }) {
    const { rect, scenes } = block;
    const { columns, rows } = rect;
    const size = columns * rows;
    const dates = scenes.length;
    const channels = scenes[0]!.length;
    const trust = Math.min(...coregistration.map(trustOf), 1);
    const planes = scenes.flatMap((own, date) => {
      const { dx, dy } = shiftOf(coregistration, date);
      return own.map((plane) => multilook(shiftedPlane(plane, columns, rows, dx, dy), columns, rows, windowPx));
    });
    const powers = new Float64Array(dates * channels);
    const logs = new Float64Array(dates * channels);
    const points = createChangePoints();
    const heat = new Float32Array(size).fill(Number.NaN);
    const statistic = new Float32Array(size).fill(Number.NaN);
    const set = new Uint8Array(size);
    const direction = new Uint8Array(size);
    const found = { first: new Uint8Array(size), last: new Uint8Array(size), count: new Uint8Array(size) };
    for (let at = 0; at < size; at++) {
      let valid = 0;
      for (let i = 0; i < planes.length; i++) {
        const power = planes[i]![at]!;
        powers[i] = power;
        logs[i] = Math.log(power);
        valid += logs[i]!;
      }
      if (!Number.isFinite(valid)) continue;
      findChangePoints(tests, powers, logs, points);
      statistic[at] = Math.max(0, points.statistic);
      heat[at] = 1 - tailOf(table, Math.max(0, points.statistic));
      if (points.count === 0 && !points.gradual) continue;
      set[at] = 1;
      found.first[at] = points.first;
      found.last[at] = points.last;
      found.count[at] = points.count;
      direction[at] = points.count > 0 ? directionOf(points) : INDEFINITE;
    }
    const changed = withoutSmallGroups(set, columns, rows, MIN_PIXELS);
    return changeResult(
      block,
      { heat, statistic, threshold: tests.wholeLimits[dates]!, changed, direction },
      trust,
      () => [
        numbersWhere(changed, found.first, 1),
        numbersWhere(changed, found.last, 1),
        numbersWhere(changed, found.count, 0),
      ],
    );
  },

  describe: describeSeries,
};

/** All changes one way, or not. */
function directionOf({ count, ups, downs }: ChangePoints): number {
  if (ups === count) return POSITIVE;
  return downs === count ? NEGATIVE : INDEFINITE;
}

/** Values above 0 of changed pixels, with something added; NaN elsewhere. */
function numbersWhere(changed: Uint8Array, values: Uint8Array, add: number): Float32Array {
  const numbers = new Float32Array(values.length).fill(Number.NaN);
  for (let i = 0; i < numbers.length; i++) if (changed[i] === 1 && values[i]! > 0) numbers[i] = values[i]! + add;
  return numbers;
}
