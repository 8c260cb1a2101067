import { nightChange } from "../nightlight/radiance.ts";
import type { Analysis } from "../../planning/analysis.ts";
import { planNightLight } from "../nightlight/map-type.ts";
import { resultMapType } from "../../planning/result-map-type.ts";

const analysis: Analysis = {
  name: "night-radiance-log-ratio",
  algoVersion: 1,
  scenes: { min: 2, max: 2 },
  layers: [
    {
      kind: "values",
      name: "nightlight-change",
      unit: "ln(ratio)",
      range: [-2, 2],
      ramp: "diverging",
      drawnFrom: null,
    },
  ],
  marginPx: 0,
  wantsLand: false,
  plan: (scenes) => planNightLight("nightlight-change", scenes),
  algorithm: nightChange,
};

/** How the light of the night changed between two months: 0.69 is twice as bright. */
export const nightlightChange = resultMapType({
  id: "nightlight-change",
  longName: "Change of night lights",
  group: "change",
  description: "Logarithm of the ratio of night radiance between two months",
  maturity: "self-tested",
  measuredBy: ["environment"],
  analysis,
  datasetTypes: ["environmental"],
  quality: {
    note: "both months are raised to 0.5 nW/cm2/sr first, below which a ratio is noise",
    expected: "the same limits as nightlight, twice",
  },
});
