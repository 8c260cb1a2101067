import { CAR_VALUE, detectCars, GROUND_VALUE, TRUCK_VALUE } from "./detect-cars.ts";
import type { Analysis } from "../../planning/analysis.ts";
import { fineColourPlan, type FineColourParameters } from "../../planning/fine-colour-plan.ts";
import { resultMapType } from "../../planning/result-map-type.ts";

/** A car is 1.8 m wide: three pixels. */
const MAX_PIXEL_M = 0.6;
const FINEST_PIXEL_M = 0.28;
/** The ground that a car is compared to and the longest truck, at the finest pixels. */
const MARGIN_PX = 112;

const analysis: Analysis<FineColourParameters> = {
  name: "vehicle-rectangles",
  algoVersion: 3,
  scenes: { min: 1, max: 1 },
  layers: [
    {
      kind: "classes",
      name: "vehicles",
      classes: [
        { name: "cars", value: CAR_VALUE, color: [48, 63, 159] },
        { name: "trucks", value: TRUCK_VALUE, color: [123, 31, 162] },
      ],
      backgroundValue: GROUND_VALUE,
    },
  ],
  marginPx: MARGIN_PX,
  wantsLand: false,
  plan: (scenes) => fineColourPlan({ mapType: "cars", maxPixelM: MAX_PIXEL_M, finestPixelM: FINEST_PIXEL_M }, scenes),
  algorithm: detectCars,
};

/** Cars and trucks that contrast with the ground. */
export const cars = resultMapType({
  id: "cars",
  longName: "Cars and trucks",
  group: "objects",
  description: "Experimental: cars and trucks, found as contrasting rectangles without a trained model",
  maturity: "experimental",
  measuredBy: ["vehicles-simulated"],
  analysis,
  datasetTypes: ["optical"],
  objectsFile: "detections.geojson",
  settings: { maxGsdM: MAX_PIXEL_M, minSizePx: 3 },
  quality: {
    note: "a classical detector: vehicles of the colour of the ground, under trees or in deep shade are missed; groups that cannot be separated are one object with a count",
    expected:
      "most cars in open car parks and streets; skylights and sheds of the size of cars are sometimes taken for cars; trucks are experimental",
  },
});
