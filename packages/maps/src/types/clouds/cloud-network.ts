import type { CloudsParameters } from "../../analysis/cloud/clouds.ts";
import { bandPosition } from "../../models/band-position.ts";
import type { ModelManifest } from "../../models/model-manifest.ts";
import type { AnalysisPlan } from "../../planning/analysis.ts";
import { firstScene, resolutionM, type PlannedScene } from "../../planning/planned-scene.ts";
import { reflectanceScale } from "@swath/kernel/bands/radiometry";

/** Whether pixels hold the light of air above the ground. */
type Level = "surface" | "top-of-atmosphere";

/** Networks of ukis-csmask by their ids, those with more bands first. All have the classes clouds and cloud shadows. */
const NETWORKS: readonly { readonly id: string; readonly level: Level }[] = [
  { id: "csmask-6-bands-l1c", level: "top-of-atmosphere" },
  { id: "csmask-6-bands-l2a", level: "surface" },
  { id: "csmask-4-bands-l1c", level: "top-of-atmosphere" },
  { id: "csmask-4-bands-l2a", level: "surface" },
];
/** Air alone reflects about 0.06 of blue light, and more with a low sun. */
const DARKEST_BLUE_OF_AIR = 0.05;

/** The networks among installed models that tell clouds, the best first. */
export function cloudNetworks(models: readonly ModelManifest[]): readonly ModelManifest[] {
  return NETWORKS.flatMap(({ id }) => models.filter((manifest) => manifest.id === id));
}

/** Adds the network that suits the first scene to a plan: its level of processing, its bands, its resolution. */
export function withNetwork(
  plan: AnalysisPlan<CloudsParameters>,
  scenes: readonly PlannedScene[],
  networks: readonly ModelManifest[],
): AnalysisPlan<CloudsParameters> {
  if (!plan.accepted || plan.parameters.classification || plan.parameters.scale !== 1) return plan;
  const scene = firstScene(scenes);
  const level = levelOf(scene);
  const gsdM = resolutionM(scene, plan.gridPosition);
  const manifest = networks.find(
    ({ id, bands, gsd }) =>
      NETWORKS.some((network) => network.id === id && network.level === level) &&
      bands.every((band) => bandPosition(band, plan.parameters.roles) !== undefined) &&
      gsdM >= gsd.min &&
      gsdM <= gsd.max,
  );
  if (manifest === undefined) return plan;
  return { ...plan, parameters: { ...plan.parameters, manifest } };
}

/** Only a product with air above its ground has a cirrus band, or no dark pixel in blue. */
function levelOf({ scene, raster, roles }: PlannedScene): Level {
  if (roles.includes("C")) return "top-of-atmosphere";
  const position = roles.indexOf("B");
  const [band, stored] = [scene.bands[position], raster.bands[position]];
  if (band === undefined || stored === undefined) return "surface";
  const scale = reflectanceScale(scene, band, stored) ?? { mult: 1, add: 0 };
  return scale.mult * stored.statistics.p005 + scale.add > DARKEST_BLUE_OF_AIR ? "top-of-atmosphere" : "surface";
}
