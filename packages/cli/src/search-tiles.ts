import { extentArea } from "@swath/kernel/geometry/extent";
import type { GeoJson, MultiPolygon } from "@swath/kernel/geometry/geojson";
import { longestSideM } from "@swath/kernel/geometry/mbr";
import { splitExtent } from "@swath/kernel/geometry/split-extent";
import { UsageError } from "./exit-code.ts";

/** Squares of an equal-area grid turn against the meridians, so their boxes are longer than their sides. */
const FIRST_SHARE = 0.975;
const MAX_TRIES = 8;

/**
 * The extent as searches may cover it: whole when its bounding rectangle is short enough, else square tiles of a local
 * plane, without those that have nothing in common with it.
 *
 * @param limitM the bounding rectangle of a search must be shorter than this
 * @param tileSideM side of the tiles; the longest that fits unless given
 * @throws {UsageError} when the extent has no area or needs too many tiles
 */
export function searchTiles(extent: GeoJson, limitM: number, tileSideM?: number): readonly MultiPolygon[] {
  const area = extentArea(extent);
  if (area === null) throw new UsageError("--extent holds no polygon with an area");
  if (tileSideM === undefined && longestSideM(area) < limitM) return [area];
  let sideM = Math.min(tileSideM ?? Infinity, FIRST_SHARE * limitM);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const tiles = split(area, sideM);
    const longestM = Math.max(...tiles.map(longestSideM));
    if (longestM < limitM) return tiles;
    sideM *= (FIRST_SHARE * limitM) / longestM;
  }
  throw new UsageError(`--extent cannot be split into tiles shorter than ${limitM / 1000} km`);
}

function split(area: MultiPolygon, sideM: number): readonly MultiPolygon[] {
  try {
    return splitExtent(area, sideM);
  } catch (cause) {
    if (cause instanceof RangeError) throw new UsageError(cause.message, { cause });
    throw cause;
  }
}
