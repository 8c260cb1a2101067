import type { Bounds } from "@swath/kernel/geometry/geojson";
import type { QueryNode } from "@swath/kernel/query/ast";
import { widened } from "@swath/kernel/query/spatial/distance";
import { gridBounds, gridGeometry } from "@swath/kernel/query/spatial/grid-geometry";
import { type RawBuilder, sql } from "kysely";

/**
 * Boxes that hold every feature for which a condition on the geometry can be true, as stored boxes have them: those
 * that cross the antimeridian run on past 180 degrees.
 */
export function searchedBoxes(node: QueryNode & { readonly op: "spatial" | "dwithin" }): readonly Bounds[] {
  const bounds = gridBounds(gridGeometry(node.geometry));
  if (bounds === null) return [];
  const [west, south, east, north] = node.op === "dwithin" ? widened(bounds, node.distanceM) : bounds;
  return [-360, 0, 360]
    .map((by): Bounds => [west + by, south, east + by, north])
    .filter((box) => box[2] >= -180 && box[0] <= 540);
}

export function boxesSql(boxes: readonly Bounds[]): RawBuilder<unknown> {
  if (boxes.length === 0) return sql`false`;
  const tests = boxes.map(
    ([west, south, east, north]) => sql`f.bbox && ${`(${west},${south}),(${east},${north})`}::box`,
  );
  return sql`(${sql.join(tests, sql` or `)})`;
}
