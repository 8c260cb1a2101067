import type { BandRole } from "@swath/kernel/bands/band-role";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { StoredRaster } from "@swath/kernel/scenes/stored-raster";

/** A scene as an analysis sees it when it plans. */
export interface PlannedScene {
  readonly scene: Scene;
  readonly raster: StoredRaster;
  /** `roles[i]` belongs to `scene.bands[i]`. */
  readonly roles: readonly (BandRole | null)[];
}

/** The scene of an analysis of one, or that on whose grid several are compared. */
export function firstScene([first]: readonly PlannedScene[]): PlannedScene {
  if (first === undefined) throw new RangeError("an analysis needs a scene, got none");
  return first;
}

/** Size of a pixel on the ground, metres. */
export function resolutionM({ scene }: PlannedScene, position: number): number {
  const band = scene.bands[position]!;
  return band.approximateResolutionX > 0 ? band.approximateResolutionX : band.gsd;
}
