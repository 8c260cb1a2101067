import { orient2d } from "robust-predicates";
import type { LinearRing } from "./geojson.ts";
import { SweepStatus } from "./sweep-status.ts";

const NONE = -1;

/** Which ring lies directly around which, for rings of which no two edges meet but neighbours at their common end. */
export interface RingNesting {
  /** For each ring the index of the smallest ring around it, or -1. */
  readonly parents: Int32Array;
}

/** Vertices of all rings without repeated positions; edge i runs from vertex i to vertex next[i]. */
interface Vertices {
  readonly count: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly ring: Int32Array;
  readonly next: Int32Array;
  readonly previous: Int32Array;
}

/**
 * The nesting of closed rings that are simple and do not touch each other, or null when any two edges meet: a sweep
 * from west to east with exact orientations. Takes O(n log n), whatever the shape.
 *
 * @see Shamos and Hoey 1976, Geometric intersection problems
 */
export function ringNesting(rings: readonly LinearRing[]): RingNesting | null {
  const vertices = verticesOf(rings);
  if (vertices === null) return null;
  const { x, y, ring, next, previous } = vertices;
  const order = westToEast(vertices);
  if (order === null) return null;
  const status = new SweepStatus(vertices.count);
  const parents = new Int32Array(rings.length).fill(NONE);
  const isSeen = new Uint8Array(rings.length);
  const isCounterClockwise = new Uint8Array(rings.length);

  const startsBefore = (a: number, b: number): boolean =>
    (x[a] ?? 0) < (x[b] ?? 0) || (x[a] === x[b] && (y[a] ?? 0) < (y[b] ?? 0));
  /** Positive where vertex c is left of the way from a to b. */
  const turn = (a: number, b: number, c: number): number =>
    -orient2d(x[a] ?? 0, y[a] ?? 0, x[b] ?? 0, y[b] ?? 0, x[c] ?? 0, y[c] ?? 0);
  /** Positive where a vertex is north of an edge. */
  const sideOf = (edge: number, vertex: number): number => {
    const end = next[edge] ?? 0;
    return startsBefore(edge, end) ? turn(edge, end, vertex) : turn(end, edge, vertex);
  };
  const meet = (a: number, b: number): boolean => {
    if (a === NONE || b === NONE) return false;
    const [a2 = 0, b2 = 0] = [next[a], next[b]];
    if (a2 === b || b2 === a) return false;
    const [c, d] = [turn(a, a2, b), turn(a, a2, b2)];
    const [e, f] = [turn(b, b2, a), turn(b, b2, a2)];
    if (c === 0 && d === 0) return overlap(x, a, a2, b, b2) && overlap(y, a, a2, b, b2);
    return c * d <= 0 && e * f <= 0;
  };

  for (const vertex of order) {
    const incoming = previous[vertex] ?? 0;
    const outgoing = vertex;
    const isIncomingOpen = startsBefore(incoming, vertex);
    const isOutgoingOpen = startsBefore(next[vertex] ?? 0, vertex);
    if (isIncomingOpen && isOutgoingOpen) {
      const lower = status.above(incoming) === outgoing ? incoming : outgoing;
      const upper = lower === incoming ? outgoing : incoming;
      if (status.above(lower) !== upper) return null;
      const south = status.below(lower);
      const north = status.above(upper);
      status.remove(lower);
      status.remove(upper);
      if (meet(south, north)) return null;
    } else if (isIncomingOpen || isOutgoingOpen) {
      const [leaving, edge] = isIncomingOpen ? [incoming, outgoing] : [outgoing, incoming];
      status.replace(leaving, edge);
      if (meet(status.below(edge), edge) || meet(edge, status.above(edge))) return null;
    } else {
      const south = status.locate((edge) => sideOf(edge, vertex));
      if (south === null) return null;
      const bend = turn(vertex, incoming, next[vertex] ?? 0);
      if (bend === 0) return null;
      const [lower, upper] = bend > 0 ? [incoming, outgoing] : [outgoing, incoming];
      status.insertAbove(lower, south);
      status.insertAbove(upper, lower);
      if (meet(south, lower) || meet(upper, status.above(upper))) return null;
      const own = ring[vertex] ?? 0;
      if (isSeen[own] === 0) {
        isSeen[own] = 1;
        // At the westernmost vertex a counter-clockwise ring comes in from the north and leaves to the south.
        isCounterClockwise[own] = bend < 0 ? 1 : 0;
        if (south !== NONE) {
          const other = ring[south] ?? 0;
          const goesEast = startsBefore(south, next[south] ?? 0);
          const isInside = goesEast === (isCounterClockwise[other] === 1);
          parents[own] = isInside ? other : (parents[other] ?? NONE);
        }
      }
    }
  }
  return { parents };
}

function overlap(values: Float64Array, a: number, a2: number, b: number, b2: number): boolean {
  const [p = 0, q = 0, r = 0, s = 0] = [values[a], values[a2], values[b], values[b2]];
  return Math.max(Math.min(p, q), Math.min(r, s)) <= Math.min(Math.max(p, q), Math.max(r, s));
}

/** Null when a ring has fewer than three different vertices. */
function verticesOf(rings: readonly LinearRing[]): Vertices | null {
  const capacity = rings.reduce((sum, { length }) => sum + length, 0);
  const x = new Float64Array(capacity);
  const y = new Float64Array(capacity);
  const ring = new Int32Array(capacity);
  const next = new Int32Array(capacity);
  const previous = new Int32Array(capacity);
  let count = 0;
  for (const [index, positions] of rings.entries()) {
    const first = count;
    for (const [lon, lat] of positions) {
      if (count > first && x[count - 1] === lon && y[count - 1] === lat) continue;
      x[count] = lon;
      y[count] = lat;
      ring[count] = index;
      next[count] = count + 1;
      previous[count] = count - 1;
      count += 1;
    }
    while (count - first > 1 && x[count - 1] === x[first] && y[count - 1] === y[first]) count -= 1;
    if (count - first < 3) return null;
    next[count - 1] = first;
    previous[first] = count - 1;
  }
  return { count, x, y, ring, next, previous };
}

/** Vertices by longitude, then latitude; null when two are in one place. */
function westToEast({ count, x, y }: Vertices): Int32Array | null {
  const order = Int32Array.from({ length: count }, (_, i) => i);
  order.sort((a, b) => (x[a] ?? 0) - (x[b] ?? 0) || (y[a] ?? 0) - (y[b] ?? 0));
  for (let i = 1; i < count; i += 1) {
    const [a = 0, b = 0] = [order[i - 1], order[i]];
    if (x[a] === x[b] && y[a] === y[b]) return null;
  }
  return order;
}
