import { multiPolygonAreaKm2 } from "./area.ts";
import { unionAll } from "./clip.ts";
import type { LinearRing, MultiPolygon, PolygonCoordinates, Position } from "./geojson.ts";
import { mbr } from "./mbr.ts";

const MAX_AREA_CHANGE = 0.01;
const DIAGONAL_SHARE = 0.001;
const MAX_HALVINGS = 6;

function distanceToSegment(point: Position, from: Position, to: Position): number {
  const dx = to[0] - from[0];
  const dy = to[1] - from[1];
  const length2 = dx * dx + dy * dy;
  const t = length2 === 0 ? 0 : ((point[0] - from[0]) * dx + (point[1] - from[1]) * dy) / length2;
  const clamped = Math.min(1, Math.max(0, t));
  return Math.hypot(point[0] - from[0] - clamped * dx, point[1] - from[1] - clamped * dy);
}

/** Douglas-Peucker on an open line, without recursion; the ends are kept. */
function simplifyLine(line: readonly Position[], toleranceDeg: number): Position[] {
  const keep = new Uint8Array(line.length);
  keep[0] = 1;
  keep[line.length - 1] = 1;
  const stack: [number, number][] = [[0, line.length - 1]];
  for (let span = stack.pop(); span !== undefined; span = stack.pop()) {
    const [first, last] = span;
    const from = line[first];
    const to = line[last];
    let farthest = -1;
    let distance = toleranceDeg;
    for (let i = first + 1; i < last; i += 1) {
      const point = line[i];
      if (point === undefined || from === undefined || to === undefined) continue;
      const d = distanceToSegment(point, from, to);
      if (d > distance) {
        distance = d;
        farthest = i;
      }
    }
    if (farthest > 0) {
      keep[farthest] = 1;
      stack.push([first, farthest], [farthest, last]);
    }
  }
  return line.filter((_, i) => keep[i] === 1);
}

/** A closed ring, split at the vertex farthest from its first so that both halves have a baseline. */
function simplifyRing(ring: LinearRing, toleranceDeg: number): LinearRing | null {
  const first = ring[0];
  if (first === undefined || ring.length <= 5) return ring;
  let split = 1;
  let farthest = -1;
  for (const [i, point] of ring.entries()) {
    const d = Math.hypot(point[0] - first[0], point[1] - first[1]);
    if (d > farthest) {
      farthest = d;
      split = i;
    }
  }
  const head = simplifyLine(ring.slice(0, split + 1), toleranceDeg);
  const tail = simplifyLine(ring.slice(split), toleranceDeg);
  const result = [...head, ...tail.slice(1)];
  return result.length >= 4 ? result : null;
}

function simplifyPolygon(polygon: PolygonCoordinates, toleranceDeg: number): PolygonCoordinates | null {
  const rings = polygon.map((ring) => simplifyRing(ring, toleranceDeg));
  const exterior = rings[0];
  if (exterior === undefined || exterior === null) return null;
  return [exterior, ...rings.slice(1).filter((ring) => ring !== null)];
}

/**
 * A footprint with fewer vertices: Douglas-Peucker with a tolerance of 0.1 % of the diagonal of its bounding
 * rectangle, finer where that would change the area by 1 % or more. Still valid: crossings that simplification makes
 * are resolved. Takes and gives normal form.
 */
export function simplifyFootprint(area: MultiPolygon): MultiPolygon {
  const vertices = area.coordinates.reduce((sum, rings) => sum + rings.reduce((n, ring) => n + ring.length, 0), 0);
  if (vertices <= 5 * area.coordinates.length) return area;
  const [west, south, east, north] = mbr(area);
  const whole = multiPolygonAreaKm2(area.coordinates);
  let toleranceDeg = Math.hypot(east - west, north - south) * DIAGONAL_SHARE;
  for (let attempt = 0; attempt < MAX_HALVINGS; attempt += 1, toleranceDeg /= 2) {
    const polygons: PolygonCoordinates[] = [];
    for (const polygon of area.coordinates) {
      const simpler = simplifyPolygon(polygon, toleranceDeg);
      if (simpler !== null) polygons.push(simpler);
    }
    const result = unionAll(polygons);
    const change = Math.abs(multiPolygonAreaKm2(result.coordinates) - whole);
    if (change < MAX_AREA_CHANGE * whole) return result;
  }
  return area;
}
