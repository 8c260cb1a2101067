import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { boxGeometry, boxOfGeometry, parseCorners } from "./area-rings.ts";

const degrees = (limit: number) => fc.integer({ min: -limit * 1000, max: limit * 1000 }).map((value) => value / 1000);

test("a box across the antimeridian has a part on each side", () => {
  const geometry = boxGeometry({ west: 179, south: -20, east: -179, north: -10 });
  assert.equal(geometry.type, "MultiPolygon");
  assert.deepEqual(boxOfGeometry(geometry), { west: 179, south: -20, east: -179, north: -10 });
});

test("a box and its geometry give each other", () => {
  const boxes = fc
    .tuple(degrees(179), degrees(89), degrees(179), degrees(89))
    .filter(([a, b, c, d]) => a !== c && b !== d)
    .map(([a, b, c, d]) => ({ west: a, south: Math.min(b, d), east: c, north: Math.max(b, d) }));
  fc.assert(
    fc.property(boxes, (box) => {
      assert.deepEqual(boxOfGeometry(boxGeometry(box)), box);
    }),
    { endOnFailure: true },
  );
});

test("corners are read with commas or spaces, and refused where they are no box", () => {
  assert.deepEqual(parseCorners("174.8, -36.9, 174.9, -36.8"), {
    west: 174.8,
    south: -36.9,
    east: 174.9,
    north: -36.8,
  });
  assert.deepEqual(parseCorners("1 2 3 4"), { west: 1, south: 2, east: 3, north: 4 });
  for (const text of ["", "1,2,3", "1,2,3,4,5", "1,4,3,2", "a,b,c,d", "181,0,182,1", "0,0,0,1"]) {
    assert.equal(parseCorners(text), null, text);
  }
});
