import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { areaKm2 } from "./area.ts";
import { roundDegrees } from "./canonical-degrees.ts";
import { canonicalGeometry, clockwiseExteriors } from "./canonical.ts";
import { centroid } from "./centroid.ts";
import { extentArea } from "./extent.ts";
import { flatten, shoelace } from "./flat-ring.ts";
import { decodeFootprint, encodeFootprint } from "./footprint-codec.ts";
import type { GeoJson, MultiPolygon } from "./geojson.ts";
import { longestSideM } from "./mbr.ts";
import { intersectionAreaKm2, prepareArea } from "./intersection-ratio.ts";
import { simplifyFootprint } from "./simplify.ts";
import { splitExtent } from "./split-extent.ts";
import { validateGeoJson } from "./validate-geometry.ts";

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

/** Degrees with seven decimals. */
function degree(limit: number): fc.Arbitrary<number> {
  return fc.integer({ min: -limit * 1e7, max: limit * 1e7 }).map((value) => value / 1e7);
}

function near(actual: readonly number[], expected: readonly number[], tolerance: number): void {
  for (const [i, value] of actual.entries()) {
    assert.ok(Math.abs(value - (expected[i] ?? 0)) < tolerance, actual.join(", "));
  }
}

function faults(value: unknown, maxLatitudeDeg = 90): readonly string[] {
  return validateGeoJson(value as GeoJson, "/extent", { maxLatitudeDeg }).map(({ path }) => path);
}

test("canonical form rounds to seven decimals and winds exteriors counter-clockwise", () => {
  const clockwise = box(14.420124292373657, 50, 15, 51).toReversed();
  const hole = box(14.5, 50.2, 14.6, 50.3);
  const canonical = canonicalGeometry({ type: "Polygon", coordinates: [clockwise, hole] });
  assert.deepEqual(canonical, {
    type: "Polygon",
    coordinates: [box(14.4201243, 50, 15, 51), box(14.5, 50.2, 14.6, 50.3).toReversed()],
  });
  assert.deepEqual(canonicalGeometry(canonical), canonical);
});

test("a ring across the antimeridian keeps its orientation", () => {
  const ring = box(170, 0, -170, 1);
  assert.deepEqual(canonicalGeometry({ type: "Polygon", coordinates: [ring] }), {
    type: "Polygon",
    coordinates: [ring],
  });
});

test("rounding is idempotent and never gives minus zero", () => {
  assert.ok(Object.is(roundDegrees(-1e-9), 0));
  fc.assert(
    fc.property(fc.double({ min: -540, max: 540, noNaN: true }), (value) => {
      assert.equal(roundDegrees(roundDegrees(value)), roundDegrees(value));
    }),
  );
});

test("search answers have clockwise exteriors", () => {
  const [polygon] = clockwiseExteriors(area(box(0, 0, 1, 1))).coordinates;
  assert.ok(shoelace(flatten(polygon?.[0] ?? [])) < 0);
});

test("footprints survive the codec to the seventh decimal", () => {
  const ring = fc
    .array(fc.tuple(degree(180), degree(90)), { minLength: 3, maxLength: 20 })
    .map((positions): Pair[] => [...positions, positions[0] ?? [0, 0]]);
  fc.assert(
    fc.property(fc.array(fc.array(ring, { minLength: 1, maxLength: 3 }), { maxLength: 3 }), (coordinates) => {
      const footprint: MultiPolygon = { type: "MultiPolygon", coordinates };
      assert.deepEqual(decodeFootprint(encodeFootprint(footprint)), footprint);
    }),
  );
  assert.throws(() => encodeFootprint({ type: "MultiPolygon", coordinates: [[box(179, 0, 181, 1)]] }), RangeError);
  assert.throws(() => decodeFootprint(new Uint8Array([9])), RangeError);
});

test("the centroid of a box is its middle, across the antimeridian too", () => {
  near(centroid(area(box(10, 40, 11, 41))), [10.5, 40.5], 1e-9);
  near(centroid(area(box(179, -1, -179.5, 1))), [179.75, 0], 1e-9);
  near(
    centroid(
      area([
        [0, 0],
        [3, 0],
        [0, 3],
        [0, 0],
      ]),
    ),
    [1, 1],
    1e-9,
  );
  near(centroid(area(box(0, 0, 2, 2), box(0.5, 0.5, 1.5, 1.5))), [1, 1], 1e-9);
});

test("simplifying a wavy coast keeps the area within one percent and drops most vertices", () => {
  const ring = Array.from({ length: 2000 }, (_, i): Pair => {
    const angle = (i * 2 * Math.PI) / 2000;
    const radius = 1 + 0.1 * Math.sin(5 * angle) + 0.0005 * Math.sin(300 * angle);
    return [20 + radius * Math.cos(angle), 40 + radius * Math.sin(angle)];
  });
  const coast = area([...ring, ring[0] ?? [0, 0]]);
  const simple = simplifyFootprint(coast);
  assert.ok((simple.coordinates[0]?.[0]?.length ?? 0) < 150);
  assert.ok(Math.abs(areaKm2(simple) / areaKm2(coast) - 1) < 0.01);
  assert.deepEqual(simplifyFootprint(area(box(0, 0, 1, 1))), area(box(0, 0, 1, 1)));
});

test("tiles of a split extent cover it, pass the size limit and all touch it", () => {
  const extent = area([
    [5, 45],
    [18, 44],
    [20, 54],
    [8, 55],
    [5, 45],
  ]);
  const tiles = splitExtent(extent, 390_000);
  const prepared = prepareArea(extent);
  let covered = 0;
  for (const tile of tiles) {
    const common = intersectionAreaKm2(prepared, prepareArea(tile));
    assert.ok(common > 0);
    covered += common;
    assert.ok(Math.abs(areaKm2(tile) / (390 * 390) - 1) < 1e-3);
  }
  assert.ok(Math.abs(covered / areaKm2(extent) - 1) < 1e-4);
  assert.ok(tiles.every((tile) => longestSideM(tile) < 480_000));
  assert.throws(() => splitExtent(extent, 0), RangeError);
  assert.throws(() => splitExtent(extent, 10), RangeError);
});

test("faults of a geometry name their place", () => {
  assert.deepEqual(faults({ type: "Polygon", coordinates: [box(0, 0, 1, 1)] }), []);
  assert.deepEqual(faults({ type: "Polygon", coordinates: [box(0, 0, 1, 1).slice(0, 4)] }), ["/extent/coordinates/0"]);
  assert.deepEqual(
    faults({
      type: "Polygon",
      coordinates: [
        [
          [0, 0],
          [1, 0],
          [0, 0],
        ],
      ],
    }),
    ["/extent/coordinates/0"],
  );
  assert.deepEqual(faults({ type: "Point", coordinates: [0, 91] }), ["/extent/coordinates"]);
  assert.deepEqual(faults({ type: "Point", coordinates: [0, 86] }, 85), ["/extent/coordinates"]);
  assert.deepEqual(faults({ type: "Point", coordinates: [0, Infinity] }), ["/extent/coordinates"]);
  assert.deepEqual(
    faults({
      type: "FeatureCollection",
      features: [{ type: "Feature", geometry: { type: "Point", coordinates: [999, 0] } }],
    }),
    ["/extent/features/0/geometry/coordinates"],
  );
  assert.deepEqual(faults({ type: "GeometryCollection", geometries: [{ type: "Circle" }] }), [
    "/extent/geometries/0/type",
  ]);
  let nested: unknown = { type: "Point", coordinates: [0, 0] };
  for (let i = 0; i < 10; i += 1) nested = { type: "GeometryCollection", geometries: [nested] };
  assert.equal(faults(nested).length, 1);
  assert.equal(faults({ type: "LineString", coordinates: Array.from({ length: 50 }, () => [0, 100]) }).length, 10);
});
