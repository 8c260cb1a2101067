import type { Bounds, LinearRing } from "./geojson.ts";

/** The smallest box around rings in their own coordinates; from Infinity to -Infinity without a position. */
export function ringBounds(rings: readonly LinearRing[]): Bounds {
  let west = Infinity;
  let south = Infinity;
  let east = -Infinity;
  let north = -Infinity;
  for (const ring of rings) {
    // By index: destructuring makes two objects of each position until the engine has compiled the loop.
    for (let i = 0; i < ring.length; i += 1) {
      const position = ring[i]!;
      west = Math.min(west, position[0]);
      south = Math.min(south, position[1]);
      east = Math.max(east, position[0]);
      north = Math.max(north, position[1]);
    }
  }
  return [west, south, east, north];
}
