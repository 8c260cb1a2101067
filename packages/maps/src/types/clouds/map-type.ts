import {
  CLOUD_MARGIN_PX,
  MASK_CLEAR,
  MASK_CLOUD,
  MASK_SHADOW,
  MASK_SNOW,
  MASK_THIN,
} from "../../analysis/cloud/cloud-model.ts";
import { clouds as algorithm, type CloudsModel, type CloudsParameters } from "../../analysis/cloud/clouds.ts";
import type { MapTypeDescriptor } from "../../map-type.ts";
import type { ModelManifest } from "../../models/model-manifest.ts";
import type { Analysis } from "../../planning/analysis.ts";
import { opticalPlan } from "../../planning/optical-plan.ts";
import { resultMapType } from "../../planning/result-map-type.ts";
import { cloudNetworks, withNetwork } from "./cloud-network.ts";
import { withCompanions } from "./companion-bands.ts";
import { networkClouds } from "./network-clouds.ts";

type CloudsAnalysis = Analysis<CloudsParameters, CloudsModel>;

const byRules: CloudsAnalysis = {
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

/** A tile of 256 pixels of 30 m reaches so far beyond a block of 512 pixels of 10 m. */
const NETWORK_MARGIN_PX = 136;

/** By the network that suits the scene, else by rules. */
function byNetworks(networks: readonly ModelManifest[]): CloudsAnalysis {
  return {
    ...byRules,
    marginPx: Math.max(byRules.marginPx, NETWORK_MARGIN_PX),
    plan: (scenes) => withNetwork(byRules.plan(scenes), scenes, networks),
    inference: { compute: networkClouds },
  };
}

function cloudsBy(analysis: CloudsAnalysis): MapTypeDescriptor {
  return resultMapType({
    id: "clouds",
    longName: "Clouds, shadows and snow",
    group: "atmosphere",
    description: "Clouds, thin clouds, cloud shadows and snow",
    maturity: "validated",
    measuredBy: ["clear-scenes", "labelled-clouds", "network-clouds", "land-cover-simulated"],
    analysis,
    datasetTypes: ["optical"],
    clearSky: { layer: 0, value: MASK_CLEAR },
    quality: {
      note: "the scene classification where the product has one, else an installed network, else rules of Fmask with the bands there are; snow needs shortwave infrared",
      expected: "F1 0.80 to 0.88 with shortwave infrared and cirrus bands, 0.65 to 0.8 with visible and near infrared",
    },
  });
}

/** Clouds, thin clouds, shadows and snow. */
export const clouds: MapTypeDescriptor = {
  ...cloudsBy(byRules),
  withModels(models) {
    const networks = cloudNetworks(models);
    return networks.length === 0 ? clouds : cloudsBy(byNetworks(networks));
  },
};
