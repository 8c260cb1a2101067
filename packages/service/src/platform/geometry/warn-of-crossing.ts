import { crossesItself } from "@swath/kernel/geometry/crosses-itself";
import type { MultiPolygonCoordinates } from "@swath/kernel/geometry/geojson";
import { positionsOf } from "@swath/kernel/geometry/positions-of";
import { MAX_SWEPT_POSITIONS } from "@swath/kernel/geometry/quick-overlay";
import { warn } from "../request-warnings.ts";

/** Warns of polygons that are kept as they are although one crosses itself. Longer outlines take too long to check. */
export function warnOfCrossing(polygons: MultiPolygonCoordinates, path: string): void {
  if (positionsOf(polygons.flat()) > MAX_SWEPT_POSITIONS || !polygons.some(crossesItself)) return;
  warn({
    path,
    message: "crosses itself, which RFC 7946 forbids: it is kept as it is, and extents of it are repaired",
  });
}
