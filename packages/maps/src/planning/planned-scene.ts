import type { PlannedScene } from "./analysis.ts";

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
