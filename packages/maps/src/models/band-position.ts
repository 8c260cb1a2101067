import type { BandRole } from "@swath/kernel/bands/band-role";
import type { ModelBand } from "./model-manifest.ts";

/** Roles that a band of a model may have, the best first. */
const ROLES: Readonly<Record<ModelBand, readonly BandRole[]>> = {
  blue: ["B"],
  green: ["G"],
  red: ["R"],
  nir: ["N", "N2"],
  "red-edge": ["RE1", "RE2", "RE3"],
  swir1: ["S1"],
  swir2: ["S2"],
  pan: ["P"],
  vv: ["VV"],
  vh: ["VH"],
  hh: ["HH"],
  hv: ["HV"],
};

/** Position of a band of a model among the bands of a scene, by their roles; undefined when the scene lacks it. */
export function bandPosition(band: ModelBand, roles: readonly (BandRole | null)[]): number | undefined {
  return ROLES[band].map((role) => roles.indexOf(role)).find((position) => position >= 0);
}
