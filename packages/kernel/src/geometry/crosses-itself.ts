import { isNormalRing, unwrapRing } from "./antimeridian.ts";
import { edgesMeetMoreThan } from "./edge-meetings.ts";
import type { PolygonCoordinates } from "./geojson.ts";

/** Whether edges of a polygon cross, or touch beyond common vertices: such a polygon is not simple (RFC 7946, 3.1.6). */
export function crossesItself(polygon: PolygonCoordinates): boolean {
  return edgesMeetMoreThan(
    polygon.map((ring) => (isNormalRing(ring) ? ring : unwrapRing(ring).ring)),
    0,
  );
}
