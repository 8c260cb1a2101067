import {
  opticalWater,
  OPTICAL_WATER_MARGIN_PX,
  OPTICAL_WATER_SMALLEST_PX,
} from "../../analysis/water/optical-water.ts";
import { RADAR_WATER_LEAST_PX, RADAR_WATER_MARGIN_PX, radarWater } from "../../analysis/water/radar-water.ts";
import { waterOf, type WaterParameters } from "../../analysis/water/water.ts";
import type { Analysis, AnalysisPlan } from "../../planning/analysis.ts";
import { opticalPlan } from "../../planning/optical-plan.ts";
import { firstScene, type PlannedScene } from "../../planning/planned-scene.ts";
import { radarPlan } from "../../planning/radar-plan.ts";
import { resultMapType } from "../../planning/result-map-type.ts";

function plan(scenes: readonly PlannedScene[]): AnalysisPlan<WaterParameters> {
  if (firstScene(scenes).roles.some((role) => role === "VV" || role === "HH")) {
    const radar = radarPlan("water", scenes);
    return radar.accepted ? { ...radar, parameters: { ...radar.parameters, sensor: "radar" } } : radar;
  }
  const optical = opticalPlan({ mapType: "water", needed: ["G", "N"], optional: ["B", "R", "S1", "S2", "C"] }, scenes);
  return optical.accepted ? { ...optical, parameters: { ...optical.parameters, sensor: "optical" } } : optical;
}

const analysis: Analysis<WaterParameters> = {
  name: "water-threshold",
  algoVersion: 7,
  scenes: { min: 1, max: 1 },
  layers: [
    {
      kind: "classes",
      name: "segmentation",
      classes: [
        { name: "water", value: 1, color: [31, 120, 255] },
        { name: "clouds", value: 3, color: [255, 255, 255] },
      ],
      backgroundValue: 2,
    },
  ],
  marginPx: Math.max(OPTICAL_WATER_MARGIN_PX, RADAR_WATER_MARGIN_PX),
  wantsLand: false,
  plan,
  algorithm: waterOf(opticalWater, radarWater),
};

/** Open water of an optical or a radar scene. */
export const water = resultMapType({
  id: "water",
  longName: "Open water",
  group: "water",
  description: "Open water, by MNDWI or NDWI of optical scenes and by backscatter of radar scenes",
  maturity: "self-tested",
  measuredBy: ["land-cover", "labelled-clouds", "land-cover-simulated", "radar-floods"],
  analysis,
  datasetTypes: ["optical", "sar-grd"],
  settings: { minSizePx: Math.min(OPTICAL_WATER_SMALLEST_PX, RADAR_WATER_LEAST_PX) },
  quality: {
    note: "the threshold is the scene's own where it has two groups of pixels, else a fixed one; rivers of few pixels are unmixed",
    expected:
      "IoU 0.85 and more for lakes and sea of optical scenes, 0.5 to 0.7 for rivers of few pixels; radar 0.4 to 0.9",
  },
});
