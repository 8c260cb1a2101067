import type { OpticalParameters } from "../analysis/optical/optical-block.ts";
import type { BandRole } from "@swath/kernel/bands/band-role";
import { sunOfScene } from "@swath/kernel/scenes/sun-of-scene";
import type { AnalysisPlan, WantedPlane } from "./analysis.ts";
import { firstScene, resolutionM, type PlannedScene } from "./planned-scene.ts";
import { lacksBands } from "./refusals.ts";

/** Bands that an optical analysis looks for. */
export interface WantedRoles {
  readonly mapType: string;
  readonly needed: readonly BandRole[];
  /** Taken where the scene has them. */
  readonly optional: readonly BandRole[];
}

/** Assumed reflectance of the brightest pixels of an uncalibrated picture. */
const DISPLAY_WHITE = 0.4;

/**
 * The plan of an analysis of optical bands on the grid of the red band, or of the first where red is absent. All scenes
 * give the same roles, in one order. Narrow and wide near infrared stand in for each other.
 */
export function opticalPlan(
  { mapType, needed, optional }: WantedRoles,
  scenes: readonly PlannedScene[],
): AnalysisPlan<OpticalParameters> {
  for (const scene of scenes) {
    const missing = needed.filter((role) => positionOf(scene, role) < 0);
    if (missing.length > 0) return lacksBands(mapType, scene, needed, missing);
  }
  const roles = [
    ...needed,
    ...optional.filter((role) =>
      scenes.every((scene) => positionOf(scene, role) >= 0 && !isRepeated(scene, role, needed)),
    ),
  ];
  const first = firstScene(scenes);
  const gridPosition = positionOf(first, roles.includes("R") ? "R" : roles[0]!);
  const grid = first.raster.bands[gridPosition]!;
  const sun = sunOfScene(first.scene);
  const parameters: OpticalParameters = {
    roles,
    scale: scaleOf(first, roles),
    gsdM: resolutionM(first, gridPosition),
    gridColumns: grid.widthPx,
    gridRows: grid.heightPx,
    sunAzimuthDeg: sun?.azimuthDeg ?? null,
    sunElevationDeg: sun?.elevationDeg ?? null,
    sunSource: sun?.source ?? null,
  };
  return {
    accepted: true,
    gridPosition,
    reduction: 1,
    planes: scenes.map((planned) =>
      roles.map((role): WantedPlane => ({
        position: positionOf(planned, role),
        quantity: "reflectance",
        resampling: "smooth",
      })),
    ),
    parameters,
  };
}

const SUBSTITUTES: Readonly<Partial<Record<BandRole, BandRole>>> = { N: "N2", N2: "N" };

function positionOf({ roles }: PlannedScene, role: BandRole): number {
  const exact = roles.indexOf(role);
  const substitute = SUBSTITUTES[role];
  return exact >= 0 || substitute === undefined ? exact : roles.indexOf(substitute);
}

function isRepeated(scene: PlannedScene, role: BandRole, needed: readonly BandRole[]): boolean {
  const position = positionOf(scene, role);
  return needed.some((other) => positionOf(scene, other) === position);
}

/** Pictures have no physical scale: their brightest band is taken to end where bright ground does. */
function scaleOf(planned: PlannedScene, roles: readonly BandRole[]): number {
  const bands = roles.map((role) => planned.raster.bands[positionOf(planned, role)]!);
  if (bands.every(({ quantity }) => quantity === "reflectance")) return 1;
  const white = Math.max(...bands.map(({ statistics }) => statistics.p995));
  return white > 0 ? DISPLAY_WHITE / white : 1;
}
