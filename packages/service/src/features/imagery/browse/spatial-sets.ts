import { giveWay, isUsedUp, loopShare } from "@swath/base/concurrency/loop-share";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { decodeFootprintRings } from "@swath/kernel/geometry/footprint-codec";
import type { Bounds, MultiPolygon } from "@swath/kernel/geometry/geojson";
import { overlapRatio, overlapsEnough, prepareArea, prepareRings } from "@swath/kernel/geometry/intersection-ratio";
import { mbr } from "@swath/kernel/geometry/mbr";
import type { Db } from "../../../platform/context.ts";
import { searchBoxes } from "../hit.ts";
import { readOutlines, type BrowseScope } from "./browse-store.ts";

/** The scenes that share ground with an area. */
export interface SpatialSet {
  /** Scenes in these boxes do, whether or not they are listed; empty where the list has all. */
  readonly insideOf: readonly Bounds[];
  /** Share of the area that each listed scene covers, by key. */
  readonly overlaps: ReadonlyMap<number, number>;
}

const BATCH = 4000;
/** Outlines of one request: some seconds of a core. */
const MAX_OUTLINES = 200_000;

/**
 * The scenes of the scope that share ground with an area, by the rules of the search.
 *
 * @param withRatios whether every scene must be listed with its overlap
 * @throws {ServiceError} EXTENT-TOO-LARGE when too many outlines cross the area
 */
export async function spatialSet(
  db: Db,
  scope: BrowseScope,
  area: MultiPolygon,
  withRatios: boolean,
  signal: AbortSignal,
): Promise<SpatialSet> {
  const extent = prepareArea(area);
  const boxes = searchBoxes(area);
  // Few scenes are listed; of many in a rectangle only those that cross its border are.
  const mayLeaveOut = !withRatios && isRectangle(area);
  let withInside = true;
  const overlaps = new Map<number, number>();
  const share = loopShare();
  for (let after = -1, read = 0; ;) {
    signal.throwIfAborted();
    const rows = await readOutlines(db, scope, { boxes, withInside, after, limit: BATCH });
    if (withInside && mayLeaveOut && rows.length === BATCH) {
      withInside = false;
      continue;
    }
    read += rows.length;
    if (read > MAX_OUTLINES) {
      throw new ServiceError(
        "EXTENT-TOO-LARGE",
        `more than ${MAX_OUTLINES} scenes cross the area; narrow the area, the period or the collections`,
      );
    }
    for (const { scene_key: key, footprint } of rows) {
      if (isUsedUp(share)) await giveWay(share, signal);
      const scene = prepareRings(decodeFootprintRings(footprint));
      if (!overlapsEnough(extent, scene, { of: "extent", ratio: 0 })) continue;
      overlaps.set(key, withRatios ? overlapRatio(extent, scene, "extent") : 0);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return { insideOf: withInside ? [] : boxes, overlaps };
    after = last.scene_key;
  }
}

function isRectangle(area: MultiPolygon): boolean {
  const [polygon, ...others] = area.coordinates;
  const [ring, ...holes] = polygon ?? [];
  if (ring === undefined || others.length > 0 || holes.length > 0 || ring.length !== 5) return false;
  const [west, south, east, north] = mbr(area);
  return ring.every(([lon, lat]) => (lon === west || lon === east) && (lat === south || lat === north));
}
