import type { BandRole } from "@swath/kernel/bands/band-role";
import { sunOfScene } from "@swath/kernel/scenes/sun-of-scene";
import type { OpticalParameters } from "../../../analysis/optical/optical-block.ts";
import type { WantedPlane } from "../../../planning/analysis.ts";
import type { CommonBands } from "../../../planning/compared-scenes.ts";
import { resolutionM, type PlannedScene } from "../../../planning/planned-scene.ts";
import type { CloudSearch } from "./clear-ground.ts";

/** Without near infrared, roofs and sand pass for clouds. */
const NEEDED: readonly BandRole[] = ["B", "G", "R", "N"];
/** Bands that tell clouds from bright ground and snow, at any resolution. */
const OPTIONAL: readonly BandRole[] = ["S1", "S2", "C"];

/**
 * How clouds are looked for in both scenes, and the planes with those that only clouds need at the end. Null where the pixels
 * are no reflectance or lack a band.
 */
export function cloudSearch(
  scenes: readonly PlannedScene[],
  { planes, roles, gridPosition, reduction }: CommonBands,
): { readonly planes: CommonBands["planes"]; readonly clouds: CloudSearch | null } {
  const [first, second] = scenes;
  if (first === undefined || second === undefined || NEEDED.some((role) => !roles.includes(role))) {
    return { planes, clouds: null };
  }
  const further = OPTIONAL.filter(
    (role) => !roles.includes(role) && scenes.every((scene) => scene.roles.includes(role)),
  );
  const wanted = scenes.map((scene, index) => [
    ...planes[index]!,
    ...further.map((role): WantedPlane => ({
      position: scene.roles.indexOf(role),
      quantity: "reflectance",
      resampling: "smooth",
    })),
  ]);
  const isReflectance = scenes.every(({ raster }, index) =>
    wanted[index]!.every(({ position }) => raster.bands[position]?.quantity === "reflectance"),
  );
  if (!isReflectance) return { planes, clouds: null };
  const grid = first.raster.bands[gridPosition]!;
  // Planes of common bands are of the same role in both scenes, and with these four roles none is without.
  const known = roles.filter((role) => role !== null);
  const searchIn = ({ scene }: PlannedScene): OpticalParameters => {
    const sun = sunOfScene(scene);
    return {
      roles: [...known, ...further],
      scale: 1,
      gsdM: resolutionM(first, gridPosition) * reduction,
      gridColumns: Math.ceil(grid.widthPx / reduction),
      gridRows: Math.ceil(grid.heightPx / reduction),
      sunAzimuthDeg: sun?.azimuthDeg ?? null,
      sunElevationDeg: sun?.elevationDeg ?? null,
      sunSource: sun?.source ?? null,
    };
  };
  return { planes: wanted, clouds: [searchIn(first), searchIn(second)] };
}
