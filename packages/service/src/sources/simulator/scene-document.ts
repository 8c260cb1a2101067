import type { PlannedScene } from "./simulate-scene.ts";

/** Names, roles and central wavelengths of the simulated bands, in the order of their pixels. */
export const SIMULATED_BANDS = [
  { names: ["Blue", "blue", "b"], role: "B", centreUm: 0.49 },
  { names: ["Green", "green", "g"], role: "G", centreUm: 0.56 },
  { names: ["Red", "red", "r"], role: "R", centreUm: 0.665 },
  { names: ["NIR", "near-ir"], role: "N", centreUm: 0.842 },
] as const;

/** The scene.json that travels with a simulated GeoTIFF. */
export interface SceneDocument {
  readonly foreignId: string;
  readonly satellite: string;
  readonly datetime: string;
  readonly cloudCover: number;
  readonly offNadir: number;
  readonly sunElevation: number;
  readonly sunAzimuth: number;
  readonly bands: readonly {
    readonly names: readonly string[];
    readonly role: string;
    readonly gsd: number;
    readonly reflectanceMult: number;
    readonly reflectanceAdd: number;
  }[];
}

/** Metadata of a simulated scene in the form that an upload carries beside its GeoTIFF. */
export function sceneDocument(scene: PlannedScene, cloudCover: number): SceneDocument {
  const { options, sun } = scene;
  return {
    foreignId: `simulated-${options.seed}-${options.widthPx}x${options.heightPx}-${options.resolutionM}m`,
    satellite: "Swath Simulator",
    datetime: options.time.toISOString().slice(0, 19).replace("T", " "),
    cloudCover: round(cloudCover, 4),
    offNadir: 0,
    sunElevation: round(sun.elevationDeg, 2),
    sunAzimuth: round(sun.azimuthDeg, 2),
    bands: SIMULATED_BANDS.map(({ names, role }) => ({
      names,
      role,
      gsd: options.resolutionM,
      reflectanceMult: 0.0001,
      reflectanceAdd: 0,
    })),
  };
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
