import { edgeAreaKm2 } from "./area.ts";
import { lessHoles } from "./less-holes.ts";
import { clipToConvex, signedAreaKm2, type FlatRing } from "./flat-ring.ts";

/** Vertices of a block: 32 keep the list of boxes at a sixteenth of the ring and the blocks small beside a footprint. */
const BLOCK_VERTICES = 32;

/** A ring with a box and a running area for every 32 vertices, so that a window meets only the blocks on its border. */
export interface BlockedRing {
  readonly flat: FlatRing;
  /** West, south, east and north of each block. */
  readonly boxes: Float64Array;
  /** Signed area of the edges before each vertex, km²: `areas[j] - areas[i]` belongs to the edges from i to j. */
  readonly areas: Float64Array;
}

const NOTHING = new Float64Array(0);

export function blockRing(flat: FlatRing): BlockedRing {
  const count = flat.length / 2;
  if (count <= BLOCK_VERTICES) return { flat, boxes: NOTHING, areas: NOTHING };
  const blocks = Math.ceil(count / BLOCK_VERTICES);
  const boxes = new Float64Array(4 * blocks);
  const areas = new Float64Array(count);
  for (let block = 0; block < blocks; block += 1) boxes.set([Infinity, Infinity, -Infinity, -Infinity], 4 * block);
  for (let i = 0; i < count; i += 1) {
    const lon = flat[2 * i] ?? 0;
    const lat = flat[2 * i + 1] ?? 0;
    const box = 4 * Math.floor(i / BLOCK_VERTICES);
    boxes[box] = Math.min(boxes[box] ?? lon, lon);
    boxes[box + 1] = Math.min(boxes[box + 1] ?? lat, lat);
    boxes[box + 2] = Math.max(boxes[box + 2] ?? lon, lon);
    boxes[box + 3] = Math.max(boxes[box + 3] ?? lat, lat);
    if (i === 0) continue;
    areas[i] = (areas[i - 1] ?? 0) + edgeAreaKm2(flat[2 * i - 2] ?? 0, flat[2 * i - 1] ?? 0, lon, lat);
  }
  return { flat, boxes, areas };
}

/** Area of a polygon, km²: the first ring less the others. */
export function blockedAreaKm2(rings: readonly BlockedRing[]): number {
  return Math.max(0, lessHoles(rings, ringAreaKm2));
}

function ringAreaKm2({ flat, areas }: BlockedRing): number {
  if (areas.length === 0) return Math.abs(signedAreaKm2(flat));
  const last = flat.length - 2;
  const closing = edgeAreaKm2(flat[last] ?? 0, flat[last + 1] ?? 0, flat[0] ?? 0, flat[1] ?? 0);
  return Math.abs((areas.at(-1) ?? 0) + closing);
}

/**
 * Area of the part of a simple ring inside a convex counter-clockwise ring, km².
 *
 * Vertices of a block that lies outside one edge of the window are dropped but the first and the last: the chord
 * between them lies outside, too. Vertices of a block inside the window are dropped likewise and their area is added.
 * 1,000 footprints against a coastline of 10,000 vertices take 20 ms instead of 490 ms.
 */
export function clippedRingAreaKm2(ring: BlockedRing, convex: FlatRing): number {
  const { flat, areas } = ring;
  if (flat.length <= 2 * BLOCK_VERTICES) return Math.abs(signedAreaKm2(clipToConvex(flat, convex)));
  const count = flat.length / 2;
  const kept: number[] = [];
  let inside = 0;
  for (let block = 0; block * BLOCK_VERTICES < count; block += 1) {
    const first = block * BLOCK_VERTICES;
    const last = Math.min(count, first + BLOCK_VERTICES) - 1;
    const place = placeOf(ring.boxes, 4 * block, convex);
    if (place === "across") {
      for (let i = 2 * first; i < 2 * last + 2; i += 1) kept.push(flat[i] ?? 0);
      continue;
    }
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = [flat[2 * first], flat[2 * first + 1], flat[2 * last], flat[2 * last + 1]];
    kept.push(x1, y1, x2, y2);
    if (place === "inside") inside += (areas[last] ?? 0) - (areas[first] ?? 0) - edgeAreaKm2(x1, y1, x2, y2);
  }
  return Math.abs(signedAreaKm2(clipToConvex(kept, convex)) + inside);
}

/** Area of the part of a polygon inside a convex counter-clockwise ring, km²; the exterior is the first ring. */
export function clippedAreaKm2(rings: readonly BlockedRing[], convex: FlatRing): number {
  return Math.max(
    0,
    lessHoles(rings, (ring) => clippedRingAreaKm2(ring, convex)),
  );
}

/** Whether a box lies inside a convex counter-clockwise ring, wholly outside one of its edges, or neither. */
function placeOf(boxes: Float64Array, box: number, convex: FlatRing): "inside" | "outside" | "across" {
  const west = boxes[box] ?? 0;
  const south = boxes[box + 1] ?? 0;
  const east = boxes[box + 2] ?? 0;
  const north = boxes[box + 3] ?? 0;
  let isInside = true;
  let x1 = convex[convex.length - 2] ?? 0;
  let y1 = convex[convex.length - 1] ?? 0;
  for (let i = 0; i < convex.length; i += 2) {
    const x2 = convex[i] ?? 0;
    const y2 = convex[i + 1] ?? 0;
    const ex = x2 - x1;
    const ey = y2 - y1;
    // The corners of the box that are deepest inside and furthest outside of this edge.
    const deepest = ex * ((ex > 0 ? north : south) - y1) - ey * ((ey > 0 ? west : east) - x1);
    if (deepest < 0) return "outside";
    const furthest = ex * ((ex > 0 ? south : north) - y1) - ey * ((ey > 0 ? east : west) - x1);
    if (furthest < 0) isInside = false;
    x1 = x2;
    y1 = y2;
  }
  return isInside ? "inside" : "across";
}
