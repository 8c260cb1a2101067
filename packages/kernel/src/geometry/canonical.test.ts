import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { roundDegrees } from "./canonical-degrees.ts";
import { readCanonical } from "./canonical-input.ts";
import { ringArea } from "./canonical-winding.ts";
import { canonicalGeometry } from "./canonical.ts";
import type { Geometry, LinearRing, Position } from "./geojson.ts";

const BOX: readonly Position[] = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
  [0, 0],
];

function canonical(value: unknown): Geometry {
  const reading = readCanonical(value);
  assert.ok(reading.kind === "canonical", JSON.stringify(reading));
  return reading.geometry;
}

function faults(value: unknown, path = ""): readonly string[] {
  const reading = readCanonical(value, path);
  return reading.kind === "faulty" ? reading.faults.map((fault) => fault.path) : [];
}

/** Whole units of 1e-7 degrees. */
function units(limit: number): fc.Arbitrary<number> {
  return fc.integer({ min: -limit * 1e7, max: limit * 1e7 });
}
const position = fc.tuple(units(180), units(90));
type Units = readonly [lon: number, lat: number];

/** Twice the area in square units: exact, for rings that do not jump. */
function exactArea(ring: readonly Units[]): bigint {
  return ring.reduce((sum, [x1, y1], i) => {
    const [x2, y2] = ring[(i + 1) % ring.length] ?? [0, 0];
    return sum + BigInt(x1) * BigInt(y2) - BigInt(x2) * BigInt(y1);
  }, 0n);
}

function degrees(ring: readonly Units[]): Position[] {
  return ring.map(([x, y]): Position => [x / 1e7, y / 1e7]);
}

test("the orientation of a ring is that of exact arithmetic, down to one unit in the seventh decimal", () => {
  const small = fc.tuple(position, fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 }))));
  const near = small.map(([[x, y], steps]): Units[] => steps.map(([dx, dy]): Units => [x + dx, y + dy]));
  // Vertices on one line, some a unit off it: floating point alone gets the sign of many of these wrong.
  const thin = fc
    .tuple(position, fc.array(fc.tuple(fc.integer({ min: 0, max: 2_000_000 }), fc.integer({ min: 0, max: 1 }))))
    .map(([[x, y], steps]): Units[] => steps.map(([t, off]): Units => [x + 3 * t, Math.trunc(y / 90) + 7 * t + off]));
  fc.assert(
    fc.property(fc.oneof(near, thin), (ring) => {
      fc.pre(ring.length >= 3);
      const [first = [0, 0]] = ring;
      const closed = degrees([...ring, first]);
      const expected = exactArea(ring);
      const turn = expected === 0n ? 0 : expected > 0n ? 1 : -1;
      assert.equal(ringArea(closed).turn, turn);
      assert.equal(ringArea(closed.toReversed()).turn, turn === 0 ? 0 : -turn);
    }),
    { numRuns: 2000 },
  );
});

test("a vertical line far from the prime meridian has no area, whatever the rounding of its coordinates", () => {
  const lon = 179.0000001;
  assert.equal(
    ringArea([
      [lon, 50.0000001],
      [lon, 50.0000003],
      [lon, 50.0000002],
      [lon, 50.0000001],
    ]).turn,
    0,
  );
});

test("a ring keeps its orientation when its longitudes are moved by a turn or wrapped at the antimeridian", () => {
  const ring = fc.array(fc.tuple(fc.integer({ min: -6e8, max: 6e8 }), units(80)), { minLength: 3, maxLength: 12 });
  fc.assert(
    fc.property(ring, units(180), (offsets, shift) => {
      const literal = offsets.map(([x, y]): Units => [x, y]);
      const [first = [0, 0]] = literal;
      const wrapped = [...literal, first].map(([x, y]): Position => {
        const lon = x + shift;
        return [(lon - 3.6e9 * Math.floor((lon + 1.8e9) / 3.6e9)) / 1e7, y / 1e7];
      });
      assert.equal(ringArea(wrapped).turn, ringArea(degrees([...literal, first])).turn);
    }),
  );
});

test("rounding goes to the nearest, halves up, is idempotent at any size and never gives minus zero", () => {
  assert.equal(roundDegrees(14.420124292373657), 14.4201243);
  assert.equal(roundDegrees(0.00000015), 2e-7);
  assert.equal(roundDegrees(-0.00000015), -1e-7);
  assert.ok(Object.is(roundDegrees(-0), 0));
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const once = roundDegrees(value);
      assert.ok(Object.is(roundDegrees(once), once));
      assert.ok(Number.isFinite(once));
      // Half a step, and what neighbouring numbers of that size are apart.
      assert.ok(Math.abs(once - value) <= 0.50001e-7 + Math.abs(value) * 2 ** -52);
    }),
    { numRuns: 5000 },
  );
});

const lonLat = fc.tuple(fc.double({ min: -180, max: 180, noNaN: true }), fc.double({ min: -90, max: 90, noNaN: true }));
const anyPosition = fc
  .tuple(lonLat, fc.option(fc.double({ min: -1e4, max: 1e4, noNaN: true }), { nil: null }))
  .map(([[lon, lat], height]): Position => (height === null ? [lon, lat] : [lon, lat, height]));
/** A star around a centre: simple, of any orientation, holes inside. */
const starPolygon = fc
  .record({
    lon: fc.double({ min: -179, max: 179, noNaN: true }),
    lat: fc.double({ min: -85, max: 85, noNaN: true }),
    radii: fc.array(fc.double({ min: 0.5, max: 1, noNaN: true }), { minLength: 3, maxLength: 12 }),
    holes: fc.integer({ min: 0, max: 2 }),
    reversed: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
  })
  .map(({ lon, lat, radii, holes, reversed }): LinearRing[] =>
    [1, 0.1, 0.01].slice(0, 1 + holes).map((scale, index) => {
      const ring = radii.map((radius, i): Position => {
        const angle = (2 * Math.PI * i) / radii.length;
        const shift = index === 2 ? 0.2 : 0;
        return [lon + shift + scale * radius * Math.cos(angle), lat + scale * radius * Math.sin(angle)];
      });
      const closed = [...ring, ring[0] ?? [0, 0]];
      return reversed[index] ? closed.toReversed() : closed;
    }),
  );

const simple: fc.Arbitrary<Geometry> = fc.oneof(
  anyPosition.map((coordinates): Geometry => ({ type: "Point", coordinates })),
  fc.array(anyPosition, { minLength: 1 }).map((coordinates): Geometry => ({ type: "MultiPoint", coordinates })),
  fc.array(anyPosition, { minLength: 2 }).map((coordinates): Geometry => ({ type: "LineString", coordinates })),
  fc
    .array(fc.array(anyPosition, { minLength: 2 }), { minLength: 1, maxLength: 4 })
    .map((coordinates): Geometry => ({ type: "MultiLineString", coordinates })),
  starPolygon.map((coordinates): Geometry => ({ type: "Polygon", coordinates })),
  fc
    .array(starPolygon, { minLength: 1, maxLength: 3 })
    .map((coordinates): Geometry => ({ type: "MultiPolygon", coordinates })),
);
const { geometry: anyGeometry } = fc.letrec<{ geometry: Geometry }>((tie) => ({
  geometry: fc.oneof(
    { maxDepth: 4 },
    simple,
    fc
      .array(tie("geometry"), { maxLength: 3 })
      .map((geometries): Geometry => ({ type: "GeometryCollection", geometries })),
  ),
}));

test("canonical form is idempotent, for every type of geometry", () => {
  fc.assert(
    fc.property(anyGeometry, (geometry) => {
      const once = canonical(geometry);
      assert.deepEqual(canonical(once), once);
      assert.deepEqual(canonicalGeometry(geometry), once);
    }),
  );
});

/** The same geometry written differently: foreign members, other winding, positions moved by at most 1e-8 degrees. */
function rewritten(geometry: Geometry, flip: boolean): unknown {
  const foreign = { name: "x", bbox: [0, 0, 1, 1], id: "mine" };
  if (geometry.type === "GeometryCollection") {
    const geometries = geometry.geometries.map((one) => rewritten(one, !flip));
    return { ...foreign, geometries, type: geometry.type };
  }
  const moved = (value: unknown): unknown => {
    if (typeof value === "number") return value + (flip ? 1e-8 : -1e-8);
    return Array.isArray(value) ? value.map(moved) : value;
  };
  const turned = (ring: LinearRing): LinearRing => (flip ? ring.toReversed() : ring);
  let coordinates: unknown = geometry.coordinates;
  if (geometry.type === "Polygon") coordinates = geometry.coordinates.map(turned);
  else if (geometry.type === "MultiPolygon") coordinates = geometry.coordinates.map((one) => one.map(turned));
  return { ...foreign, coordinates: moved(coordinates), type: geometry.type };
}

test("winding, order and number of members and changes of 1e-8 degrees make no difference", () => {
  fc.assert(
    fc.property(anyGeometry, fc.boolean(), (geometry, flip) => {
      const once = canonical(geometry);
      assert.deepEqual(canonical(rewritten(once, flip)), once);
    }),
  );
});

test("what is checked is the rounded geometry: closed, four positions, an area", () => {
  const open = [...BOX.slice(0, 4), [1e-9, -1e-9]];
  assert.deepEqual(canonical({ type: "Polygon", coordinates: [open] }), { type: "Polygon", coordinates: [BOX] });
  assert.deepEqual(faults({ type: "Polygon", coordinates: [BOX.slice(0, 4)] }, "/geometry"), [
    "/geometry/coordinates/0",
  ]);
  const sliver = BOX.map(([lon, lat]) => [lon * 1e-9, lat]);
  assert.deepEqual(faults({ type: "Polygon", coordinates: [sliver] }), ["/coordinates/0"]);
  assert.deepEqual(faults({ type: "Polygon", coordinates: [BOX, sliver] }), ["/coordinates/1"]);
  assert.deepEqual(faults({ type: "Polygon", coordinates: [BOX, BOX.toReversed()] }), ["/coordinates"]);
  const eight = [
    [0, 0],
    [1, 1],
    [1, 0],
    [0, 1],
    [0, 0],
  ];
  assert.deepEqual(faults({ type: "MultiPolygon", coordinates: [[BOX], [eight]] }), ["/coordinates/1/0"]);
  const heights = BOX.map((one, i) => [...one, i]);
  assert.deepEqual(faults({ type: "Polygon", coordinates: [heights] }), ["/coordinates/0"]);
});

test("no JSON value is taken for a geometry that it is not, and none throws", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.equal(readCanonical(value).kind, "faulty");
    }),
  );
  const types = fc.constantFrom(
    "Point",
    "MultiPoint",
    "LineString",
    "MultiLineString",
    "Polygon",
    "MultiPolygon",
    "GeometryCollection",
  );
  const nearly = fc.record({ type: types, coordinates: fc.jsonValue(), geometries: fc.jsonValue() });
  fc.assert(
    fc.property(nearly, (value) => {
      const reading = readCanonical(value);
      if (reading.kind === "canonical") assert.deepEqual(canonical(reading.geometry), reading.geometry);
      else assert.ok(reading.faults.length > 0 && reading.faults.length <= 10);
    }),
    { numRuns: 1000 },
  );
  for (const value of [
    null,
    [],
    "Point",
    { type: "Feature" },
    { type: "Point" },
    { type: "Point", coordinates: [1] },
  ]) {
    assert.equal(readCanonical(value).kind, "faulty");
  }
  assert.deepEqual(faults({ type: "Point", coordinates: [0, 90.0000001] }), ["/coordinates"]);
  assert.deepEqual(
    faults({
      type: "LineString",
      coordinates: [
        [0, 0],
        [541, 0],
      ],
    }),
    ["/coordinates/1"],
  );
  assert.deepEqual(faults({ type: "MultiPoint", coordinates: [[0, 0, 1, 2, 3]] }), ["/coordinates/0"]);
  assert.deepEqual(faults({ type: "Point", coordinates: [0, Infinity] }), ["/coordinates"]);
});

test("nesting, positions and faults are bounded", () => {
  const nested = (depth: number): unknown =>
    depth === 0
      ? { type: "Point", coordinates: [0, 0] }
      : { type: "GeometryCollection", geometries: [nested(depth - 1)] };
  assert.deepEqual(faults(nested(8)), []);
  assert.equal(faults(nested(9)).length, 1);
  const line = { type: "LineString", coordinates: Array.from({ length: 1000 }, (_, i) => [i / 1000, 0]) };
  assert.equal(readCanonical(line, "", { maxPositions: 1000 }).kind, "canonical");
  const reading = readCanonical(line, "", { maxPositions: 999 });
  assert.ok(reading.kind === "faulty" && reading.faults.length === 1);
  assert.equal(faults({ type: "LineString", coordinates: Array.from({ length: 1000 }, () => [0, 91]) }).length, 10);
});
