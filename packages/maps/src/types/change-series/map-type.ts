import { changeSeries as algorithm, SERIES_MARGIN_PX } from "./change-series.ts";
import type { RadarSeriesParameters } from "./survey-series.ts";
import type { Analysis, AnalysisPlan } from "../../planning/analysis.ts";
import type { PlannedScene } from "../../planning/planned-scene.ts";
import { CHANGE_FILES, CHANGE_LAYERS } from "../change/change-layers.ts";
import { incomparable, isRadar, lacksPolarisation, leastLooks, powerPlanes } from "../../planning/compared-scenes.ts";
import { pictureOfRadar, unsupported } from "../../planning/refusals.ts";
import { resultMapType } from "../../planning/result-map-type.ts";

/** Probability with which an unchanged series counts as changed, before small groups are removed. */
const ALPHA = 1e-4;
const WINDOW_PX = 5;
const MAX_SCENES = 64;
/** Planes in memory at once: 80 MB with their margins. Longer series are judged by the co-polarised power alone. */
const MAX_PLANES = 64;

function plan(scenes: readonly PlannedScene[]): AnalysisPlan<RadarSeriesParameters> {
  const refusal = incomparable("change-series", scenes);
  if (refusal !== null) return refusal;
  const optical = scenes.find((scene) => !isRadar(scene));
  if (optical !== undefined) {
    return unsupported(`change-series compares radar scenes: ${optical.scene.sceneId} is optical`);
  }
  const planes = powerPlanes(scenes, Math.max(1, Math.floor(MAX_PLANES / scenes.length)));
  const picture = pictureOfRadar("change-series", scenes, (scene) =>
    planes[scenes.indexOf(scene)]!.map(({ position }) => position),
  );
  if (picture !== null) return picture;
  const grid = planes[0]?.[0];
  if (grid === undefined) return lacksPolarisation("change-series", scenes);
  return {
    accepted: true,
    gridPosition: grid.position,
    reduction: 1,
    planes,
    parameters: {
      alpha: ALPHA,
      windowPx: WINDOW_PX,
      looks: leastLooks(scenes),
      datetimes: scenes.map(({ scene }) => scene.datetime),
    },
  };
}

const analysis: Analysis<RadarSeriesParameters> = {
  name: "omnibus-change",
  algoVersion: 2,
  scenes: { min: 2, max: MAX_SCENES },
  layers: [
    ...CHANGE_LAYERS,
    { kind: "values", name: "first-change", unit: "scene", range: [1, 64], ramp: "rain", scale: "asinh", drawnFrom: 1 },
    { kind: "values", name: "last-change", unit: "scene", range: [1, 64], ramp: "rain", scale: "asinh", drawnFrom: 1 },
    { kind: "values", name: "frequency", unit: "changes", range: [0, 8], ramp: "heat", drawnFrom: 0.5 },
  ],
  marginPx: SERIES_MARGIN_PX,
  wantsLand: false,
  plan,
  algorithm,
};

/** First change, last change and number of changes in a series of radar scenes of one orbit. */
export const changeSeries = resultMapType({
  id: "change-series",
  longName: "Change over a series of scenes",
  group: "change",
  description: "Changes in a series of 2 to 64 radar scenes: first, last and number, by the omnibus test",
  maturity: "self-tested",
  measuredBy: ["change", "change-calibration"],
  analysis,
  datasetTypes: ["sar-grd"],
  settings: { minSizePx: 4 },
  objectsFile: "attention_regions.geojson",
  files: CHANGE_FILES,
  quality: {
    note: "numbers of scenes count from 1 in the order of the datetimes in algorithm.params",
    expected: "1 in 10,000 unchanged pixels before small groups are removed; steps of 3 dB and more are found",
  },
});
