import {
  METHANE_MARGIN_PX,
  MIN_PLUME_PIXELS,
  methanePlumes,
  NO_PLUME,
  PLUME,
  type MethaneParameters,
} from "./plumes.ts";
import type { Analysis, WantedPlane } from "../../planning/analysis.ts";
import { namedPlane } from "../../planning/named-band.ts";
import { firstScene, type PlannedScene } from "../../planning/planned-scene.ts";
import { lacksOneOf } from "../../planning/refusals.ts";
import { resultMapType } from "../../planning/result-map-type.ts";

const BANDS = [
  "CH4_column_volume_mixing_ratio_dry_air_bias_corrected",
  "CH4_column_volume_mixing_ratio_dry_air",
  "ch4",
];

/** Confounders of the retrieval, each by its first name in the scene. */
const CONFOUNDERS = [
  ["aerosol_optical_depth", "aerosol_optical_thickness", "aot"],
  ["surface_albedo", "surface_albedo_SWIR", "surface_albedo_2325", "albedo"],
];
/** Wind 10 m above ground, m/s: its speed, or its two components. */
const WIND_SPEED = ["wind_speed", "wind_speed_10m"];
const WIND_COMPONENTS = [
  ["u_component_of_wind_10m", "u10", "eastward_wind"],
  ["v_component_of_wind_10m", "v10", "northward_wind"],
];

/** Planes of the first of the names that the scene has. */
function planesOf(scene: PlannedScene, wanted: readonly (readonly string[])[]): readonly WantedPlane[] {
  return wanted.flatMap((names) => namedPlane(scene, names) ?? []);
}

function windPlanes(scene: PlannedScene): readonly WantedPlane[] {
  const speed = planesOf(scene, [WIND_SPEED]);
  if (speed.length > 0) return speed;
  const components = planesOf(scene, WIND_COMPONENTS);
  return components.length === WIND_COMPONENTS.length ? components : [];
}

const analysis: Analysis<MethaneParameters> = {
  name: "methane-plumes",
  algoVersion: 2,
  scenes: { min: 1, max: 1 },
  layers: [
    { kind: "values", name: "methane", unit: "ppb", range: [1750, 1950], ramp: "methane", drawnFrom: null },
    { kind: "values", name: "excess", unit: "ppb", range: [-50, 50], ramp: "diverging", drawnFrom: null },
    {
      kind: "classes",
      name: "plumes",
      classes: [{ name: "plume", value: PLUME, color: [215, 25, 28] }],
      backgroundValue: NO_PLUME,
    },
  ],
  marginPx: METHANE_MARGIN_PX,
  wantsLand: false,
  plan(scenes) {
    const scene = firstScene(scenes);
    const plane = namedPlane(scene, BANDS);
    if (plane === null) return lacksOneOf("methane", scene, BANDS);
    const screens = planesOf(scene, CONFOUNDERS);
    const winds = windPlanes(scene);
    const nameOf = ({ position }: WantedPlane): string => scene.scene.bands[position]?.names[0] ?? `band ${position}`;
    return {
      accepted: true,
      gridPosition: plane.position,
      reduction: 1,
      planes: [[plane, ...screens, ...winds]],
      parameters: { screens: screens.map(nameOf), winds: winds.map(nameOf) },
    };
  },
  algorithm: methanePlumes,
};

/** Methane of Sentinel-5P and where it exceeds what surrounds it. */
export const methane = resultMapType({
  id: "methane",
  longName: "Column methane and plumes",
  group: "atmosphere",
  description: "Column methane, its excess over the surroundings, and significant plumes",
  maturity: "experimental",
  measuredBy: ["environment"],
  analysis,
  datasetTypes: ["environmental"],
  objectsFile: "detections.geojson",
  settings: { minSizePx: MIN_PLUME_PIXELS },
  quality: {
    note: "excess over the median of a ring of 50 to 290 km; plumes that follow a band of aerosol or albedo are left out; relief is not removed, no emission rate without wind",
    expected: "sources of less than about 8 t/h cannot be seen; coasts, snow and bright soils give false plumes",
  },
});
