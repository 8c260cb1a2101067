import { formatInstant } from "@swath/kernel/time/instant";
import type { SceneModel } from "./scene-model.ts";
import { radiometryOf, type Radiometry } from "./scene-of-model.ts";

/** The scene.json that travels with a simulated GeoTIFF. */
export interface SceneDocument {
  readonly foreignId: string;
  readonly satellite: string;
  readonly datetime: string;
  readonly cloudCover: number;
  readonly offNadir: number;
  readonly sunElevation: number;
  readonly sunAzimuth: number;
  readonly bands: readonly (Radiometry & {
    readonly names: readonly string[];
    readonly role: string | null;
    readonly gsd: number;
  })[];
}

/**
 * Metadata of a simulated scene in the form that an upload carries beside its GeoTIFF.
 *
 * @param cloudCover 0 to 1
 */
export function sceneDocument(model: SceneModel, cloudCover: number): SceneDocument {
  return {
    foreignId: model.sceneId,
    satellite: model.satellite,
    datetime: formatInstant(model.acquiredAtMs),
    cloudCover: round(cloudCover, 4),
    offNadir: model.offNadirDeg,
    sunElevation: round(model.sunElevationDeg, 2),
    sunAzimuth: round(model.sunAzimuthDeg, 2),
    bands: model.bands.map((band) => ({
      names: band.names,
      role: band.role,
      gsd: band.gsdM,
      ...radiometryOf(model, band),
    })),
  };
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
