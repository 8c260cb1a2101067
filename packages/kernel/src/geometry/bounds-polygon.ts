import type { Bounds, Polygon } from "./geojson.ts";

/**
 * A box as the polygon of its corners, counter-clockwise from the south-west.
 *
 * @example boundsPolygon([14, 50, 15, 51]).coordinates[0] // [[14, 50], [15, 50], [15, 51], [14, 51], [14, 50]]
 */
export function boundsPolygon([west, south, east, north]: Bounds): Polygon {
  return {
    type: "Polygon",
    coordinates: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ],
  };
}
