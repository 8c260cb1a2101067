import { OPTICAL_SHIP_MIN_PIXELS } from "./optical/optical-ships.ts";
import { RADAR_SHIP_MIN_PIXELS } from "./radar/radar-ships.ts";
import { SHIPS_MARGIN_PX, ships as shipSearch, type ShipParameters } from "./ships.ts";
import { BACKGROUND, SHIP } from "./ship-classes.ts";
import type { Analysis } from "../../planning/analysis.ts";
import { resultMapType } from "../../planning/result-map-type.ts";
import { MAX_RADAR_PIXEL_M, planShips } from "./plan.ts";

const analysis: Analysis<ShipParameters> = {
  name: "ships",
  algoVersion: 5,
  scenes: { min: 1, max: 1 },
  layers: [
    {
      kind: "classes",
      name: "ships",
      classes: [{ name: "ships", value: SHIP, color: [255, 196, 0] }],
      backgroundValue: BACKGROUND,
    },
  ],
  marginPx: SHIPS_MARGIN_PX,
  wantsLand: true,
  plan: planShips,
  algorithm: shipSearch,
};

/** Ships at sea in radar and in optical images, with length, width and heading. */
export const ships = resultMapType({
  id: "ships",
  longName: "Ships at sea",
  group: "objects",
  description: "Ships at sea, by radar (CFAR on K-distributed clutter) or in optical images (anomalies of water)",
  maturity: "validated",
  measuredBy: ["ships", "ships-simulated", "false-alarms"],
  analysis,
  datasetTypes: ["sar-grd", "sar-slc", "optical"],
  objectsFile: "detections.geojson",
  settings: { maxGsdM: MAX_RADAR_PIXEL_M, minSizePx: Math.min(RADAR_SHIP_MIN_PIXELS, OPTICAL_SHIP_MIN_PIXELS) },
  quality: {
    note: "sea only: nothing is reported within 100 m of land (30 m in fine images); heading is ambiguous by 180 degrees unless a wake is found",
    expected:
      "Sentinel-1: most ships above 40 m away from shores; platforms and turbines are reported, too. Optical: ships above six pixels in cloud-free sea",
  },
});
