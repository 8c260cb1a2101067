import proj4 from "proj4";
import type { Bounds, MultiPolygon } from "./geojson.ts";
import { ringBounds } from "./ring-bounds.ts";
import { DEGREE, meridianArcM, primeVerticalRadiusM } from "./wgs84.ts";

/** Beyond this latitude a box in longitude and latitude says little about size on the ground. */
const POLAR_LATITUDE_DEG = 75;
const EDGE_SAMPLES = 8;

/**
 * The smallest box around an area in normal form. It starts behind the widest gap in longitude, so an area on both
 * sides of the antimeridian has `east > 180`.
 *
 * @throws {RangeError} if the area has no parts
 */
export function mbr(area: MultiPolygon): Bounds {
  let south = Infinity;
  let north = -Infinity;
  const spans: [west: number, east: number][] = [];
  for (const polygon of area.coordinates) {
    const exterior = ringBounds(polygon.slice(0, 1));
    south = Math.min(south, exterior[1]);
    north = Math.max(north, exterior[3]);
    if (exterior[0] <= exterior[2]) spans.push([exterior[0], exterior[2]]);
  }
  spans.sort((a, b) => a[0] - b[0]);
  const first = spans[0];
  if (first === undefined) throw new RangeError("an area without parts has no bounding rectangle");
  let reach = first[1];
  let start = first[0];
  let widestGap = 0;
  for (const [west, east] of spans) {
    if (west - reach > widestGap) {
      widestGap = west - reach;
      start = west;
    }
    reach = Math.max(reach, east);
  }
  const wrapGap = first[0] + 360 - reach;
  if (wrapGap >= widestGap) return [first[0], south, reach, north];
  let end = -Infinity;
  for (const [west, east] of spans) end = Math.max(end, west >= start ? east : east + 360);
  return [start, south, end, north];
}

/** The box as normal-form boxes: two when it crosses the antimeridian. */
export function splitBounds(bounds: Bounds): readonly Bounds[] {
  const [west, south, east, north] = bounds;
  if (east <= 180) return [bounds];
  return [
    [west, south, 180, north],
    [-180, south, east - 360, north],
  ];
}

/** Sides of a box on the ground, metres: its widest parallel and its meridian. */
export function sidesM(bounds: Bounds): { readonly widthM: number; readonly heightM: number } {
  const [west, south, east, north] = bounds;
  const widest = south > 0 ? south : north < 0 ? north : 0;
  return {
    widthM: primeVerticalRadiusM(widest) * Math.cos(widest * DEGREE) * (east - west) * DEGREE,
    heightM: meridianArcM(south, north),
  };
}

/** Sides of the box around an area in an azimuthal equidistant projection about its middle, metres. */
function localSideM(area: MultiPolygon): number {
  const positions: [number, number][] = [];
  for (const polygon of area.coordinates) {
    const ring = polygon[0] ?? [];
    for (let i = 1; i < ring.length; i += 1) {
      const from = ring[i - 1];
      const to = ring[i];
      if (from === undefined || to === undefined) continue;
      for (let s = 0; s < EDGE_SAMPLES; s += 1) {
        const t = s / EDGE_SAMPLES;
        positions.push([from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1])]);
      }
    }
  }
  let x = 0;
  let y = 0;
  let z = 0;
  for (const [lon, lat] of positions) {
    x += Math.cos(lat * DEGREE) * Math.cos(lon * DEGREE);
    y += Math.cos(lat * DEGREE) * Math.sin(lon * DEGREE);
    z += Math.sin(lat * DEGREE);
  }
  const lat0 = Math.atan2(z, Math.hypot(x, y)) / DEGREE;
  const lon0 = Math.atan2(y, x) / DEGREE;
  const project = proj4(
    "+proj=longlat +datum=WGS84 +no_defs",
    `+proj=aeqd +lat_0=${lat0} +lon_0=${lon0} +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs`,
  );
  let west = Infinity;
  let east = -Infinity;
  let south = Infinity;
  let north = -Infinity;
  for (const position of positions) {
    const [px, py] = project.forward(position);
    west = Math.min(west, px);
    east = Math.max(east, px);
    south = Math.min(south, py);
    north = Math.max(north, py);
  }
  const side = Math.max(east - west, north - south);
  return Number.isFinite(side) ? side : Infinity;
}

function reachesPoles([, south, , north]: Bounds): boolean {
  return Math.max(Math.abs(south), Math.abs(north)) > POLAR_LATITUDE_DEG;
}

/** Whether an area in normal form reaches latitudes where `longestSideM` also lays its rectangle in a projection. */
export function isPolar(area: MultiPolygon): boolean {
  return reachesPoles(mbr(area));
}

/**
 * The longer side of the minimum bounding rectangle of an area in normal form, metres. Near the poles the rectangle
 * may also be laid in a local azimuthal projection; the smaller of the two counts.
 */
export function longestSideM(area: MultiPolygon): number {
  const bounds = mbr(area);
  const { widthM, heightM } = sidesM(bounds);
  const side = Math.max(widthM, heightM);
  return reachesPoles(bounds) ? Math.min(side, localSideM(area)) : side;
}
