import type { CloudsParameters } from "../../analysis/cloud/clouds.ts";
import type { KelvinScale } from "../../analysis/cloud/companion-planes.ts";
import type { OpticalParameters } from "../../analysis/optical/optical-block.ts";
import type { AnalysisPlan, WantedPlane } from "../../planning/analysis.ts";
import { firstScene, type PlannedScene } from "../../planning/planned-scene.ts";

/** Thermal constants of the Landsat handbooks, by satellite: W / (m² sr µm) and kelvin; the first thermal band. */
const THERMAL_CONSTANTS: Readonly<Record<string, readonly [k1: number, k2: number]>> = {
  "LANDSAT-4": [671.62, 1284.3],
  "LANDSAT-5": [607.76, 1260.56],
  "LANDSAT-7": [666.09, 1282.71],
  "LANDSAT-8": [774.8853, 1321.0789],
  "LANDSAT-9": [799.0284, 1329.2405],
};
/** Scaled kelvin of Landsat collection 2 level 2. */
const COLLECTION_2 = { mult: 0.00341802, add: 149 };
/** What the ground of the Earth and its clouds may be, kelvin. */
const COLDEST_K = 180;
const HOTTEST_K = 345;

/** Adds the scene classification and the thermal band of the first scene to a plan, where it has such. */
export function withCompanions(
  plan: AnalysisPlan<OpticalParameters>,
  scenes: readonly PlannedScene[],
): AnalysisPlan<CloudsParameters> {
  if (!plan.accepted) return plan;
  const scene = firstScene(scenes);
  const classified = classificationPosition(scene);
  const thermal = thermalBand(scene);
  const extra: WantedPlane[] = [];
  if (classified >= 0) extra.push({ position: classified, quantity: "stored", resampling: "nearest" });
  if (thermal !== null) extra.push({ position: thermal.position, quantity: "stored", resampling: "smooth" });
  return {
    ...plan,
    planes: plan.planes.map((planes) => [...planes, ...extra]),
    parameters: { ...plan.parameters, classification: classified >= 0, thermal: thermal?.scale ?? null },
  };
}

/** SCL of Sentinel-2 by name; other classifications have other numbers. */
function classificationPosition({ scene }: PlannedScene): number {
  return scene.bands.findIndex(({ names }) =>
    names.some((name) => /(?:^|[^a-z])scl(?:[^a-z]|$)|^scene[ _-]?classification/i.test(name)),
  );
}

function thermalBand({
  scene,
  raster,
  roles,
}: PlannedScene): { readonly position: number; readonly scale: KelvinScale } | null {
  const position = (["T1", "T"] as const).map((role) => roles.indexOf(role)).find((at) => at >= 0) ?? -1;
  const band = scene.bands[position];
  const stored = raster.bands[position];
  if (band === undefined || stored === undefined) return null;
  const [k1, k2] = THERMAL_CONSTANTS[scene.satellite.toUpperCase().replaceAll(/[ _]/g, "-")] ?? [null, null];
  if (k1 !== null && band.radianceMult !== undefined) {
    return { position, scale: { mult: band.radianceMult, add: band.radianceAdd ?? 0, k1, k2 } };
  }
  const isKelvin = ({ mult, add }: { readonly mult: number; readonly add: number }): boolean =>
    mult * stored.statistics.p005 + add > COLDEST_K && mult * stored.statistics.p995 + add < HOTTEST_K;
  const scale = [{ mult: 1, add: 0 }, COLLECTION_2].find(isKelvin);
  return scale === undefined ? null : { position, scale: { ...scale, k1: null, k2: null } };
}
