import type { Place } from "./places.ts";
import { noise } from "../noise.ts";

/** How densely built a place of a town is: above 0.3 there are streets, towards 1 its centre. */
export function densityAt(place: Place, x: number, y: number): number {
  const distance = Math.sqrt(x * x + y * y) / place.radiusM;
  if (distance > 1.3) return -1;
  return (
    1.02 - distance + 0.36 * noise(x / 1400, y / 1400, place.seed) + 0.12 * noise(x / 420, y / 420, place.seed + 1)
  );
}
