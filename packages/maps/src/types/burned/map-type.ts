import { BURNED, BURNED_MARGIN_PX, BURNED_SMALLEST_PX, burnedArea, HIDDEN, NOT_BURNED } from "./burned-area.ts";
import type { OpticalParameters } from "../../analysis/optical/optical-block.ts";
import type { Analysis } from "../../planning/analysis.ts";
import { opticalPlan } from "../../planning/optical-plan.ts";
import { resultMapType } from "../../planning/result-map-type.ts";

const analysis: Analysis<OpticalParameters> = {
  name: "burned-regions",
  algoVersion: 4,
  scenes: { min: 1, max: 1 },
  layers: [
    {
      kind: "classes",
      name: "segmentation",
      classes: [
        { name: "burned", value: BURNED, color: [106, 61, 0] },
        { name: "clouds", value: HIDDEN, color: [255, 255, 255] },
      ],
      backgroundValue: NOT_BURNED,
    },
  ],
  marginPx: BURNED_MARGIN_PX,
  wantsLand: false,
  plan: (scenes) =>
    opticalPlan(
      { mapType: "burned", needed: ["B", "G", "R", "N"], optional: ["S1", "S2", "RE2", "RE3", "N2", "C"] },
      scenes,
    ),
  algorithm: burnedArea,
};

/** Ground that has burned before one scene was taken. */
export const burned = resultMapType({
  id: "burned",
  longName: "Burned area",
  group: "fire",
  description: "Burned area of one scene; burned-pair compares two and is more reliable",
  maturity: "self-tested",
  measuredBy: ["clear-scenes", "land-cover-simulated"],
  analysis,
  datasetTypes: ["optical"],
  settings: { minSizePx: BURNED_SMALLEST_PX },
  quality: {
    note: "without shortwave infrared bands of low confidence: dark soil and shadows look alike",
    expected: "F1 0.5 to 0.7 with shortwave infrared bands",
  },
});
