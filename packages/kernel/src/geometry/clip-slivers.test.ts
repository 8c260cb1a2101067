import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import * as polyclip from "polyclip-ts";
import { areaKm2 } from "./area.ts";
import { difference, intersection, unionAll } from "./clip.ts";
import type { MultiPolygon, PolygonCoordinates, Position } from "./geojson.ts";

const CELL_DEG = 0.01;

/** Corners of a 5 by 5 grid, each off it by next to nothing, as overlays and reprojections leave them. */
const corner = fc.tuple(
  fc.integer({ min: 0, max: 4 }),
  fc.integer({ min: 0, max: 4 }),
  fc.constantFrom(0, 1e-14, -3e-14, 7e-14, 1e-12, 1e-10, 1e-8),
  fc.constantFrom(0, 1e-14, -3e-14, 7e-14, 1e-12, 1e-10, 1e-8),
);
const origin = fc.tuple(fc.double({ min: -170, max: 170, noNaN: true }), fc.double({ min: -80, max: 80, noNaN: true }));
const polygons = fc
  .tuple(origin, fc.array(fc.array(corner, { minLength: 3, maxLength: 7 }), { minLength: 1, maxLength: 4 }))
  .map(([[lon, lat], rings]) =>
    rings.map((ring): PolygonCoordinates => {
      const open = ring.map(([x, y, dx, dy]): Position => [lon + x * CELL_DEG + dx, lat + y * CELL_DEG + dy]);
      return [[...open, open[0] ?? [0, 0]]];
    }),
  );

/** How often the rings of a polygon go around a place. */
function winding(rings: PolygonCoordinates, lon: number, lat: number): number {
  let turns = 0;
  for (const ring of rings) {
    for (const [i, [x2, y2]] of ring.entries()) {
      const [x1, y1] = ring[i - 1] ?? [x2, y2];
      if (y1 > lat !== y2 > lat && lon < x1 + ((lat - y1) / (y2 - y1)) * (x2 - x1)) turns += y2 > y1 ? 1 : -1;
    }
  }
  return turns;
}

function covers(parts: readonly PolygonCoordinates[], lon: number, lat: number): boolean {
  return parts.some((rings) => winding(rings, lon, lat) !== 0);
}

/** Distance from a place to the nearest edge, degrees. */
function edgeDistanceDeg(parts: readonly PolygonCoordinates[], lon: number, lat: number): number {
  const edges = parts.flat().flatMap((ring) => ring.slice(1).map((to, i) => [ring[i] ?? to, to] as const));
  return Math.min(
    ...edges.map(([[x1, y1], [x2, y2]]) => {
      const [dx, dy] = [x2 - x1, y2 - y1];
      const along = ((lon - x1) * dx + (lat - y1) * dy) / (dx * dx + dy * dy || 1);
      const t = Math.min(1, Math.max(0, along));
      return Math.hypot(lon - x1 - t * dx, lat - y1 - t * dy);
    }),
  );
}

test("the union of polygons with nearly coincident corners is computed, and holds the places they hold", () => {
  let compared = 0;
  fc.assert(
    fc.property(polygons, (parts) => {
      const united = unionAll(parts).coordinates;
      const [west, south] = parts[0]?.[0]?.[0] ?? [0, 0];
      for (let i = -21; i <= 21; i += 3) {
        for (let j = -21; j <= 21; j += 3) {
          const [lon, lat] = [west + (i + 0.37) * 0.0019, south + (j + 0.61) * 0.0019];
          // Off the edges by more than rounding moves them, and where rules for rings that cross themselves agree.
          if (edgeDistanceDeg(parts, lon, lat) < 1e-6) continue;
          if (parts.some((rings) => Math.abs(winding(rings, lon, lat)) > 1)) continue;
          compared += 1;
          assert.equal(covers(united, lon, lat), covers(parts, lon, lat));
        }
      }
    }),
    { numRuns: 1000, seed: 3 },
  );
  assert.ok(compared > 100_000);
});

function snap(ring: readonly Position[]): Position[] {
  return ring.map(([x, y]): Position => [Math.round(x * 1e7) / 1e7, Math.round(y * 1e7) / 1e7]);
}

test("a union of polygons with corners 7e-14 degrees apart is that of the rounded polygons", () => {
  // Corners 7e-14 degrees apart; areas by exact arithmetic on the corners rounded to 1e-7 degrees.
  const [lon, lat] = [-170, 0];
  const first = [
    [0.0300000001005, -3e-14],
    [0.02000000000058, 1e-8],
    [0.02000000000052, 0.010000000001],
    [0.0100000000005, 0.0200000001],
    [5e-13, 0.02000001],
    [0.01000000000047, 0.0300000001],
    [0.0300000001005, -3e-14],
  ].map(([x = 0, y = 0]): Position => [lon + x, lat + y]);
  const second = [
    [1.5e-12, 0.040000000001],
    [0.03000000000048, 1e-8],
    [0.0400000000005, 0.01999999999997],
    [0.02000000000052, 0.00999999999997],
    [5e-13, 0.02],
    [1.5e-12, 0.040000000001],
  ].map(([x = 0, y = 0]): Position => [lon + x, lat + y]);
  const united = areaKm2(unionAll([[first], [second]]));
  const reference = areaKm2(unionAll([[snap(first)], [snap(second)]]));
  // Edges of 0.3 km in all, moved by at most 8 mm.
  assert.ok(Math.abs(united - reference) < 30 * 8e-6, `${united} and ${reference} km2`);
  assert.ok(united > 0);
});

test("polygons of a few units of the seventh decimal have overlays too", () => {
  const unit = fc.integer({ min: 0, max: 4 });
  const tiny = fc.array(fc.tuple(unit, unit), { minLength: 3, maxLength: 5 });
  fc.assert(
    fc.property(tiny, tiny, fc.integer({ min: -1.7e9, max: 1.7e9 }), (first, second, lon) => {
      const [a, b] = [first, second].map((corners) => {
        const open = corners.map(([x, y]): Position => [(lon + x) / 1e7, (5e8 + y) / 1e7]);
        return unionAll([[[...open, open[0] ?? [0, 0]]]]);
      });
      assert.ok(a !== undefined && b !== undefined);
      const common = areaKm2(intersection(a, b));
      assert.ok(Math.abs(common + areaKm2(difference(a, b)) - areaKm2(a)) < 1e-15);
    }),
  );
});

function literal({ coordinates }: MultiPolygon): [number, number][][][] {
  return coordinates.map((polygon) => polygon.map((ring) => ring.map(([lon, lat]): [number, number] => [lon, lat])));
}

test("an overlay of parts that meet in many places has the area of the exact one", () => {
  const a: MultiPolygon = {
    type: "MultiPolygon",
    coordinates: [
      [
        [
          [0, 80],
          [0.015, 80.015],
          [0.0109091, 80.0163636],
          [0, 80],
        ],
      ],
      [
        [
          [0, 80.02],
          [0.0109091, 80.0163636],
          [0.015, 80.0225],
          [0.02, 80.025],
          [0.0266667, 80.0266667],
          [0.015, 80.015],
          [0.03, 80.01],
          [0.0363636, 80.0290909],
          [0.04, 80.03],
          [0.0366667, 80.03],
          [0.04, 80.04],
          [0.025, 80.03],
          [0.02, 80.03],
          [0.016, 80.024],
          [0, 80.02],
        ],
        [
          [0.0266667, 80.0266667],
          [0.03, 80.03],
          [0.03, 80.0275],
          [0.0266667, 80.0266667],
        ],
      ],
    ],
  };
  const b: MultiPolygon = {
    type: "MultiPolygon",
    coordinates: [
      [
        [
          [0.02, 80.02],
          [0.03, 80.03],
          [0.0266667, 80.0333333],
          [0.02, 80.02],
        ],
      ],
      [
        [
          [0.02, 80.04],
          [0.0266667, 80.0333333],
          [0.0285714, 80.0371429],
          [0.02, 80.04],
        ],
      ],
      [
        [
          [0.02, 80.05],
          [0.03, 80.05],
          [0.03, 80.04],
          [0.0285714, 80.0371429],
          [0.03, 80.0366667],
          [0.03, 80.03],
          [0.035, 80.035],
          [0.03, 80.02],
          [0.04, 80.03],
          [0.04, 80.0333333],
          [0.05, 80.03],
          [0.04, 80.04],
          [0.06, 80.04],
          [0.05, 80.05],
          [0.06, 80.05],
          [0.0533333, 80.0533333],
          [0.06, 80.06],
          [0.02, 80.06],
          [0.025, 80.055],
          [0.02, 80.05],
        ],
      ],
    ],
  };
  const common = areaKm2(intersection(a, b));
  assert.ok(common > 0);
  const rest = polyclip.difference(literal(a), literal(b));
  const remaining = areaKm2({ type: "MultiPolygon", coordinates: rest });
  assert.ok(Math.abs(common + remaining - areaKm2(a)) < 1e-7 * areaKm2(a));
});
