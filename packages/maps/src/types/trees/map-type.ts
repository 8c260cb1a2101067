import { sunOfScene } from "@swath/kernel/scenes/sun-of-scene";
import { detectTrees, OTHER_VALUE, TREE_VALUE, type TreeParameters } from "./detect-trees.ts";
import type { Analysis, AnalysisPlan } from "../../planning/analysis.ts";
import { fineColourPlan } from "../../planning/fine-colour-plan.ts";
import { firstScene, type PlannedScene } from "../../planning/planned-scene.ts";
import { lacksBands } from "../../planning/refusals.ts";
import { resultMapType } from "../../planning/result-map-type.ts";

/** The smallest crown is 3 m wide: three pixels. */
const MAX_PIXEL_M = 1.05;
const FINEST_PIXEL_M = 0.5;
/** The largest crown, its blur, and the neighbours that decide which of two crowns stays, at the finest pixels. */
const MARGIN_PX = 160;

function plan(scenes: readonly PlannedScene[]): AnalysisPlan<TreeParameters> {
  const colours = fineColourPlan({ mapType: "trees", maxPixelM: MAX_PIXEL_M, finestPixelM: FINEST_PIXEL_M }, scenes);
  if (!colours.accepted) return colours;
  // By colour alone not one in fifty of the labelled crowns is found.
  if (!colours.parameters.hasNir) return lacksBands("trees", firstScene(scenes), ["B", "G", "R", "N"], ["N"]);
  return {
    ...colours,
    parameters: { ...colours.parameters, sunAzimuthDeg: sunOfScene(firstScene(scenes).scene)?.azimuthDeg ?? null },
  };
}

const analysis: Analysis<TreeParameters> = {
  name: "tree-crowns",
  algoVersion: 1,
  scenes: { min: 1, max: 1 },
  layers: [
    {
      kind: "classes",
      name: "crowns",
      classes: [{ name: "trees", value: TREE_VALUE, color: [27, 120, 55] }],
      backgroundValue: OTHER_VALUE,
    },
  ],
  marginPx: MARGIN_PX,
  wantsLand: false,
  plan,
  algorithm: detectTrees,
};

/** Crowns of single trees, without a trained model. */
export const trees = resultMapType({
  id: "trees",
  longName: "Tree crowns",
  group: "objects",
  description: "Experimental: crowns of trees, found as round spots of vegetation without a trained model",
  maturity: "experimental",
  measuredBy: ["gardens-simulated"],
  analysis,
  datasetTypes: ["optical"],
  objectsFile: "detections.geojson",
  settings: { maxGsdM: MAX_PIXEL_M, minSizePx: 3 },
  quality: {
    note: "experimental: a classical detector; confidence is at most 0.6; in closed canopies the count is an estimate",
    expected: "most trees that stand apart, fewer in groups; shrubs and hedges are sometimes taken for trees",
  },
});
