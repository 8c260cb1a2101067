import type { ResultClass } from "@swath/kernel/raster-mathematics/rendering";
import {
  GROUND_BARE,
  GROUND_BUILT,
  GROUND_CLOUD,
  GROUND_CROPS_OR_GRASS,
  GROUND_SNOW,
  GROUND_TREES,
  GROUND_WATER,
} from "../../analysis/land-cover/ground-classes.ts";
import { GROUND_COVER_MARGIN_PX, groundCover } from "../../analysis/land-cover/ground-cover.ts";
import { LAND_COVER_BLOCK_PX, LAND_COVER_FEWEST_PIXELS } from "../../analysis/land-cover/optical-land-cover.ts";
import type { OpticalParameters } from "../../analysis/optical/optical-block.ts";
import type { SegmentationHierarchy } from "../../map-type.ts";
import type { Analysis } from "../../planning/analysis.ts";
import { opticalPlan } from "../../planning/optical-plan.ts";
import { resultMapType } from "../../planning/result-map-type.ts";

const CLASSES: readonly ResultClass[] = [
  { name: "water", value: GROUND_WATER, color: [31, 120, 255] },
  { name: "trees", value: GROUND_TREES, color: [0, 100, 0] },
  { name: "crops-or-grass", value: GROUND_CROPS_OR_GRASS, color: [178, 213, 89] },
  { name: "bare", value: GROUND_BARE, color: [166, 118, 29] },
  { name: "built", value: GROUND_BUILT, color: [227, 26, 28] },
  { name: "snow", value: GROUND_SNOW, color: [179, 159, 225] },
  { name: "cloud", value: GROUND_CLOUD, color: [255, 255, 255] },
];

const HIERARCHY: SegmentationHierarchy = {
  baseClasses: CLASSES.map(({ name }) => name),
  parentClasses: {
    vegetation: ["trees", "crops-or-grass"],
    ground: ["trees", "crops-or-grass", "bare", "built"],
  },
  masterClass: "all",
};

const analysis: Analysis<OpticalParameters> = {
  name: "self-trained-forests",
  algoVersion: 3,
  scenes: { min: 1, max: 1 },
  layers: [{ kind: "classes", name: "segmentation", classes: CLASSES, backgroundValue: null }],
  marginPx: GROUND_COVER_MARGIN_PX,
  largeBlockPx: LAND_COVER_BLOCK_PX,
  wantsLand: false,
  plan: (scenes) =>
    opticalPlan({ mapType: "land-cover", needed: ["G", "R", "N"], optional: ["B", "S1", "S2", "RE1", "C"] }, scenes),
  algorithm: groundCover,
};

/** Land cover of one optical scene in seven exclusive classes, two of them vegetation. */
export const landCover = resultMapType({
  id: "land-cover",
  longName: "Land cover with vegetation",
  group: "land-cover",
  description: "Land cover: water, trees, crops or grass, bare ground, built, snow, cloud",
  maturity: "experimental",
  measuredBy: ["vegetation-cover"],
  analysis,
  datasetTypes: ["optical"],
  settings: { minSizePx: LAND_COVER_FEWEST_PIXELS },
  quality: {
    note: "the scene trains its own forests; bare means without plants on that day, so ploughed and dry fields are bare",
    expected:
      "overall accuracy 47 % against yearly labels of the one place of land that was held out, 75 % of another; trees are over-estimated in even fields at their peak",
  },
  segmentationHierarchy: HIERARCHY,
});
