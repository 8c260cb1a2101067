import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { blockRing, clippedRingAreaKm2 } from "./blocked-ring.ts";
import { convexHull } from "./convex-hull.ts";
import { clipToConvex, flatAreaKm2, isConvex, reversed, shoelace, type FlatRing } from "./flat-ring.ts";

/** A simple ring of many vertices around a place: its radius changes from vertex to vertex. */
function wavyRing(radii: readonly number[], lon: number, lat: number): FlatRing {
  return radii.flatMap((radius, i) => {
    const angle = (2 * Math.PI * i) / radii.length;
    return [lon + radius * Math.cos(angle), lat + radius * Math.sin(angle)];
  });
}

const radius = fc.double({ min: 0.2, max: 3, noNaN: true });
const ring = fc
  .tuple(fc.array(radius, { minLength: 100, maxLength: 700, size: "max" }), fc.boolean())
  .map(([radii, isClockwise]) => {
    const flat = wavyRing(radii, 20, 40);
    return isClockwise ? reversed(flat) : flat;
  });
const place = fc.tuple(fc.double({ min: 16, max: 24, noNaN: true }), fc.double({ min: 36, max: 44, noNaN: true }));
const window = fc
  .array(place, { minLength: 3, maxLength: 8 })
  .map((places) => convexHull(places).flat())
  .filter((flat) => isConvex(flat))
  .map((flat) => (shoelace(flat) < 0 ? reversed(flat) : flat));

test("the area inside a window is that of the ring clipped vertex by vertex", () => {
  fc.assert(
    fc.property(ring, window, (flat, convex) => {
      const expected = flatAreaKm2(clipToConvex(flat, convex));
      const whole = flatAreaKm2(flat);
      assert.ok(Math.abs(clippedRingAreaKm2(blockRing(flat), convex) - expected) <= 1e-11 * whole);
    }),
    { numRuns: 1000 },
  );
});

test("a window around the whole ring has the ring's area and one beside it has none", () => {
  const flat = wavyRing(
    Array.from({ length: 1000 }, (_, i) => 1 + (i % 7) / 10),
    0,
    0,
  );
  const blocked = blockRing(flat);
  const around = [-3, -3, 3, -3, 3, 3, -3, 3];
  const beside = [3, -3, 9, -3, 9, 3, 3, 3];
  assert.ok(Math.abs(clippedRingAreaKm2(blocked, around) / flatAreaKm2(flat) - 1) < 1e-12);
  assert.equal(clippedRingAreaKm2(blocked, beside), 0);
});
