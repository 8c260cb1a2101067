import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { normalForm, unwrapRing } from "./antimeridian.ts";
import { areaKm2 } from "./area.ts";
import { extentArea } from "./extent.ts";
import type { GeoJson, MultiPolygon } from "./geojson.ts";
import { longestSideM, mbr, sidesM, splitBounds } from "./mbr.ts";

type Pair = [number, number];

function box(west: number, south: number, east: number, north: number): Pair[] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

function area(...rings: Pair[][]): MultiPolygon {
  const result = extentArea({ type: "Polygon", coordinates: rings });
  assert.ok(result !== null);
  return result;
}

/** A ring along a parallel, around the pole. */
function parallel(startDeg: number, lat: number): Pair[] {
  return [
    [startDeg, lat],
    [startDeg + 120, lat],
    [startDeg - 120, lat],
    [startDeg, lat],
  ];
}

test("a box from 170 to -170 is twenty degrees wide and split in two", () => {
  const split = area(box(170, -10, -170, 10));
  assert.equal(split.coordinates.length, 2);
  assert.deepEqual(mbr(split), [170, -10, 190, 10]);
  assert.deepEqual(splitBounds(mbr(split)), [
    [170, -10, 180, 10],
    [-180, -10, -170, 10],
  ]);
  assert.ok(Math.abs(areaKm2(split) - areaKm2({ type: "Polygon", coordinates: [box(0, -10, 20, 10)] })) < 1e-6);
});

test("any number of turns means the same area", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -180, max: 179 }),
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: -1, max: 1 }),
      (west, width, turns) => {
        const shift = 360 * turns;
        if (west + width + shift > 540 || west + shift < -540) return;
        const plain = area(box(west, 10, west + width, 20));
        const turned = area(box(west + shift, 10, west + width + shift, 20));
        assert.ok(Math.abs(areaKm2(plain) - areaKm2(turned)) < 1e-6);
        assert.deepEqual(mbr(plain), mbr(turned));
        for (const [lon] of turned.coordinates.flat(2)) assert.ok(lon >= -180 && lon <= 180);
      },
    ),
  );
});

test("polygons that are split already stay as they are", () => {
  const parts = [[box(170, -10, 180, 10)], [box(-180, -10, -170, 10)]];
  assert.equal(normalForm(parts), parts);
});

test("a hole across the antimeridian follows its exterior", () => {
  const withHole = area(box(170, -10, -170, 10), box(175, -5, -175, 5).toReversed());
  const expected =
    areaKm2({ type: "Polygon", coordinates: [box(0, -10, 20, 10)] }) -
    areaKm2({ type: "Polygon", coordinates: [box(0, -5, 10, 5)] });
  assert.ok(Math.abs(areaKm2(withHole) - expected) < 1e-6);
  const eastHole = area(box(170, -10, -170, 10), box(-178, -5, -175, 5));
  const eastExpected =
    areaKm2({ type: "Polygon", coordinates: [box(0, -10, 20, 10)] }) -
    areaKm2({ type: "Polygon", coordinates: [box(0, -5, 3, 5)] });
  assert.ok(Math.abs(areaKm2(eastHole) - eastExpected) < 1e-6);
});

test("a ring around a pole is closed over it, north and south", () => {
  for (const sign of [1, -1]) {
    const cap = area([
      [0, 60 * sign],
      [120, 60 * sign],
      [-120, 60 * sign],
      [0, 60 * sign],
    ]);
    const band = { type: "Polygon", coordinates: [box(-180, 60, 180, 90)] } as const;
    assert.ok(Math.abs(areaKm2(cap) - areaKm2(band)) < 1e-6);
  }
});

test("a hole around the pole leaves a ring of the Earth", () => {
  const ring = area(parallel(10, 60), parallel(0, 80));
  const expected = areaKm2({ type: "Polygon", coordinates: [box(-180, 60, 180, 80)] });
  assert.ok(Math.abs(areaKm2(ring) - expected) < 1e-4);
});

test("the full globe stays the full globe", () => {
  const globe = area(box(-180, -90, 180, 90));
  assert.deepEqual(mbr(globe), [-180, -90, 180, 90]);
  assert.ok(Math.abs(areaKm2(globe) - 510_065_621.724) < 0.001);
});

test("unwrapping adds up to a full turn around a pole and to nothing elsewhere", () => {
  assert.equal(unwrapRing(box(170, 0, -170, 1)).windingDeg, 0);
  assert.equal(
    unwrapRing([
      [0, 80],
      [-120, 80],
      [120, 80],
      [0, 80],
    ]).windingDeg,
    -360,
  );
});

test("sides of a box are those of its widest parallel and its meridian", () => {
  // 400 km are 3.593 degrees of longitude at the equator and 5.579 at 50 degrees; 3.618 degrees of latitude there.
  assert.ok(Math.abs(sidesM([0, 0, 3.593, 1]).widthM - 400_000) < 60);
  assert.ok(Math.abs(sidesM([0, 50, 5.579, 52]).widthM - 400_000) < 60);
  assert.ok(Math.abs(sidesM([0, 0, 1, 3.618]).heightM - 400_000) < 80);
  assert.ok(sidesM([0, -1, 1, 60]).widthM > 111_319);
});

test("near a pole the rectangle may be laid in a local plane", () => {
  // A cap of 150 km about the pole: 360 degrees wide, yet 300 km across.
  const ring = Array.from({ length: 37 }, (_, i): Pair => [(i % 36) * 10 - 180, 88.66]);
  const cap = area(ring);
  const side = longestSideM(cap);
  assert.ok(side > 290_000 && side < 310_000, String(side));
});

test("points and lines add nothing, and nothing else is no area", () => {
  const mixed: GeoJson = {
    type: "GeometryCollection",
    geometries: [
      { type: "Point", coordinates: [100, 0] },
      {
        type: "LineString",
        coordinates: [
          [0, 0],
          [50, 50],
        ],
      },
      { type: "GeometryCollection", geometries: [{ type: "Polygon", coordinates: [box(0, 0, 1, 1)] }] },
    ],
  };
  const result = extentArea(mixed);
  assert.ok(result !== null);
  assert.deepEqual(mbr(result), [0, 0, 1, 1]);
  assert.equal(extentArea({ type: "Point", coordinates: [0, 0] }), null);
  assert.equal(extentArea({ type: "Feature", geometry: null, properties: null }), null);
  assert.equal(extentArea({ type: "Polygon", coordinates: [box(0, 0, 0, 5)] }), null);
});
