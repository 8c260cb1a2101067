import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import type { Bounds, LinearRing, MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { PlacedObject } from "../analysis/placed-object.ts";
import { objectsIn } from "./objects-in.ts";

const objectAt = (lonDeg: number, latDeg: number): PlacedObject => ({
  centre: [lonDeg, latDeg],
  ring: [],
  properties: {},
});

const ringOf = (bounds: Bounds): LinearRing => boundsPolygon(bounds).coordinates[0] ?? [];
const area = (...rings: readonly LinearRing[]): MultiPolygon => ({ type: "MultiPolygon", coordinates: [rings] });

test("areas that share edges and corners count each object once, also on the edges", () => {
  // Whole degrees lie on the edges of the nine areas.
  const degree = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.double({ min: 0, max: 3, noNaN: true }));
  fc.assert(
    fc.property(fc.array(fc.tuple(degree, degree), { maxLength: 30 }), (places) => {
      const objects = places.map(([lonDeg, latDeg]) => objectAt(lonDeg, latDeg));
      const cells = Array.from({ length: 9 }, (_, i) =>
        area(ringOf([i % 3, Math.floor(i / 3), (i % 3) + 1, Math.floor(i / 3) + 1])),
      );
      const counted = cells.flatMap((cell) => objectsIn(objects, cell, null));
      assert.equal(new Set(counted).size, counted.length, "none twice");
      const whole = objectsIn(objects, area(ringOf([0, 0, 3, 3])), null);
      assert.deepEqual(new Set(counted), new Set(whole), "the same as in all areas together");
      const inner = objects.filter(({ centre: [x, y] }) => x > 0 && x < 3 && y > 0 && y < 3);
      for (const one of inner) assert.ok(whole.includes(one));
    }),
    { endOnFailure: true },
  );
});

test("objects in a hole or beside the area do not count, and the centre decides alone", () => {
  const ringed = area(ringOf([0, 0, 10, 10]), ringOf([4, 4, 6, 6]).toReversed());
  const wide = { ...objectAt(10.01, 5), ring: ringOf([9, 4, 11, 6]) };
  assert.deepEqual(objectsIn([objectAt(5, 5), objectAt(1, 5), wide], ringed, null), [objectAt(1, 5)]);
});
