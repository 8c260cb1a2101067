import type { AnalysisBlock, AnalysisSurvey, BlockAlgorithm, FoundObject } from "../../analysis/block.ts";
import { fillBox } from "../../analysis/shape/fill-box.ts";
import { SHIP } from "../ships/ship-classes.ts";
import { ships, type RadarSearchParameters, type ShipModel } from "../ships/ships.ts";

/** Parameters of a search through a series of radar scenes, recorded with the result. */
export interface ShipSeriesParameters {
  readonly mode: "series";
  /** Parameters of the search of each scene, in the order of time. */
  readonly searches: readonly RadarSearchParameters[];
  /** Days of the scenes since the first. */
  readonly days: readonly number[];
  readonly pixelM: number;
}

/** Pixels of fixed structures. */
export const FIXED = 3;
/** What is met closer than this, metres, at other dates is the same; at coarse pixels a pixel and a half. */
const SAME_PLACE_M = 30;
const SAME_PLACE_PX = 1.5;
/** Rigs, turbines and buoys stand for longer than ships lie at anchor. */
const LEAST_SIGHTINGS = 3;
const LEAST_DAYS = 20;

function ofScene(block: AnalysisBlock, scene: number): AnalysisBlock {
  return { ...block, scenes: [block.scenes[scene]!] };
}

/**
 * Ships of the last of several radar scenes. What three scenes or more show at one place over more than 20 days is no ship
 * but `fixed`: platforms, turbines, buoys, wrecks.
 */
export const shipSeries: BlockAlgorithm<ShipSeriesParameters, readonly ShipModel[]> = {
  survey({ overview, windows }, { searches }) {
    return searches.map((search, scene) => {
      const survey: AnalysisSurvey = {
        overview: ofScene(overview, scene),
        windows: windows.map((window) => ofScene(window, scene)),
      };
      return ships.survey!(survey, search);
    });
  },
  compute(block, models, { searches, days, pixelM }) {
    const results = searches.map((search, scene) => ships.compute(ofScene(block, scene), models[scene]!, search));
    const last = results.at(-1);
    const layer = last?.layers[0];
    if (last === undefined || layer === undefined) throw new RangeError("a series needs scenes");
    const reachPx = Math.max(SAME_PLACE_M / pixelM, SAME_PLACE_PX);
    const objects = last.objects.map((object) => {
      const sightings = results.flatMap(({ objects: seen }, scene) =>
        seen.some((other) => apartPx(object, other) < reachPx) ? [days[scene]!] : [],
      );
      const spanDays = Math.max(...sightings) - Math.min(...sightings);
      const isFixed = sightings.length >= LEAST_SIGHTINGS && spanDays > LEAST_DAYS;
      if (isFixed) paintFixed(layer, block, object);
      return {
        ...object,
        className: isFixed ? "fixed" : "ships",
        properties: { ...object.properties, sightings: sightings.length, spanDays: Math.round(spanDays * 10) / 10 },
      };
    });
    return { layers: [layer], objects };
  },
  finish(objects, models, { searches }) {
    const search = searches.at(-1);
    const model = models.at(-1);
    return search === undefined || model === undefined ? objects : ships.finish!(objects, model, search);
  },
  describe: (models) => ({ mode: "series", scenes: models.map((model) => ships.describe!(model)) }),
};

function apartPx(a: FoundObject, b: FoundObject): number {
  return Math.hypot(a.centre[0] - b.centre[0], a.centre[1] - b.centre[1]);
}

function paintFixed(layer: Uint8Array | Float32Array, { rect }: AnalysisBlock, { corners }: FoundObject): void {
  const inside = new Uint8Array(layer.length);
  const own = corners.map(([x, y]) => [x - rect.column, y - rect.row] as const);
  fillBox(inside, rect.columns, rect.rows, own, 1);
  for (let i = 0; i < layer.length; i++) if (inside[i] !== 0 && layer[i] === SHIP) layer[i] = FIXED;
}
