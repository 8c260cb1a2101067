import { positionsOf } from "./positions-of.ts";
import type { LinearRing, MultiPolygonCoordinates, PolygonCoordinates, Position } from "./geojson.ts";

/** Polygons in three arrays, which cross between threads without a copy. Heights are left out. */
export interface PackedPolygons {
  /** Longitude and latitude of every position of every ring. */
  readonly positions: Float64Array<ArrayBuffer>;
  /** Positions of each ring. */
  readonly ringLengths: Uint32Array<ArrayBuffer>;
  /** Rings of each polygon. */
  readonly ringCounts: Uint32Array<ArrayBuffer>;
}

export function packPolygons(polygons: MultiPolygonCoordinates): PackedPolygons {
  const rings = polygons.flat();
  const positions = new Float64Array(2 * positionsOf(rings));
  let at = 0;
  for (const ring of rings) {
    // By index: destructuring makes two objects of each position until the engine has compiled the loop.
    for (let i = 0; i < ring.length; i += 1) {
      const position = ring[i]!;
      positions[at] = position[0];
      positions[at + 1] = position[1];
      at += 2;
    }
  }
  return {
    positions,
    ringLengths: Uint32Array.from(rings, ({ length }) => length),
    ringCounts: Uint32Array.from(polygons, ({ length }) => length),
  };
}

export function unpackPolygons({ positions, ringLengths, ringCounts }: PackedPolygons): MultiPolygonCoordinates {
  let from = 0;
  const rings = Array.from(ringLengths, (length): LinearRing => {
    // Of its full length from the start: a list that grows is copied again and again.
    const ring = Array<Position>(length);
    for (let i = 0; i < length; i += 1) ring[i] = [positions[from + 2 * i]!, positions[from + 2 * i + 1]!];
    from += 2 * length;
    return ring;
  });
  let first = 0;
  return Array.from(ringCounts, (count): PolygonCoordinates => rings.slice(first, (first += count)));
}
