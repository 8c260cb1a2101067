import { AIRCRAFT_VALUE, BACKGROUND_VALUE } from "./aircraft-classes.ts";
import { AIRCRAFT_MIN_LENGTH_PX, detectAircraft } from "./detect-aircraft.ts";
import type { AircraftParameters } from "./detect-aircraft.ts";
import type { Analysis } from "../../planning/analysis.ts";
import { resultMapType } from "../../planning/result-map-type.ts";
import { FLIGHT_PIXEL_M, planAircraft } from "./plan.ts";

/**
 * An aircraft with its apron, and its neighbours at other gates: all lengths from pixels of 1.7 m on, up to 48 m at the
 * finest. At ten metres it covers the three images of an aircraft in flight with their surroundings.
 */
const MARGIN_PX = 128;

const analysis: Analysis<AircraftParameters> = {
  name: "aircraft-outlines",
  algoVersion: 3,
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
  plan: planAircraft,
  algorithm: detectAircraft,
};

/** Aircraft on the ground by their outline, and in flight by their coloured images, without a trained model. */
export const aircraft = resultMapType({
  id: "aircraft",
  longName: "Aircraft on the ground",
  group: "objects",
  description:
    "Experimental: aircraft on the ground by their outline and symmetry, and in flight in Sentinel-2 by the times of its bands, without a trained model",
  maturity: "experimental",
  measuredBy: ["vehicles", "vehicles-simulated"],
  analysis,
  datasetTypes: ["optical"],
  objectsFile: "detections.geojson",
  settings: { maxGsdM: FLIGHT_PIXEL_M, minSizePx: AIRCRAFT_MIN_LENGTH_PX },
  quality: {
    note: "experimental: a classical detector of bright crosses; confidence is at most 0.6, the nose may be taken for the tail; in flight the height is not known, which changes the apparent speed",
    expected:
      "most isolated white aircraft of 10 pixels and more, seven of ten at gates; fewer on bright aprons; crossing paths are sometimes taken for aircraft",
  },
});
