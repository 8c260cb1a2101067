import { FIXED, shipSeries, type ShipSeriesParameters } from "./ship-series.ts";
import { BACKGROUND, SHIP } from "../ships/ship-classes.ts";
import { RADAR_SHIP_MIN_PIXELS } from "../ships/radar/radar-ships.ts";
import { SHIPS_MARGIN_PX } from "../ships/ships.ts";
import type { Analysis } from "../../planning/analysis.ts";
import { resultMapType } from "../../planning/result-map-type.ts";
import { MAX_RADAR_PIXEL_M } from "../ships/plan.ts";
import { MAX_SERIES_SCENES, planShipSeries } from "./plan.ts";

const analysis: Analysis<ShipSeriesParameters> = {
  name: "ships-series",
  algoVersion: 2,
  scenes: { min: 3, max: MAX_SERIES_SCENES },
  layers: [
    {
      kind: "classes",
      name: "ships",
      classes: [
        { name: "ships", value: SHIP, color: [255, 196, 0] },
        { name: "fixed", value: FIXED, color: [171, 71, 188] },
      ],
      backgroundValue: BACKGROUND,
    },
  ],
  marginPx: SHIPS_MARGIN_PX,
  wantsLand: true,
  plan: planShipSeries,
  algorithm: shipSeries,
};

/** Ships of the last of several radar scenes, distinguished from fixed structures. */
export const shipsSeries = resultMapType({
  id: "ships-series",
  longName: "Ships in a series of radar scenes",
  group: "objects",
  description: `Ships in the last of 3 to ${MAX_SERIES_SCENES} radar scenes, distinguished from fixed platforms, turbines and buoys`,
  maturity: "self-tested",
  measuredBy: ["ships"],
  analysis,
  datasetTypes: ["sar-grd", "sar-slc"],
  objectsFile: "detections.geojson",
  settings: { maxGsdM: MAX_RADAR_PIXEL_M, minSizePx: RADAR_SHIP_MIN_PIXELS },
  quality: {
    note: "fixed is what at least three scenes show within 30 m over more than 20 days; ships that lie at one anchor for as long count, too",
    expected: "that of ships for each date; fixed targets that most dates show are told from ships",
  },
});
