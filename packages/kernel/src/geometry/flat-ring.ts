import type { LinearRing } from "./geojson.ts";
import { edgeAreaKm2 } from "./area.ts";
import { lessHoles } from "./less-holes.ts";

/** A ring as `[lon0, lat0, lon1, lat1, …]` without the closing position: the form the hot loops use. */
export type FlatRing = readonly number[];

export function flatten(ring: LinearRing): number[] {
  const flat: number[] = [];
  for (let i = 0; i + 1 < ring.length; i += 1) {
    const position = ring[i]!;
    flat.push(position[0], position[1]);
  }
  return flat;
}

/** The closed GeoJSON form. */
export function unflatten(flat: FlatRing): [number, number][] {
  const ring: [number, number][] = [];
  for (let i = 0; i + 1 < flat.length; i += 2) ring.push([flat[i] ?? 0, flat[i + 1] ?? 0]);
  const first = ring[0];
  if (first !== undefined) ring.push([first[0], first[1]]);
  return ring;
}

/** Area enclosed, km², edges straight in longitude and latitude. */
export function flatAreaKm2(flat: FlatRing): number {
  return Math.abs(signedAreaKm2(flat));
}

/** The same with a sign, positive when clockwise. */
export function signedAreaKm2(flat: FlatRing): number {
  const n = flat.length;
  let sum = 0;
  let lon1 = flat[n - 2] ?? 0;
  let lat1 = flat[n - 1] ?? 0;
  for (let i = 0; i < n; i += 2) {
    const lon2 = flat[i] ?? 0;
    const lat2 = flat[i + 1] ?? 0;
    sum += edgeAreaKm2(lon1, lat1, lon2, lat2);
    lon1 = lon2;
    lat1 = lat2;
  }
  return sum;
}

/** Area of a polygon, km²: the first ring less the others. */
export function flatPolygonAreaKm2(rings: readonly FlatRing[]): number {
  return Math.max(0, lessHoles(rings, flatAreaKm2));
}

/** Twice the signed area in square degrees: positive when counter-clockwise. */
export function shoelace(flat: FlatRing): number {
  const n = flat.length;
  if (n < 6) return 0;
  // Relative to the first vertex, so that small rings far from the origin keep their digits.
  const x0 = flat[0] ?? 0;
  const y0 = flat[1] ?? 0;
  let sum = 0;
  let x1 = 0;
  let y1 = 0;
  for (let i = 2; i < n; i += 2) {
    const x2 = (flat[i] ?? 0) - x0;
    const y2 = (flat[i + 1] ?? 0) - y0;
    sum += x1 * y2 - x2 * y1;
    x1 = x2;
    y1 = y2;
  }
  return sum;
}

export function reversed(flat: FlatRing): number[] {
  const result: number[] = [];
  for (let i = flat.length - 2; i >= 0; i -= 2) result.push(flat[i] ?? 0, flat[i + 1] ?? 0);
  return result;
}

/**
 * Whether the ring is convex and goes around once; collinear vertices are allowed, repeated ones too.
 * Every convex ring is simple.
 */
export function isConvex(flat: FlatRing): boolean {
  const n = flat.length;
  if (n < 6) return false;
  let turn = 0;
  let xFlips = 0;
  let yFlips = 0;
  let lastX = 0;
  let lastY = 0;
  let firstX = 0;
  let firstY = 0;
  let dx1 = (flat[0] ?? 0) - (flat[n - 2] ?? 0);
  let dy1 = (flat[1] ?? 0) - (flat[n - 1] ?? 0);
  for (let i = 0; i < n; i += 2) {
    const next = i + 2 === n ? 0 : i + 2;
    const dx2 = (flat[next] ?? 0) - (flat[i] ?? 0);
    const dy2 = (flat[next + 1] ?? 0) - (flat[i + 1] ?? 0);
    if (dx2 === 0 && dy2 === 0) continue;
    const cross = Math.sign(dx1 * dy2 - dy1 * dx2);
    if (cross !== 0) {
      if (turn !== 0 && cross !== turn) return false;
      turn = cross;
    } else if (dx1 * dx2 + dy1 * dy2 < 0) {
      return false;
    }
    const sx = Math.sign(dx2);
    const sy = Math.sign(dy2);
    if (sx !== 0) {
      if (lastX === 0) firstX = sx;
      else if (sx !== lastX) xFlips += 1;
      lastX = sx;
    }
    if (sy !== 0) {
      if (lastY === 0) firstY = sy;
      else if (sy !== lastY) yFlips += 1;
      lastY = sy;
    }
    dx1 = dx2;
    dy1 = dy2;
  }
  // A ring that goes around twice turns the same way everywhere but changes direction four times.
  if (lastX !== firstX) xFlips += 1;
  if (lastY !== firstY) yFlips += 1;
  return turn !== 0 && xFlips <= 2 && yFlips <= 2;
}

/**
 * The part of a ring inside a convex counter-clockwise ring (Sutherland-Hodgman). Its area is exact for any simple
 * ring; for a ring that is not convex the pieces may be joined by edges that run along the clip ring and back.
 */
export function clipToConvex(subject: FlatRing, convex: FlatRing): FlatRing {
  let current: FlatRing = subject;
  const m = convex.length;
  for (let c = 0; c < m && current.length > 0; c += 2) {
    const cx = convex[c] ?? 0;
    const cy = convex[c + 1] ?? 0;
    const next = c + 2 === m ? 0 : c + 2;
    const ex = (convex[next] ?? 0) - cx;
    const ey = (convex[next + 1] ?? 0) - cy;
    if (ex === 0 && ey === 0) continue;
    const output: number[] = [];
    const n = current.length;
    let x1 = current[n - 2] ?? 0;
    let y1 = current[n - 1] ?? 0;
    let side1 = ex * (y1 - cy) - ey * (x1 - cx);
    let whole = true;
    for (let i = 0; i < n; i += 2) {
      const x2 = current[i] ?? 0;
      const y2 = current[i + 1] ?? 0;
      const side2 = ex * (y2 - cy) - ey * (x2 - cx);
      if (side1 < 0 !== side2 < 0) {
        const t = side1 / (side1 - side2);
        output.push(x1 + t * (x2 - x1), y1 + t * (y2 - y1));
      }
      if (side2 >= 0) output.push(x2, y2);
      else whole = false;
      x1 = x2;
      y1 = y2;
      side1 = side2;
    }
    if (!whole) current = output;
  }
  return current;
}

/** Whether a position lies inside a convex counter-clockwise ring or on its edge. */
export function isInsideConvex(lon: number, lat: number, convex: FlatRing): boolean {
  const m = convex.length;
  let x1 = convex[m - 2] ?? 0;
  let y1 = convex[m - 1] ?? 0;
  for (let i = 0; i < m; i += 2) {
    const x2 = convex[i] ?? 0;
    const y2 = convex[i + 1] ?? 0;
    if ((x2 - x1) * (lat - y1) - (y2 - y1) * (lon - x1) < 0) return false;
    x1 = x2;
    y1 = y2;
  }
  return true;
}
