import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { edgesMeetMoreThan } from "./edge-meetings.ts";
import { extentArea } from "./extent.ts";
import type { GeoJson, LinearRing, MultiPolygon } from "./geojson.ts";
import { validateGeoJson } from "./validate-geometry.ts";

type Pair = [number, number];

function box(west: number, south: number, side: number): Pair[] {
  return [
    [west, south],
    [west + side, south],
    [west + side, south + side],
    [west, south + side],
    [west, south],
  ];
}

function boxes(...rings: Pair[][]): MultiPolygon {
  return { type: "MultiPolygon", coordinates: rings.map((ring) => [ring]) };
}

/** The star polygon {n/k} for odd n and k = (n - 1) / 2, of which every edge crosses all but two others. */
function star(n: number): Pair[] {
  const ring = Array.from({ length: n }, (_, i): Pair => {
    const angle = (2 * Math.PI * i * ((n - 1) / 2)) / n;
    return [15 + Math.cos(angle), 1 + Math.sin(angle)];
  });
  return [...ring, ring[0] ?? [0, 0]];
}

/** Largest limit that the rings exceed, plus one. */
function meetings(...rings: LinearRing[]): number {
  let count = 0;
  while (edgesMeetMoreThan(rings, count)) count += 1;
  return count;
}

function isRefused(value: GeoJson): boolean {
  return validateGeoJson(value, "/extent").some(({ message }) => message.includes("cross or overlap"));
}

test("crossings, touching sides and equal sides are counted, shared corners are not", () => {
  assert.equal(meetings(box(0, 0, 1)), 0);
  assert.equal(meetings(box(0, 0, 2), box(1, 1, 2)), 2);
  assert.equal(meetings(box(0, 0, 1), box(1, 1, 1)), 0, "one corner in common");
  assert.equal(meetings(box(0, 0, 1), box(1, 0, 1)), 1, "one side in common");
  assert.equal(meetings(box(0, 0, 1), box(0, 0, 1)), 4);
  assert.equal(
    meetings(
      box(0, 0, 1),
      box(0, 0, 1).map(([x, y]): Pair => [x + 5, y]),
    ),
    0,
  );
  const diamond: Pair[] = [
    [1, 0],
    [2, 1],
    [1, 2],
    [0, 1],
    [1, 0],
  ];
  assert.equal(meetings(box(0, 0, 2), diamond), 8, "four corners inside sides, two edges each");
  assert.equal(meetings(star(5)), 5);
  // Every edge crosses n - 3 others, each crossing belongs to two edges.
  assert.equal(meetings(star(21)), (21 * 18) / 2);
});

test("the count does not depend on which way the rings lie", () => {
  const ring = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 })), {
    minLength: 3,
    maxLength: 8,
  });
  fc.assert(
    fc.property(ring, (positions) => {
      const closed = [...positions, positions[0] ?? [0, 0]] as Pair[];
      const turned = closed.map(([x, y]): Pair => [y, x]);
      assert.equal(meetings(closed), meetings(turned));
    }),
  );
});

test("outlines that would keep an overlay busy for minutes are refused", () => {
  assert.ok(isRefused({ type: "Polygon", coordinates: [star(2001)] }));
  const many = Array.from({ length: 3000 }, (_, i) => box((i % 53) * 1e-3, (i % 47) * 1e-3, 0.1));
  assert.ok(isRefused(boxes(...many)));
  const comb = Array.from({ length: 50_000 }, (_, i): Pair => [i % 2, i * 1e-4 + (i % 2) * 5]);
  assert.ok(isRefused({ type: "Polygon", coordinates: [[...comb, [0, 0]]] }), "too entangled to be counted");
});

test("crossings are found across the antimeridian, however its longitudes are written", () => {
  const rows: Pair[] = Array.from({ length: 302 }, (_, i): Pair => [i % 2 === 0 ? 179 : -179, i * 0.01]);
  const columns = (lon: number): Pair[] =>
    Array.from({ length: 302 }, (_, i): Pair => [lon + i * 0.001, i % 2 === 0 ? -1 : 4]);
  const across = { type: "Polygon", coordinates: [[...rows, [179, 0]]] } satisfies GeoJson;
  assert.ok(!isRefused(across));
  for (const lon of [179.3, -180.7, -179.9, 180.2]) {
    const ring = columns(lon);
    const upright = { type: "Polygon", coordinates: [[...ring, [lon, -1] as Pair]] } satisfies GeoJson;
    assert.ok(!isRefused(upright));
    assert.ok(isRefused({ type: "GeometryCollection", geometries: [across, upright] }), `${lon}`);
  }
});

test("what people draw is taken: long coasts, grids of cells, dozens of overlapping footprints", () => {
  const coast = Array.from({ length: 40_000 }, (_, i): Pair => {
    const angle = (2 * Math.PI * i) / 40_000;
    const radius = 1 + 0.05 * Math.sin(300 * angle) + 0.001 * Math.sin(9000 * angle);
    return [15 + radius * Math.cos(angle), 1 + radius * Math.sin(angle)];
  });
  assert.ok(!isRefused({ type: "Polygon", coordinates: [[...coast, coast[0] ?? [0, 0]]] }));
  const cells = Array.from({ length: 6400 }, (_, i) => box((i % 80) / 64, Math.floor(i / 80) / 64, 1 / 64));
  assert.ok(!isRefused(boxes(...cells)));
  const footprints = Array.from({ length: 60 }, (_, i) => box(i * 1e-3, (i % 7) * 1e-3, 1));
  assert.ok(!isRefused(boxes(...footprints)));
  assert.ok(extentArea(boxes(...footprints)) !== null);
});
