import { BACKGROUND, SHIP } from "../ships/ship-classes.ts";
import { OPTICAL_SHIP_MIN_PIXELS } from "../ships/optical/optical-ships.ts";
import { SHIPS_MARGIN_PX, ships as shipSearch, type ShipParameters } from "../ships/ships.ts";
import type { Analysis } from "../../planning/analysis.ts";
import { resultMapType } from "../../planning/result-map-type.ts";
import { MAX_BOAT_PIXEL_M, planBoats, SHIP_LENGTH_M } from "../ships/plan.ts";

const analysis: Analysis<ShipParameters> = {
  name: "boats",
  algoVersion: 4,
  scenes: { min: 1, max: 1 },
  layers: [
    {
      kind: "classes",
      name: "boats",
      classes: [{ name: "boats", value: SHIP, color: [255, 127, 80] }],
      backgroundValue: BACKGROUND,
    },
  ],
  marginPx: SHIPS_MARGIN_PX,
  wantsLand: true,
  plan: planBoats,
  algorithm: shipSearch,
};

/** Vessels at sea that are shorter than a ship. */
export const boats = resultMapType({
  id: "boats",
  longName: "Boats at sea",
  group: "objects",
  description: `Boats at sea, shorter than ${SHIP_LENGTH_M} m, in optical images`,
  maturity: "experimental",
  measuredBy: ["ships"],
  analysis,
  datasetTypes: ["optical"],
  objectsFile: "detections.geojson",
  settings: { maxGsdM: MAX_BOAT_PIXEL_M, minSizePx: OPTICAL_SHIP_MIN_PIXELS },
  quality: {
    note: "the search of the map type ships, for lengths below it; a wake may be taken for a part of the boat",
    expected: "boats above about six pixels in cloud-free sea; foam and buoys are reported, too",
  },
});
