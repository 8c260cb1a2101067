import {
  LAND_COVER_BLOCK_PX,
  LAND_COVER_FEWEST_PIXELS,
  LAND_COVER_MARGIN_PX,
  opticalLandCover,
} from "../../analysis/land-cover/optical-land-cover.ts";
import type { OpticalParameters } from "../../analysis/optical/optical-block.ts";
import type { Analysis } from "../../planning/analysis.ts";
import { opticalPlan } from "../../planning/optical-plan.ts";
import { resultMapType } from "../../planning/result-map-type.ts";
import { DEPRECATED_LAND_COVER, LAND_COVER_CLASSES, LAND_COVER_HIERARCHY } from "./classes.ts";

const analysis: Analysis<OpticalParameters> = {
  name: "self-trained-forest",
  algoVersion: 6,
  scenes: { min: 1, max: 1 },
  layers: [{ kind: "classes", name: "segmentation", classes: LAND_COVER_CLASSES, backgroundValue: null }],
  marginPx: LAND_COVER_MARGIN_PX,
  largeBlockPx: LAND_COVER_BLOCK_PX,
  wantsLand: false,
  plan: (scenes) =>
    opticalPlan({ mapType: "wrunc", needed: ["G", "R", "N"], optional: ["B", "S1", "S2", "RE1", "C"] }, scenes),
  algorithm: opticalLandCover,
};

/** Land cover of one optical scene in five exclusive classes. */
export const wrunc = resultMapType({
  id: "wrunc",
  longName: "Land cover in five classes",
  group: "land-cover",
  description: "Land cover: water, roads, urban, nonurban, clouds",
  maturity: "validated",
  measuredBy: ["land-cover", "land-cover-simulated", "unbuilt-country"],
  analysis,
  datasetTypes: ["optical"],
  settings: { minSizePx: LAND_COVER_FEWEST_PIXELS },
  quality: {
    note: "the scene trains its own forest; urban means built-up blocks, not roofs; roads only at 3.2 m and finer",
    expected: "overall accuracy 80 to 95 % over water, urban and nonurban",
  },
  segmentationHierarchy: LAND_COVER_HIERARCHY,
  deprecatedClasses: DEPRECATED_LAND_COVER,
});
