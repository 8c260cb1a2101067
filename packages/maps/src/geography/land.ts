import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { lazy } from "@swath/kernel/lazy";
import { fillRings, type PixelRing } from "@swath/kernel/raster-mathematics/fill-rings";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";

type Ring = readonly (readonly [lonDeg: number, latDeg: number])[];

interface LandRing {
  readonly ring: Ring;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** How far outside a block outlines are still followed, degrees: less than a pixel of it is lost by that. */
const MARGIN_DEG = 0.05;
/** Steps along a side of a block between the points that its bounds are taken from; even. */
const BORDER_POINTS = 8;

/** Natural Earth land, scale 1:10 million (public domain), as published by the package world-atlas. */
const landRings = lazy((): readonly LandRing[] => {
  const path = createRequire(import.meta.url).resolve("world-atlas/land-10m.json");
  const topology = JSON.parse(readFileSync(path, "utf8")) as Topology<{ land: GeometryCollection }>;
  const { features } = feature(topology, topology.objects.land);
  return features
    .flatMap(({ geometry }) =>
      geometry.type === "MultiPolygon"
        ? geometry.coordinates.flat()
        : geometry.type === "Polygon"
          ? geometry.coordinates
          : [],
    )
    .map((positions) => {
      const ring = unwrappedRing(positions.map(([lon = 0, lat = 0]) => [lon, lat] as const));
      const lons = ring.map(([lon]) => lon);
      const lats = ring.map(([, lat]) => lat);
      return { ring, west: least(lons), south: least(lats), east: most(lons), north: most(lats) };
    });
});

/**
 * A ring whose longitudes continue across the date line. A ring around a pole ends 360 degrees from its start and is
 * closed over the pole.
 */
function unwrappedRing(ring: Ring): Ring {
  const points: (readonly [number, number])[] = [];
  let near = ring[0]?.[0] ?? 0;
  for (const [lon, lat] of ring) {
    near = lon + 360 * Math.round((near - lon) / 360);
    points.push([near, lat]);
  }
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || Math.abs(last[0] - first[0]) < 180) return points;
  const poleDeg = first[1] < 0 ? -90 : 90;
  return [...points, [last[0], poleDeg], [first[0], poleDeg]];
}

/**
 * Which pixels of a block are land by the coastlines of Natural Earth. Their error is some hundred metres, so the scene
 * must refine the result.
 *
 * @param toLonLat place of a pixel corner of the block; may throw where there is none
 * @returns one byte per pixel, 1 on land
 */
export function landMask(
  columns: number,
  rows: number,
  toLonLat: (column: number, row: number) => readonly [lonDeg: number, latDeg: number],
): Uint8Array {
  const place = placement(columns, rows, toLonLat);
  if (place === null) return new Uint8Array(columns * rows);
  const { west, south, east, north, toPixel } = place;
  const near = landOutlines(west, south, east, north).map((ring): PixelRing =>
    ring.map(([lon, lat]) => toPixel(lon, lat)),
  );
  return fillRings(near, columns, rows);
}

/** Outlines of land within bounds, cut along them; for drawing. */
export function landOutlines(west: number, south: number, east: number, north: number): readonly Ring[] {
  const outlines: Ring[] = [];
  for (const turn of [-360, 0, 360]) {
    for (const land of landRings()) {
      if (land.east + turn < west || land.west + turn > east || land.north < south || land.south > north) continue;
      const moved = turn === 0 ? land.ring : land.ring.map(([lon, lat]) => [lon + turn, lat] as const);
      const part = clipToBox(moved, west, south, east, north);
      if (part.length >= 3) outlines.push(part);
    }
  }
  return outlines;
}

interface Placement {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  readonly toPixel: (lonDeg: number, latDeg: number) => readonly [number, number];
}

/** Bounds of a block and the affine map of its corners: coastlines are far coarser than its error. */
function placement(
  columns: number,
  rows: number,
  toLonLat: (column: number, row: number) => readonly [number, number],
): Placement | null {
  const unwrapped = borderPoints(columns, rows, toLonLat);
  if (unwrapped.length < 3) return null;
  const lons = unwrapped.map(({ lon }) => lon);
  const lats = unwrapped.map(({ lat }) => lat);
  const fit = fitPixels(unwrapped);
  if (fit === null) return null;
  return {
    west: Math.min(...lons) - MARGIN_DEG,
    east: Math.max(...lons) + MARGIN_DEG,
    south: Math.min(...lats) - MARGIN_DEG,
    north: Math.max(...lats) + MARGIN_DEG,
    toPixel: fit,
  };
}

interface BorderPoint {
  readonly at: readonly [number, number];
  readonly lon: number;
  readonly lat: number;
}

/**
 * Points of a block with longitudes that go on from one point to the next, away from the middle: the two edges of a block
 * as wide as the Earth are one meridian.
 */
function borderPoints(
  columns: number,
  rows: number,
  toLonLat: (column: number, row: number) => readonly [number, number],
): readonly BorderPoint[] {
  const points: BorderPoint[] = [];
  const middle = BORDER_POINTS / 2;
  const outwards = Array.from({ length: middle + 1 }, (_, step) => step);
  const place = (i: number, j: number, near: number | null): number | null => {
    const at = [(columns * i) / BORDER_POINTS, (rows * j) / BORDER_POINTS] as const;
    try {
      const [lon, lat] = toLonLat(...at);
      const unwrapped = near === null ? lon : lon + 360 * Math.round((near - lon) / 360);
      points.push({ at, lon: unwrapped, lat });
      return unwrapped;
    } catch {
      // A corner beyond the edge of the projection.
      return near;
    }
  };
  let centre: number | null = null;
  for (const down of [-1, 1]) {
    let start: number | null = centre;
    for (const step of outwards.slice(down === -1 ? 0 : 1)) {
      const j = middle + down * step;
      start = place(middle, j, start);
      centre ??= start;
      for (const right of [-1, 1]) {
        let near = start;
        for (const away of outwards.slice(1)) near = place(middle + right * away, j, near);
      }
    }
  }
  return points;
}

/** Least squares of pixel positions on a quadratic surface of longitude and latitude. */
function fitPixels(
  points: readonly { readonly at: readonly [number, number]; readonly lon: number; readonly lat: number }[],
): ((lon: number, lat: number) => readonly [number, number]) | null {
  const lon0 = points.reduce((sum, { lon }) => sum + lon, 0) / points.length;
  const lat0 = points.reduce((sum, { lat }) => sum + lat, 0) / points.length;
  const spread = Math.max(...points.map(({ lon, lat }) => Math.max(Math.abs(lon - lon0), Math.abs(lat - lat0))), 1e-9);
  const terms = (lon: number, lat: number): readonly number[] => {
    const x = (lon - lon0) / spread;
    const y = (lat - lat0) / spread;
    return [1, x, y, x * y, x * x, y * y];
  };
  const rowsOf = points.map(({ lon, lat }) => terms(lon, lat));
  const columnsFit = leastSquares(
    rowsOf,
    points.map(({ at }) => at[0]),
  );
  const rowsFit = leastSquares(
    rowsOf,
    points.map(({ at }) => at[1]),
  );
  if (columnsFit === null || rowsFit === null) return null;
  return (lon, lat) => {
    const values = terms(lon, lat);
    return [evaluate(columnsFit, values), evaluate(rowsFit, values)];
  };
}

/** Normal equations by Gauss's elimination with pivoting; null when they are singular. */
function leastSquares(rows: readonly (readonly number[])[], targets: readonly number[]): readonly number[] | null {
  const n = rows[0]?.length ?? 0;
  const matrix = Array.from({ length: n }, (_, i) =>
    Array.from({ length: n + 1 }, (__, j) =>
      rows.reduce((sum, row, k) => sum + row[i]! * (j === n ? targets[k]! : row[j]!), 0),
    ),
  );
  for (let i = 0; i < n; i++) {
    const pivot = matrix
      .slice(i)
      .reduce((best, row, k) => (Math.abs(row[i]!) > Math.abs(matrix[best]![i]!) ? i + k : best), i);
    [matrix[i], matrix[pivot]] = [matrix[pivot]!, matrix[i]!];
    if (Math.abs(matrix[i]![i]!) < 1e-12) return null;
    for (let k = 0; k < n; k++) {
      if (k === i) continue;
      const factor = matrix[k]![i]! / matrix[i]![i]!;
      for (let j = i; j <= n; j++) matrix[k]![j]! -= factor * matrix[i]![j]!;
    }
  }
  return matrix.map((row, i) => row[n]! / row[i]!);
}

function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Infinity);
}

function most(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), -Infinity);
}

/** Value of a fitted surface. */
function evaluate(fit: readonly number[], terms: readonly number[]): number {
  return fit.reduce((sum, factor, i) => sum + factor * terms[i]!, 0);
}

/** Sutherland and Hodgman's clip: edges that run along the box are harmless to a filled mask. */
function clipToBox(ring: Ring, west: number, south: number, east: number, north: number): Ring {
  let points: readonly (readonly [number, number])[] = ring;
  const sides = [
    { axis: 0, limit: west, sign: 1 },
    { axis: 0, limit: east, sign: -1 },
    { axis: 1, limit: south, sign: 1 },
    { axis: 1, limit: north, sign: -1 },
  ] as const;
  for (const { axis, limit, sign } of sides) {
    const kept: (readonly [number, number])[] = [];
    for (let i = 0; i < points.length; i++) {
      const a = points[i]!;
      const b = points[(i + 1) % points.length]!;
      const insideA = (a[axis] - limit) * sign >= 0;
      const insideB = (b[axis] - limit) * sign >= 0;
      if (insideA) kept.push(a);
      if (insideA !== insideB) {
        const share = (limit - a[axis]) / (b[axis] - a[axis]);
        kept.push([a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]);
      }
    }
    points = kept;
  }
  return points;
}
