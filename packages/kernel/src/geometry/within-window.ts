import { convexExterior, isWithinConvex, onlyPolygon } from "./convex-exterior.ts";
import type { MultiPolygon } from "./geojson.ts";

/** Most corners of a window: each position is compared with each. */
const MOST_CORNERS = 16;

/**
 * Whether every position of an area is inside a window or on its outline. The area is the part that both have in common
 * then, without an overlay. A window is one convex polygon of at most 16 corners, as most footprints of scenes are.
 */
export function isWithinWindow(area: MultiPolygon, window: MultiPolygon): boolean {
  const convex = convexExterior(onlyPolygon(window));
  return convex !== null && convex.length <= 2 * MOST_CORNERS && isWithinConvex(area, convex);
}
