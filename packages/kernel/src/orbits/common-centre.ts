import { multiPolygonAreaKm2 } from "../geometry/area.ts";
import { centroid } from "../geometry/centroid.ts";
import { intersection } from "../geometry/clip.ts";
import { convexHull } from "../geometry/convex-hull.ts";
import { clipToConvex, flatAreaKm2, shoelace, type FlatRing } from "../geometry/flat-ring.ts";
import type { MultiPolygon } from "../geometry/geojson.ts";
import { mbr } from "../geometry/mbr.ts";

/** A footprint prepared for many questions about common ground. */
export interface PreparedFootprint {
  readonly footprint: MultiPolygon;
  /** Counter-clockwise, unwrapped across the antimeridian; null when the footprint is far from convex. */
  readonly hull: FlatRing | null;
  readonly westDeg: number;
  readonly eastDeg: number;
}

/** A footprint that fills this share of its hull is taken for its hull. */
const CONVEX_SHARE = 0.99;
const MIN_COMMON_DEG2 = 1e-9;

/** @param footprint in normal form */
export function prepareFootprint(footprint: MultiPolygon): PreparedFootprint {
  const [westDeg, , eastDeg] = mbr(footprint);
  const positions = footprint.coordinates.flatMap((polygon) =>
    (polygon[0] ?? []).map(([lon, lat]): readonly [number, number] => [lon < westDeg ? lon + 360 : lon, lat]),
  );
  const hull = convexHull(positions).flat();
  const isConvex = multiPolygonAreaKm2(footprint.coordinates) >= CONVEX_SHARE * flatAreaKm2(hull);
  return { footprint, hull: isConvex && hull.length >= 6 ? hull : null, westDeg, eastDeg };
}

/**
 * The centre of mass of the ground two footprints share, `[longitude, latitude]` in degrees, or null when they share none.
 * The longitude may exceed 180.
 */
export function commonCentre(
  a: PreparedFootprint,
  b: PreparedFootprint,
): readonly [lonDeg: number, latDeg: number] | null {
  if (a.hull === null || b.hull === null) {
    const common = intersection(a.footprint, b.footprint);
    return multiPolygonAreaKm2(common.coordinates) > 0 ? centroid(common) : null;
  }
  for (const turn of [0, 360, -360]) {
    if (a.westDeg + turn >= b.eastDeg || a.eastDeg + turn <= b.westDeg) continue;
    const shifted = turn === 0 ? a.hull : a.hull.map((value, index) => (index % 2 === 0 ? value + turn : value));
    const common = clipToConvex(shifted, b.hull);
    if (Math.abs(shoelace(common)) > MIN_COMMON_DEG2) return centreOf(common);
  }
  return null;
}

function centreOf(flat: FlatRing): readonly [number, number] {
  const x0 = flat[0] ?? 0;
  const y0 = flat[1] ?? 0;
  let weight = 0;
  let x = 0;
  let y = 0;
  for (let i = 2; i + 3 < flat.length; i += 2) {
    const x1 = (flat[i] ?? 0) - x0;
    const y1 = (flat[i + 1] ?? 0) - y0;
    const x2 = (flat[i + 2] ?? 0) - x0;
    const y2 = (flat[i + 3] ?? 0) - y0;
    const turn = x1 * y2 - x2 * y1;
    weight += turn;
    x += (turn * (x1 + x2)) / 3;
    y += (turn * (y1 + y2)) / 3;
  }
  return [x0 + x / weight, y0 + y / weight];
}
