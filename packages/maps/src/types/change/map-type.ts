import { change as algorithm, CHANGE_MARGIN_PX, type ChangeParameters } from "./change.ts";
import { NEITHER, VEGETATION_ADDED, VEGETATION_REMOVED, WATER_ADDED, WATER_REMOVED } from "./change-classes.ts";
import type { ResultLayer } from "@swath/kernel/raster-mathematics/rendering";
import type { Analysis, AnalysisPlan } from "../../planning/analysis.ts";
import { CHANGE_FILES, CHANGE_LAYERS } from "./change-layers.ts";
import {
  commonBands,
  incomparable,
  isRadar,
  lacksPolarisation,
  leastLooks,
  powerPlanes,
} from "../../planning/compared-scenes.ts";
import { firstScene, type PlannedScene } from "../../planning/planned-scene.ts";
import { pictureOfRadar, unsupported } from "../../planning/refusals.ts";
import { resultMapType } from "../../planning/result-map-type.ts";
import { cloudSearch } from "./optical/cloud-search.ts";
import { MOST_REGIONS } from "./ranked-regions.ts";

/** Probability with which an unchanged pixel counts as changed, before small groups are removed. */
const OPTICAL_ALPHA = 1e-3;
const RADAR_ALPHA = 1e-4;
/** Pixels per side whose power is averaged. */
const WINDOW_PX = 5;
const MAX_POLARISATIONS = 4;
const IRMAD_BANDS = 3;

const COVER_CLASSES: ResultLayer = {
  kind: "classes",
  name: "cover",
  classes: [
    { name: "vegetation-added", value: VEGETATION_ADDED, color: [51, 160, 44] },
    { name: "vegetation-removed", value: VEGETATION_REMOVED, color: [177, 89, 40] },
    { name: "water-added", value: WATER_ADDED, color: [31, 120, 255] },
    { name: "water-removed", value: WATER_REMOVED, color: [253, 191, 111] },
  ],
  backgroundValue: NEITHER,
};

function planRadar(scenes: readonly PlannedScene[]): AnalysisPlan<ChangeParameters> {
  const planes = powerPlanes(scenes, MAX_POLARISATIONS);
  const picture = pictureOfRadar("change", scenes, (scene) =>
    planes[scenes.indexOf(scene)]!.map(({ position }) => position),
  );
  if (picture !== null) return picture;
  const grid = planes[0]?.[0];
  if (grid === undefined) return lacksPolarisation("change", scenes);
  return {
    accepted: true,
    gridPosition: grid.position,
    reduction: 1,
    planes,
    parameters: {
      mostRegions: MOST_REGIONS,
      method: "log-ratio",
      alpha: RADAR_ALPHA,
      windowPx: WINDOW_PX,
      looks: leastLooks(scenes),
    },
  };
}

function planOptical(scenes: readonly PlannedScene[]): AnalysisPlan<ChangeParameters> {
  const common = commonBands(scenes);
  if (common === null) {
    return unsupported(
      `change needs bands that both scenes have: ${scenes
        .map(({ scene }) => `${scene.sceneId} has ${scene.bands.map(({ names }) => names[0] ?? "?").join(", ")}`)
        .join("; ")}`,
    );
  }
  const { roles, gridPosition, reduction } = common;
  const { planes, clouds } = cloudSearch(scenes, common);
  return {
    accepted: true,
    gridPosition,
    reduction,
    planes,
    parameters: {
      mostRegions: MOST_REGIONS,
      roles,
      method: roles.length >= IRMAD_BANDS ? "irmad" : "cva",
      alpha: OPTICAL_ALPHA,
      bands: common.planes[0]!.map(({ position }) => scenes[0]!.scene.bands[position]?.names[0] ?? String(position)),
      calibrated: scenes.every(({ raster }, scene) =>
        common.planes[scene]!.every(({ position }) => raster.bands[position]?.quantity === "reflectance"),
      ),
      red: roles.indexOf("R"),
      nir: roles.indexOf("N"),
      green: roles.indexOf("G"),
      ...(clouds === null ? {} : { clouds }),
    },
  };
}

function plan(scenes: readonly PlannedScene[]): AnalysisPlan<ChangeParameters> {
  const refusal = incomparable("change", scenes);
  if (refusal !== null) return refusal;
  return isRadar(firstScene(scenes)) ? planRadar(scenes) : planOptical(scenes);
}

const analysis: Analysis<ChangeParameters> = {
  name: "change",
  algoVersion: 6,
  scenes: { min: 2, max: 2 },
  layers: [...CHANGE_LAYERS, COVER_CLASSES],
  marginPx: CHANGE_MARGIN_PX,
  wantsLand: false,
  plan,
  algorithm,
};

/** Change between two dates, optical or radar. */
export const change = resultMapType({
  id: "change",
  longName: "Change between two scenes",
  group: "change",
  description: "Change between two scenes: IR-MAD or change vectors for optical, log-ratio of powers for radar",
  maturity: "self-tested",
  measuredBy: ["change", "change-calibration", "radar-floods"],
  analysis,
  datasetTypes: ["optical", "sar-grd"],
  settings: { minSizePx: 4 },
  objectsFile: "attention_regions.geojson",
  files: CHANGE_FILES,
  quality: {
    note: "a difference of the surface, of its season or of its light; clouds and their shadows are left out of reflectance and count as changes in pictures",
    expected: "of unchanged pixels 1 in 1,000 optical, 1 in 10,000 radar, before small groups are removed",
  },
});
