import {
  LAND_COVER_CHANGE_MARGIN_PX,
  landCoverChange,
  SAME_CLASS,
  type LandCoverChangeParameters,
} from "./land-cover-change.ts";
import type { OpticalParameters } from "../../analysis/optical/optical-block.ts";
import type { ResultLayer } from "@swath/kernel/raster-mathematics/rendering";
import type { Analysis, AnalysisPlan } from "../../planning/analysis.ts";
import { incomparable, isRadar } from "../../planning/compared-scenes.ts";
import { firstScene, type PlannedScene } from "../../planning/planned-scene.ts";
import { unsupported } from "../../planning/refusals.ts";
import { opticalPlan } from "../../planning/optical-plan.ts";
import { resultMapType } from "../../planning/result-map-type.ts";
import { LAND_COVER_CLASSES } from "../wrunc/classes.ts";

/** Pixels that differ by less than one unchanged pixel in a hundred does have not changed their class. */
const ALPHA = 0.01;
const NEEDED = ["G", "R", "N"] as const;
const OPTIONAL = ["B", "S1", "S2", "RE1", "C"] as const;

function plan(scenes: readonly PlannedScene[]): AnalysisPlan<LandCoverChangeParameters> {
  const refusal = incomparable("wrunc-change", scenes);
  if (refusal !== null) return refusal;
  const first = firstScene(scenes);
  if (isRadar(first)) return unsupported(`wrunc-change compares optical scenes: ${first.scene.sceneId} is radar`);
  const wanted = { mapType: "wrunc-change", needed: NEEDED, optional: OPTIONAL };
  const together = opticalPlan(wanted, scenes);
  if (!together.accepted) return together;
  const { roles, gsdM, gridColumns, gridRows } = together.parameters;
  const each: OpticalParameters[] = [];
  for (const scene of scenes) {
    const own = opticalPlan(wanted, [scene]);
    if (!own.accepted) return own;
    // Both are computed on the grid of the first scene, with the bands that both have.
    each.push({ ...own.parameters, roles, gsdM, gridColumns, gridRows });
  }
  return {
    ...together,
    parameters: {
      roles,
      method: "irmad",
      alpha: ALPHA,
      calibrated: each.every(({ scale }) => scale === 1),
      red: NEEDED.indexOf("R"),
      nir: NEEDED.indexOf("N"),
      scenes: each,
    },
  };
}

function classLayer(name: "added" | "removed"): ResultLayer {
  return {
    kind: "classes",
    name,
    classes: LAND_COVER_CLASSES.map((described) => ({ ...described, name: `${described.name}-${name}` })),
    backgroundValue: SAME_CLASS,
  };
}

function vegetationLayer(name: "added" | "removed"): ResultLayer {
  return { kind: "values", name: `ndvi-${name}-heatmap`, unit: "1", range: [0, 1], ramp: "heat", drawnFrom: 0.1 };
}

const analysis: Analysis<LandCoverChangeParameters> = {
  name: "land-cover-change",
  algoVersion: 7,
  scenes: { min: 2, max: 2 },
  layers: [classLayer("added"), classLayer("removed"), vegetationLayer("added"), vegetationLayer("removed")],
  marginPx: LAND_COVER_CHANGE_MARGIN_PX,
  wantsLand: false,
  plan,
  algorithm: landCoverChange,
};

/** Gain and loss of each land-cover class between two optical scenes. */
export const wruncChange = resultMapType({
  id: "wrunc-change",
  longName: "Change of land cover and vegetation",
  group: "change",
  description: "Changes of land cover and vegetation: classes added and removed, rise and fall of NDVI",
  maturity: "self-tested",
  measuredBy: ["change"],
  analysis,
  datasetTypes: ["optical"],
  settings: { minSizePx: 4 },
  quality: {
    note: "each scene is classified by itself; a class has changed only where the pixels differ significantly too",
    expected: "no better than both land covers; water and vegetation are found best",
  },
});
