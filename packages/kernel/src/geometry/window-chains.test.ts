import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { blockRing, clippedAreaKm2 } from "./blocked-ring.ts";
import { convexHull } from "./convex-hull.ts";
import { flatPolygonAreaKm2, isConvex, unflatten, type FlatRing } from "./flat-ring.ts";
import { ringNesting } from "./ring-nesting.ts";
import { clipPolygonToWindow } from "./window-chains.ts";

const SQUARE: FlatRing = [0, 0, 10, 0, 10, 10, 0, 10];

test("a comb over one side of the window becomes a part for each tooth", () => {
  const comb = [-1, -2, 11, -2, 11, -1, 9, -1, 8, 5, 7, -1, 4, -1, 3, 5, 2, -1, -1, -1];
  const parts = clipPolygonToWindow([comb], SQUARE)!;
  assert.equal(parts.length, 2);
  for (const [exterior] of parts) assert.equal(exterior.length / 2, 3);
});

test("a polygon inside the window stays as it is and one around the window becomes the window with its holes", () => {
  const small = [2, 2, 4, 2, 4, 4, 2, 4];
  assert.deepEqual(clipPolygonToWindow([small], SQUARE), [[small]]);
  const around = [-5, -5, 15, -5, 15, 15, -5, 15];
  const parts = clipPolygonToWindow([around, small], SQUARE)!;
  assert.deepEqual(parts, [[[...SQUARE], [2, 4, 4, 4, 4, 2, 2, 2]]]);
  assert.deepEqual(clipPolygonToWindow([[20, 0, 30, 0, 30, 10, 20, 10]], SQUARE), []);
});

test("a hole over the border opens the exterior", () => {
  const around = [-5, -5, 15, -5, 15, 15, -5, 15];
  const parts = clipPolygonToWindow([around, [4, -1, 4, 3, 6, 3, 6, -1]], SQUARE)!;
  assert.equal(parts.length, 1);
  assert.equal(parts[0].length, 1);
  assert.equal(parts[0][0].length / 2, 8);
});

test("a vertex on a line of the window leaves the polygon to an overlay", () => {
  assert.equal(clipPolygonToWindow([[-1, 5, 10, 5, 5, 12]], SQUARE), null);
});

function wavy(radii: readonly number[], scale: number): FlatRing {
  return radii.flatMap((radius, i) => {
    const angle = (2 * Math.PI * i) / radii.length;
    return [20 + scale * radius * Math.cos(angle), 40 + scale * radius * Math.sin(angle)];
  });
}

const radii = fc.array(fc.double({ min: 0.3, max: 1, noNaN: true }), { minLength: 5, maxLength: 80 });
const place = fc.tuple(fc.double({ min: 17, max: 23, noNaN: true }), fc.double({ min: 37, max: 43, noNaN: true }));
const window = fc
  .array(place, { minLength: 3, maxLength: 8 })
  .map((places) => convexHull(places).flat())
  .filter((flat) => isConvex(flat));

test("parts of polygons with a hole have the area that the clip of their rings has, and their outlines do not meet", () => {
  fc.assert(
    fc.property(radii, radii, window, (outer, inner, convex) => {
      const rings = [wavy(outer, 3), wavy(inner, 0.8)];
      fc.pre(ringNesting(rings.map(unflatten)) !== null);
      const parts = clipPolygonToWindow(rings, convex);
      fc.pre(parts !== null);
      const found = parts.reduce((sum, part) => sum + flatPolygonAreaKm2(part), 0);
      const expected = clippedAreaKm2(rings.map(blockRing), convex);
      assert.ok(Math.abs(found - expected) <= 1e-9 * flatPolygonAreaKm2(rings), `${found}, expected ${expected}`);
    }),
    { numRuns: 2000 },
  );
});
