import { BOUNDARY, INSIDE, segments as algorithm, SEGMENTS_MARGIN_PX } from "./segments.ts";
import type { OpticalParameters } from "../../analysis/optical/optical-block.ts";
import type { Analysis } from "../../planning/analysis.ts";
import { opticalPlan } from "../../planning/optical-plan.ts";
import { resultMapType } from "../../planning/result-map-type.ts";

/** About as many seeds as a scene of Sentinel-2 has: where the colours of the picture of numbers end. */
const MANY_SEGMENTS = 2 ** 18;

const analysis: Analysis<OpticalParameters> = {
  name: "slic-ward",
  algoVersion: 3,
  scenes: { min: 1, max: 1 },
  layers: [
    {
      kind: "classes",
      name: "segmentation",
      classes: [{ name: "boundaries", value: BOUNDARY, color: [255, 214, 0] }],
      backgroundValue: INSIDE,
    },
    { kind: "values", name: "segment", unit: "1", range: [1, MANY_SEGMENTS], ramp: "gray", drawnFrom: null },
    { kind: "values", name: "mean", unit: "1", range: [0, 0.35], ramp: "gray", drawnFrom: null },
  ],
  marginPx: SEGMENTS_MARGIN_PX,
  wantsLand: false,
  plan: (scenes) => opticalPlan({ mapType: "segments", needed: ["B", "G", "R"], optional: ["N", "S1", "S2"] }, scenes),
  algorithm,
};

/** Pieces of even colour with their shape, reflectance, indices and texture. */
export const segments = resultMapType({
  id: "segments",
  longName: "Segments of even colour",
  group: "land-cover",
  description: "Segments of even colour (superpixels) with statistics of shape, reflectance, indices and texture",
  maturity: "self-tested",
  measuredBy: ["segments"],
  analysis,
  datasetTypes: ["optical"],
  objectsFile: "detections.geojson",
  quality: {
    note: "segments have no meaning of their own: they are pieces of the picture to be classified by their statistics",
    expected: "most edges of fields, water and large roofs are edges of segments; a segment has 800 pixels in the mean",
  },
});
