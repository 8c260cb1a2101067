import { detectPools, OTHER_VALUE, POOL_VALUE } from "./detect-pools.ts";
import type { Analysis, AnalysisPlan } from "../../planning/analysis.ts";
import { fineColourPlan, type FineColourParameters } from "../../planning/fine-colour-plan.ts";
import { firstScene, type PlannedScene } from "../../planning/planned-scene.ts";
import { lacksBands } from "../../planning/refusals.ts";
import { resultMapType } from "../../planning/result-map-type.ts";

/** A small pool is 3 m wide: three pixels. */
const MAX_PIXEL_M = 1.05;
const FINEST_PIXEL_M = 0.5;
/** The longest pool and its surroundings, at the finest pixels. */
const MARGIN_PX = 128;

function plan(scenes: readonly PlannedScene[]): AnalysisPlan<FineColourParameters> {
  const colours = fineColourPlan({ mapType: "pools", maxPixelM: MAX_PIXEL_M, finestPixelM: FINEST_PIXEL_M }, scenes);
  if (!colours.accepted || colours.parameters.hasNir) return colours;
  return lacksBands("pools", firstScene(scenes), ["B", "G", "R", "N"], ["N"]);
}

const analysis: Analysis<FineColourParameters> = {
  name: "turquoise-areas",
  algoVersion: 1,
  scenes: { min: 1, max: 1 },
  layers: [
    {
      kind: "classes",
      name: "pools",
      classes: [{ name: "pools", value: POOL_VALUE, color: [0, 188, 212] }],
      backgroundValue: OTHER_VALUE,
    },
  ],
  marginPx: MARGIN_PX,
  wantsLand: false,
  plan,
  algorithm: detectPools,
};

/** Swimming pools by their colour and size, without a trained model. */
export const pools = resultMapType({
  id: "pools",
  longName: "Swimming pools",
  group: "objects",
  description: "Experimental: swimming pools, found by colour, size and rim without a trained model",
  maturity: "experimental",
  measuredBy: ["gardens-simulated"],
  analysis,
  datasetTypes: ["optical"],
  objectsFile: "detections.geojson",
  settings: { maxGsdM: MAX_PIXEL_M, minSizePx: 3 },
  quality: {
    note: "experimental: a classical detector; confidence is at most 0.6; tried on simulated pools, and on a real town without any",
    expected:
      "most filled pools in the sun; covered, empty and shaded ones are missed; tarpaulins are sometimes taken for pools",
  },
});
