import { METHANE_MARGIN_PX, methanePlumes, NO_PLUME, PLUME } from "@swath/kernel/analysis/methane/plumes";
import type { Analysis } from "../analysis.ts";
import { lacksBand, namedPlane } from "../named-band.ts";
import { resultMapType } from "../result/result-map-type.ts";

const BANDS = [
  "CH4_column_volume_mixing_ratio_dry_air_bias_corrected",
  "CH4_column_volume_mixing_ratio_dry_air",
  "ch4",
];

const analysis: Analysis = {
  name: "methane-plumes",
  algoVersion: 1,
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
    const [scene] = scenes;
    const plane = scene === undefined ? null : namedPlane(scene, BANDS);
    if (scene !== undefined && plane === null) return lacksBand("methane", scene, BANDS);
    if (plane === null) throw new RangeError("an analysis needs a scene");
    return { accepted: true, gridPosition: plane.position, reduction: 1, planes: [[plane]], parameters: {} };
  },
  algorithm: methanePlumes,
};

/** Methane of Sentinel-5P and where it exceeds what surrounds it. */
export const methane = resultMapType({
  id: "methane",
  description: "Column methane, its excess over the surroundings, and significant plumes",
  analysis,
  datasetTypes: ["environmental"],
  objectsFile: "detections.geojson",
  quality: {
    note: "excess over the median of a ring of 50 to 290 km; relief and surface brightness are not removed, no emission rate without wind",
    expected: "sources of less than about 8 t/h cannot be seen; coasts, snow and bright soils give false plumes",
  },
});
