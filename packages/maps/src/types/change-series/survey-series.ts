import type { AnalysisBlock, AnalysisSurvey } from "../../analysis/block.ts";
import { seriesTests, type SeriesTests } from "./change-points.ts";
import { omnibusTail, omnibusTest } from "./omnibus-test.ts";
import { tailTable, type TailTable } from "../change/tail-table.ts";
import { looksOfSquares, medianLooks } from "../change/radar/measured-looks.ts";
import { LOOKS_KEPT, type RadarChangeParameters } from "../change/radar/radar-change.ts";
import { multilook } from "../change/radar/multilook.ts";
import { fullResolutionBlocks } from "../change/sampled-pairs.ts";
import { equivalentLooks } from "../../analysis/clutter/equivalent-looks.ts";
import { refuseDisplaced } from "../../analysis/coregistration/refuse-displaced.ts";
import { measureSceneShift, type Coregistration } from "../../analysis/coregistration/scene-shift.ts";
import { wholeShift } from "../../analysis/coregistration/shifted-plane.ts";

/** Model of a series of radar scenes. Plain data. */
export interface SeriesModel {
  /** Of each scene against the first; whole pixels, so that speckle stays as it is. */
  readonly coregistration: readonly Coregistration[];
  /** Equivalent looks of the averaged power that the test counts with. */
  readonly looks: number;
  /** Of each polarisation, as the scatter of unchanged pixels between dates shows it; null when too few can be seen. */
  readonly measuredLooks: readonly (number | null)[];
  /** The same of single pixels: what averaging has brought shows how neighbours are correlated. */
  readonly pixelLooks: readonly (number | null)[];
  /** Of single pixels of the first scene: median of mean² by variance over squares of 64 pixels, texture included. */
  readonly areaLooks: readonly (number | null)[];
  readonly windowPx: number;
  readonly alpha: number;
  readonly tests: SeriesTests;
  /** P(no change) of the whole series by `-2 lnQ`. */
  readonly table: TailTable;
}

/** Largest distinguished statistic per degree of freedom. */
const MAX_STATISTIC_PER_FREEDOM = 40;
const FIRST: Coregistration = { dx: 0, dy: 0, residualPx: 0, windows: 0, agreeing: 0, status: "measured" };

/** Parameters of the test of a series. */
export interface RadarSeriesParameters extends Omit<RadarChangeParameters, "method"> {
  /** Times of the scenes, for the record. */
  readonly datetimes?: readonly string[];
}

/**
 * Looks after averaging are the median of those that squares of ground show between scenes that follow each other. Never more than
 * independent pixels would bring, because speckle that stays the same between dates would seem to be none; of
 * polarisations the fewest.
 *
 * @throws {ScenesRefused} when scenes do not lie on each other and cannot be moved so that they do
 */
export function surveySeries(survey: AnalysisSurvey, parameters: RadarSeriesParameters): SeriesModel {
  const { windowPx, looks: perPixel, alpha } = parameters;
  const coregistration = measureShifts(survey.windows, windowPx);
  const blocks = fullResolutionBlocks(survey);
  const [block] = blocks;
  const channels = block?.scenes[0]?.length ?? 0;
  const most = perPixel !== null ? perPixel * windowPx * windowPx : Infinity;
  const looksOver = (sidePx: number): readonly (number | null)[] =>
    Array.from({ length: channels }, (_, channel) => looksBetween(blocks, channel, coregistration, sidePx));
  const measuredLooks = looksOver(windowPx);
  const seen = measuredLooks.filter((looks) => looks !== null);
  const expected = (perPixel ?? 1) * windowPx * windowPx * LOOKS_KEPT;
  const looks = seen.length === 0 ? expected : Math.min(most, ...seen);
  return {
    coregistration,
    looks,
    measuredLooks,
    pixelLooks: looksOver(1),
    areaLooks: Array.from({ length: channels }, (_, channel) =>
      equivalentLooks(
        blocks.map(({ rect, scenes }) => ({ power: scenes[0]![channel]!, use: null, columns: rect.columns })),
      ),
    ),
    windowPx,
    alpha,
    ...testsOf(survey.overview.scenes.length, channels, looks, alpha),
  };
}

/** The tests of a series, which depend on no pixel. */
export function testsOf(
  dates: number,
  channels: number,
  looks: number,
  alpha: number,
): Pick<SeriesModel, "tests" | "table"> {
  const whole = omnibusTest(dates, channels, looks);
  const end = Math.max(100, MAX_STATISTIC_PER_FREEDOM * (dates - 1) * channels);
  return {
    tests: seriesTests(dates, channels, looks, alpha),
    table: tailTable(end, (value) => omnibusTail(whole, value * whole.rho)),
  };
}

function measureShifts(windows: readonly AnalysisBlock[], windowPx: number): readonly Coregistration[] {
  const smooth = windows.map((window) => ({
    ...window,
    scenes: window.scenes.map((planes) =>
      planes.map((plane) => multilook(plane, window.rect.columns, window.rect.rows, windowPx).map(Math.log)),
    ),
  }));
  const dates = windows[0]?.scenes.length ?? 0;
  return Array.from({ length: dates }, (_, date) => {
    if (date === 0) return FIRST;
    const pairs = smooth.map((window) => ({ ...window, scenes: [window.scenes[0]!, window.scenes[date]!] }));
    const measured = measureSceneShift(pairs);
    refuseDisplaced(measured, `scenes 1 and ${date + 1} of the series`);
    return wholeShift(measured);
  });
}

function looksBetween(
  blocks: readonly AnalysisBlock[],
  channel: number,
  coregistration: readonly Coregistration[],
  windowPx: number,
): number | null {
  const dates = blocks[0]?.scenes.length ?? 0;
  const looks = Array.from({ length: Math.max(0, dates - 1) }, (_, date) =>
    looksOfSquares(blocks, channel, windowPx, [
      { scene: date, shift: shiftOf(coregistration, date) },
      { scene: date + 1, shift: shiftOf(coregistration, date + 1) },
    ]),
  );
  return medianLooks(looks.flat());
}

/** Without windows nothing was measured. */
export function shiftOf(coregistration: readonly Coregistration[], date: number): Coregistration {
  return coregistration[date] ?? FIRST;
}

function rounded(looks: number | null): number | null {
  return looks === null ? null : Number(looks.toFixed(1));
}

/** Description of the model in metadata.json. */
export function describeSeries(model: SeriesModel): Readonly<Record<string, unknown>> {
  return {
    looks: {
      tested: rounded(model.looks),
      measured: model.measuredLooks.map(rounded),
      pixel: model.pixelLooks.map(rounded),
      area: model.areaLooks.map(rounded),
    },
    coregistration: model.coregistration.slice(1).map(({ residualPx, ...rest }, i) => ({
      scene: i + 2,
      ...rest,
      residualPx: residualPx === null ? null : Number(residualPx.toFixed(2)),
    })),
    windowPx: model.windowPx,
    alpha: model.alpha,
  };
}
