import {
  RADAR_LAND_COVER_MARGIN_PX,
  RADAR_LAND_COVER_SMALLEST_PX,
  radarLandCover,
} from "../../analysis/land-cover/radar-land-cover.ts";
import type { RadarParameters } from "../../analysis/radar/radar-block.ts";
import type { Analysis } from "../../planning/analysis.ts";
import { radarPlan } from "../../planning/radar-plan.ts";
import { resultMapType } from "../../planning/result-map-type.ts";
import { RADAR_LAND_COVER_CLASSES, RADAR_LAND_COVER_HIERARCHY } from "../wrunc/classes.ts";

const analysis: Analysis<RadarParameters> = {
  name: "backscatter-and-points",
  algoVersion: 3,
  scenes: { min: 1, max: 1 },
  layers: [{ kind: "classes", name: "segmentation", classes: RADAR_LAND_COVER_CLASSES, backgroundValue: null }],
  marginPx: RADAR_LAND_COVER_MARGIN_PX,
  wantsLand: false,
  plan: (scenes) => radarPlan("wrun", scenes),
  algorithm: radarLandCover,
};

/** Land cover of one radar scene. */
export const wrun = resultMapType({
  id: "wrun",
  longName: "Radar land cover",
  group: "land-cover",
  description: "Land cover by radar: water, urban, nonurban; roads are indistinguishable and have no pixels",
  maturity: "self-tested",
  measuredBy: ["land-cover", "land-cover-simulated"],
  analysis,
  datasetTypes: ["sar-grd"],
  settings: { minSizePx: RADAR_LAND_COVER_SMALLEST_PX },
  quality: {
    note: "levels learnt from the scene; wind roughens water, rough slopes look built; outlines of towns are good to 100 m",
    expected:
      "water IoU 0.6 to 0.9 in calm weather, not in rivers of few pixels; urban IoU 0.8 in towns, 0.2 to 0.4 in villages",
  },
  segmentationHierarchy: RADAR_LAND_COVER_HIERARCHY,
});
