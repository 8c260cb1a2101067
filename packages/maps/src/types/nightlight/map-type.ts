import { nightRadiance } from "./radiance.ts";
import type { Analysis, AnalysisPlan, WantedPlane } from "../../planning/analysis.ts";
import type { PlannedScene } from "../../planning/planned-scene.ts";
import { namedPlane } from "../../planning/named-band.ts";
import { lacksOneOf } from "../../planning/refusals.ts";
import { resultMapType } from "../../planning/result-map-type.ts";

const RADIANCE = ["avg_rad", "radiance"];
const COVERAGE = ["cf_cvg", "coverage"];

/** Radiance, and the number of observations where the product has it, of every scene. */
export function planNightLight(mapType: string, scenes: readonly PlannedScene[]): AnalysisPlan {
  const planes: (readonly WantedPlane[])[] = [];
  for (const scene of scenes) {
    const radiance = namedPlane(scene, RADIANCE);
    if (radiance === null) return lacksOneOf(mapType, scene, RADIANCE);
    const coverage = namedPlane(scene, COVERAGE);
    planes.push(coverage === null ? [radiance] : [radiance, coverage]);
  }
  const gridPosition = planes[0]?.[0]?.position ?? 0;
  return { accepted: true, gridPosition, reduction: 1, planes, parameters: {} };
}

const analysis: Analysis = {
  name: "night-radiance",
  algoVersion: 1,
  scenes: { min: 1, max: 1 },
  layers: [
    {
      kind: "values",
      name: "nightlight",
      unit: "nW/cm2/sr",
      range: [0, 100],
      ramp: "night",
      scale: "asinh",
      drawnFrom: null,
      total: { name: "sumOfLights", unit: "nW/cm2/sr km2", perSquareMetre: 1e-6 },
    },
  ],
  marginPx: 0,
  wantsLand: false,
  plan: (scenes) => planNightLight("nightlight", scenes),
  algorithm: nightRadiance,
};

/** Light of the night in a month, where it was seen at least twice. */
export const nightlight = resultMapType({
  id: "nightlight",
  longName: "Night lights",
  group: "night",
  description: "Monthly mean radiance at night of VIIRS, nW/cm2/sr",
  maturity: "validated",
  measuredBy: ["environment"],
  analysis,
  datasetTypes: ["environmental"],
  quality: {
    note: "pixels with fewer than two cloud-free observations are no data; values below zero are noise and are kept in analysis.geotiff",
    expected: "stray light at high latitudes in summer, moonlit snow, fires and flares are not removed",
  },
});
