import { AIRCRAFT_VALUE, BACKGROUND_VALUE, detectAircraft } from "@swath/kernel/analysis/aircraft/detect-aircraft";
import type { Analysis } from "../analysis.ts";
import { fineColourPlan } from "../fine-colour-plan.ts";
import { resultMapType } from "../result/result-map-type.ts";

const MAX_PIXEL_M = 3.5;
/** An airliner of 35 m then has up to 29 pixels, which is all that its outline needs. */
const FINEST_PIXEL_M = 1.2;
/** Half the longest aircraft and the apron around it, at the finest pixels. */
const MARGIN_PX = 64;

const analysis: Analysis = {
  name: "aircraft-outlines",
  algoVersion: 1,
  scenes: { min: 1, max: 1 },
  layers: [
    {
      kind: "classes",
      name: "aircraft",
      classes: [{ name: "aircraft", value: AIRCRAFT_VALUE, color: [255, 87, 34] }],
      backgroundValue: BACKGROUND_VALUE,
    },
  ],
  marginPx: MARGIN_PX,
  wantsLand: false,
  plan: (scenes) =>
    fineColourPlan({ mapType: "aircraft", maxPixelM: MAX_PIXEL_M, finestPixelM: FINEST_PIXEL_M }, scenes),
  algorithm: detectAircraft,
};

/** Aircraft on the ground by their outline, without a trained model. */
export const aircraft = resultMapType({
  id: "aircraft",
  description: "Experimental: aircraft on the ground, found by their outline and symmetry without a trained model",
  analysis,
  datasetTypes: ["optical"],
  objectsFile: "detections.geojson",
  settings: { maxGsdM: MAX_PIXEL_M, minSizePx: 7 },
  quality: {
    note: "experimental: a classical detector of bright crosses; confidence is at most 0.6, the nose may be taken for the tail",
    expected:
      "most isolated white aircraft of 10 pixels and more; fewer at gates and on bright aprons; small buildings and crossing paths are sometimes taken for aircraft",
  },
});
