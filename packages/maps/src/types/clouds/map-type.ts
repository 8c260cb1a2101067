import {
  CLOUD_MARGIN_PX,
  MASK_CLEAR,
  MASK_CLOUD,
  MASK_SHADOW,
  MASK_SNOW,
  MASK_THIN,
} from "../../analysis/cloud/cloud-model.ts";
import { clouds as algorithm, type CloudsParameters } from "../../analysis/cloud/clouds.ts";
import type { Analysis } from "../../planning/analysis.ts";
import { opticalPlan } from "../../planning/optical-plan.ts";
import { resultMapType } from "../../planning/result-map-type.ts";
import { withCompanions } from "./companion-bands.ts";

const analysis: Analysis<CloudsParameters> = {
  name: "cloud-rules",
  algoVersion: 4,
  scenes: { min: 1, max: 1 },
  layers: [
    {
      kind: "classes",
      name: "segmentation",
      classes: [
        { name: "clouds", value: MASK_CLOUD, color: [255, 255, 255] },
        { name: "thin-clouds", value: MASK_THIN, color: [200, 214, 229] },
        { name: "shadow", value: MASK_SHADOW, color: [63, 63, 63] },
        { name: "snow", value: MASK_SNOW, color: [179, 159, 225] },
      ],
      backgroundValue: MASK_CLEAR,
    },
  ],
  marginPx: CLOUD_MARGIN_PX,
  wantsLand: false,
  plan: (scenes) =>
    withCompanions(
      opticalPlan({ mapType: "clouds", needed: ["G", "R"], optional: ["B", "N", "S1", "S2", "C"] }, scenes),
      scenes,
    ),
  algorithm,
};

/** Clouds, thin clouds, shadows and snow. */
export const clouds = resultMapType({
  id: "clouds",
  longName: "Clouds, shadows and snow",
  group: "atmosphere",
  description: "Clouds, thin clouds, cloud shadows and snow",
  maturity: "validated",
  measuredBy: ["clear-scenes", "labelled-clouds", "land-cover-simulated"],
  analysis,
  datasetTypes: ["optical"],
  clearSky: { layer: 0, value: MASK_CLEAR },
  quality: {
    note: "the scene classification where the product has one, else rules of Fmask with the bands there are; snow needs shortwave infrared, shadows the position of the sun",
    expected: "F1 0.80 to 0.88 with shortwave infrared and cirrus bands, 0.65 to 0.8 with visible and near infrared",
  },
});
