import type { LinearRing } from "./geojson.ts";

/** Comparisons of edges after which counting stops: about a quarter of a second. */
const MAX_COMPARISONS = 20_000_000;

/**
 * Whether edges of the rings cross, touch along their length or coincide more than `limit` times; edges that only
 * share an end do not count. Overlays take time that grows with these meetings, not with the number of positions:
 * 2,000 positions can meet two million times. Also true for rings so entangled that counting takes too long.
 */
export function edgesMeetMoreThan(rings: readonly LinearRing[], limit: number): boolean {
  const edges = sortedEdges(rings);
  const { count, x1, y1, x2, y2, low, high } = edges;
  const active: number[] = [];
  let comparisons = 0;
  let meetings = 0;
  for (let edge = 0; edge < count; edge += 1) {
    const from = low[edge] ?? 0;
    let kept = 0;
    for (const other of active) {
      if ((high[other] ?? 0) < from) continue;
      active[kept] = other;
      kept += 1;
      if (meet(x1, y1, x2, y2, edge, other)) meetings += 1;
    }
    active.length = kept;
    comparisons += kept;
    if (meetings > limit || comparisons > MAX_COMPARISONS) return true;
    active.push(edge);
  }
  return false;
}

interface Edges {
  readonly count: number;
  readonly x1: Float64Array;
  readonly y1: Float64Array;
  readonly x2: Float64Array;
  readonly y2: Float64Array;
  /** Extent of each edge along the axis of the sweep; ascending. */
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** Edges that have a length, in the order in which a sweep along the better axis meets them. */
function sortedEdges(rings: readonly LinearRing[]): Edges {
  const found: (readonly [number, number, number, number])[] = [];
  let sumX = 0;
  let sumY = 0;
  for (const ring of rings) {
    for (let i = 1; i < ring.length; i += 1) {
      const from = ring[i - 1];
      const to = ring[i];
      if (from === undefined || to === undefined || (from[0] === to[0] && from[1] === to[1])) continue;
      found.push([from[0], from[1], to[0], to[1]]);
      sumX += Math.abs(to[0] - from[0]);
      sumY += Math.abs(to[1] - from[1]);
    }
  }
  // Edges are short along the axis on which fewer are met at a time.
  const axis = sumX <= sumY ? 0 : 1;
  const lowOf = (edge: readonly [number, number, number, number]): number => Math.min(edge[axis], edge[axis + 2] ?? 0);
  found.sort((a, b) => lowOf(a) - lowOf(b));
  const column = (of: (edge: readonly [number, number, number, number]) => number): Float64Array =>
    Float64Array.from(found, of);
  return {
    count: found.length,
    x1: column((edge) => edge[0]),
    y1: column((edge) => edge[1]),
    x2: column((edge) => edge[2]),
    y2: column((edge) => edge[3]),
    low: column(lowOf),
    high: column((edge) => Math.max(edge[axis], edge[axis + 2] ?? 0)),
  };
}

function meet(x1: Float64Array, y1: Float64Array, x2: Float64Array, y2: Float64Array, a: number, b: number): boolean {
  const ax = x1[a] ?? 0;
  const ay = y1[a] ?? 0;
  const bx = x2[a] ?? 0;
  const by = y2[a] ?? 0;
  const cx = x1[b] ?? 0;
  const cy = y1[b] ?? 0;
  const dx = x2[b] ?? 0;
  const dy = y2[b] ?? 0;
  if (Math.max(ax, bx) < Math.min(cx, dx) || Math.max(cx, dx) < Math.min(ax, bx)) return false;
  if (Math.max(ay, by) < Math.min(cy, dy) || Math.max(cy, dy) < Math.min(ay, by)) return false;
  const c = side(ax, ay, bx, by, cx, cy);
  const d = side(ax, ay, bx, by, dx, dy);
  if (c === 0 && d === 0) {
    // On one line: more than a point in common?
    const along = Math.abs(bx - ax) >= Math.abs(by - ay);
    const from = along ? Math.max(Math.min(ax, bx), Math.min(cx, dx)) : Math.max(Math.min(ay, by), Math.min(cy, dy));
    const to = along ? Math.min(Math.max(ax, bx), Math.max(cx, dx)) : Math.min(Math.max(ay, by), Math.max(cy, dy));
    return to > from;
  }
  if (c * d > 0) return false;
  const e = side(cx, cy, dx, dy, ax, ay);
  const f = side(cx, cy, dx, dy, bx, by);
  if (e * f > 0) return false;
  // A shared end lies on both lines.
  return c * d < 0 || e * f < 0;
}

/** Sign of the side of the line from a to b on which p lies. */
function side(ax: number, ay: number, bx: number, by: number, px: number, py: number): number {
  return Math.sign((bx - ax) * (py - ay) - (by - ay) * (px - ax));
}
