import { flatten, isConvex, shoelace, type FlatRing } from "./flat-ring.ts";
import type { MultiPolygon } from "./geojson.ts";

/** Most corners of a window: each position is compared with each. */
const MOST_CORNERS = 16;

/**
 * Whether every position of an area is inside a window or on its outline. The area is the part that both have in common
 * then, without an overlay. A window is one convex polygon of at most 16 corners, as most footprints of scenes are.
 */
export function isWithinWindow(area: MultiPolygon, window: MultiPolygon): boolean {
  const [polygon, ...others] = window.coordinates;
  const [exterior, ...holes] = polygon ?? [];
  if (exterior === undefined || others.length > 0 || holes.length > 0) return false;
  if (exterior.length > MOST_CORNERS + 1) return false;
  const corners = flatten(exterior);
  if (!isConvex(corners)) return false;
  const turn = Math.sign(shoelace(corners));
  return area.coordinates.every((rings) =>
    rings.every((ring) => ring.every((position) => isInside(position[0], position[1], corners, turn))),
  );
}

/** Whether a place is on the inner side of every edge, or on it. */
function isInside(lon: number, lat: number, corners: FlatRing, turn: number): boolean {
  let x1 = corners.at(-2)!;
  let y1 = corners.at(-1)!;
  for (let i = 0; i < corners.length; i += 2) {
    const x2 = corners[i]!;
    const y2 = corners[i + 1]!;
    if (turn * ((x2 - x1) * (lat - y1) - (y2 - y1) * (lon - x1)) < 0) return false;
    x1 = x2;
    y1 = y2;
  }
  return true;
}
