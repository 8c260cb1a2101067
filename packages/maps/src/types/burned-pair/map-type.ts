import {
  burnSeverity,
  SEVERITIES,
  SEVERITY_MARGIN_PX,
  SEVERITY_SMALLEST_PX,
  UNBURNED,
  UNRATED,
} from "./burn-severity.ts";
import type { OpticalParameters } from "../../analysis/optical/optical-block.ts";
import type { Analysis } from "../../planning/analysis.ts";
import { opticalPlan } from "../../planning/optical-plan.ts";
import { resultMapType } from "../../planning/result-map-type.ts";

const COLORS: Readonly<Record<string, readonly [number, number, number]>> = {
  "high-regrowth": [0, 104, 55],
  "low-regrowth": [120, 198, 121],
  "low-severity": [254, 217, 118],
  "moderate-low-severity": [253, 141, 60],
  "moderate-high-severity": [189, 60, 10],
  "high-severity": [106, 61, 0],
};

const analysis: Analysis<OpticalParameters> = {
  name: "burn-severity",
  algoVersion: 4,
  scenes: { min: 2, max: 2 },
  layers: [
    {
      kind: "classes",
      name: "segmentation",
      classes: [
        ...SEVERITIES.flatMap((name, i) => {
          const color = COLORS[name];
          return color === undefined ? [] : [{ name, value: i + 1, color }];
        }),
        { name: "burned", value: UNRATED, color: [140, 45, 4] },
      ],
      backgroundValue: UNBURNED,
    },
    { kind: "values", name: "dnbr", unit: "1", range: [-0.5, 1], ramp: "diverging", drawnFrom: null },
    { kind: "values", name: "rdnbr", unit: "1", range: [-0.5, 1.5], ramp: "diverging", drawnFrom: null },
  ],
  marginPx: SEVERITY_MARGIN_PX,
  wantsLand: false,
  plan: (scenes) =>
    opticalPlan({ mapType: "burned-pair", needed: ["B", "G", "R", "N"], optional: ["S1", "S2", "C"] }, scenes),
  algorithm: burnSeverity,
};

/** Burn severity between two scenes. */
export const burnedPair = resultMapType({
  id: "burned-pair",
  longName: "Burn severity between two scenes",
  group: "fire",
  description: "Severity of burns between two scenes by the difference of the normalised burn ratio",
  maturity: "self-tested",
  measuredBy: ["land-cover-simulated"],
  analysis,
  datasetTypes: ["optical"],
  settings: { minSizePx: SEVERITY_SMALLEST_PX },
  quality: {
    note: "classes of the United States Geological Survey after the median of unchanged ground was taken off; without the band at 2.2 µm burned or not, of low confidence",
    expected: "F1 0.8 to 0.9 for large fires and clear scenes of the same season",
  },
});
