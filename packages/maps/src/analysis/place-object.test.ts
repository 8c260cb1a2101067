import assert from "node:assert/strict";
import { test } from "node:test";
import type { FoundObject } from "./block.ts";
import { placeObject } from "./place-object.ts";

/** 0.001 degrees a pixel, north up, from 10 east and 50 north. */
function place(column: number, row: number): readonly [number, number] {
  return [10 + column / 1000, 50 - row / 1000];
}

const OBJECT: FoundObject = {
  className: "ships",
  centre: [5, 2],
  corners: [
    [0, 0],
    [10, 0],
    [10, 4],
    [0, 4],
  ],
  areaM2: 200_000,
  count: 1,
  confidence: 1.4,
  properties: { headingDeg: 289.9 % 180, lengthM: 716.5 },
};

test("an object has a closed ring counter-clockwise, and the properties of its shape", () => {
  const { ring, centre, properties } = placeObject(OBJECT, place);
  assert.deepEqual(centre, place(5, 2));
  assert.equal(ring.length, 5);
  assert.deepEqual(ring[0], ring[4]);
  let twice = 0;
  for (let i = 1; i < ring.length; i++) twice += ring[i - 1][0] * ring[i][1] - ring[i][0] * ring[i - 1][1];
  assert.ok(twice > 0);
  assert.equal(properties["orientation"], 0);
  assert.equal(properties["confidence"], 1);
  // 0.01 by 0.004 degrees at 50 degrees north: 717 m by 445 m.
  assert.ok(Math.abs(Number(properties["bboxArea"]) - 318_800) < 1000, String(properties["bboxArea"]));
  assert.ok(Math.abs(Number(properties["aspectRatio"]) - 0.62) < 0.01);
  assert.deepEqual(properties["latLonCenter"], [49.998, 10.005]);
});

test("objects say what found them, and carry no noise of arithmetic", () => {
  const { properties } = placeObject(OBJECT, place);
  assert.equal(properties["source"], "rule");
  assert.equal(properties["headingDeg"], 109.9);
  const model = { ...OBJECT, properties: { source: "onnx:planes@0123" } };
  assert.equal(placeObject(model, place).properties["source"], "onnx:planes@0123");
});

test("several objects in one have no direction", () => {
  assert.ok(!("orientation" in placeObject({ ...OBJECT, count: 3 }, place).properties));
});

test("an object on the antimeridian has the shape that it has elsewhere, and its centre is on the map", () => {
  const { properties: expected } = placeObject({ ...OBJECT, properties: {} }, place);
  // As a geographic grid that runs on says it, as one of the other turn does, and as projections do.
  const placings: ((lon: number) => number)[] = [
    (lon) => lon,
    (lon) => lon - 360,
    (lon) => (lon >= 180 ? lon - 360 : lon),
  ];
  for (const turned of placings) {
    for (const [west, centre] of [
      [179.993, 179.998],
      [179.997, -179.998],
      [180.03, -179.965],
    ] as const) {
      const placed = placeObject({ ...OBJECT, properties: {} }, (column, row) => [
        turned(west + column / 1000),
        50 - row / 1000,
      ]);
      assert.ok(Math.abs(placed.centre[0] - centre) < 1e-9, `${placed.centre[0]}, expected ${centre}`);
      for (const name of ["bboxArea", "aspectRatio", "orientation", "areaPercentage"]) {
        const [got, wanted] = [Number(placed.properties[name]), Number(expected[name])];
        assert.ok(Math.abs(got - wanted) <= Math.abs(wanted) * 1e-3, `${name} at ${west}: ${got}, expected ${wanted}`);
      }
      const lons = placed.ring.map(([lon]) => lon);
      assert.ok(Math.max(...lons) - Math.min(...lons) < 0.011, lons.join());
    }
  }
});
