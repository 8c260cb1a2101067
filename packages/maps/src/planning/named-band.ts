import type { WantedPlane } from "./analysis.ts";
import type { PlannedScene } from "./planned-scene.ts";

/** Stored values of the first band that has one of the names, or null. */
export function namedPlane({ scene }: PlannedScene, names: readonly string[]): WantedPlane | null {
  for (const name of names) {
    const position = scene.bands.findIndex((band) => band.names.includes(name));
    if (position >= 0) return { position, quantity: "stored", resampling: "nearest" };
  }
  return null;
}
