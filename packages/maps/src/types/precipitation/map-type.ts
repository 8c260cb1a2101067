import { rainRate, type RainParameters } from "./rain-rate.ts";
import type { Analysis, AnalysisPlan, WantedPlane } from "../../planning/analysis.ts";
import type { PlannedScene } from "../../planning/planned-scene.ts";
import { namedPlane } from "../../planning/named-band.ts";
import { lacksOneOf } from "../../planning/refusals.ts";
import { resultMapType } from "../../planning/result-map-type.ts";

/** Gauge-adjusted rates exist for final images, near-real-time ones for all. */
const BANDS = ["hourlyPrecipRateGC", "hourlyPrecipRate"] as const;

/** An image holds the mean rate of an hour. */
export const HOURS_PER_SCENE = 1;

/** The rates of every scene, the gauge-adjusted one first. */
export function planRain(mapType: string, scenes: readonly PlannedScene[]): AnalysisPlan<RainParameters> {
  const planes: (readonly WantedPlane[])[] = [];
  for (const scene of scenes) {
    const rates = BANDS.flatMap((name) => namedPlane(scene, [name]) ?? []);
    if (rates.length === 0) return lacksOneOf(mapType, scene, BANDS);
    planes.push(rates);
  }
  return {
    accepted: true,
    gridPosition: planes[0]![0]!.position,
    reduction: 1,
    planes,
    parameters: { hoursPerScene: HOURS_PER_SCENE },
  };
}

const analysis: Analysis<RainParameters> = {
  name: "rain-rate",
  algoVersion: 1,
  scenes: { min: 1, max: 1 },
  layers: [{ kind: "values", name: "precipitation", unit: "mm/h", range: [0, 20], ramp: "rain", drawnFrom: 0.1 }],
  marginPx: 0,
  wantsLand: false,
  plan: (scenes) => planRain("precipitation", scenes),
  algorithm: rainRate,
};

/** Rain that fell in an hour. Outside 60 degrees north and south there is no data, which is not the same as no rain. */
export const precipitation = resultMapType({
  id: "precipitation",
  longName: "Hourly precipitation",
  group: "atmosphere",
  description: "Hourly precipitation of GSMaP, mm/h, gauge-adjusted where it is final",
  maturity: "validated",
  measuredBy: ["environment"],
  analysis,
  datasetTypes: ["environmental"],
  quality: {
    note: "rates as delivered; provisional images are replaced by final ones",
    expected: "hourly satellite rain is within a factor of two of gauges where it rains steadily",
  },
});
