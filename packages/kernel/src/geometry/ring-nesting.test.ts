import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { LinearRing, Position } from "./geojson.ts";
import { ringNesting } from "./ring-nesting.ts";

function ringOf(...positions: readonly Position[]): LinearRing {
  return [...positions, positions[0]];
}

function box(west: number, south: number, east: number, north: number): LinearRing {
  return ringOf([west, south], [east, south], [east, north], [west, north]);
}

test("rings that lie in each other name the smallest ring around them", () => {
  const rings = [box(0, 0, 10, 10), box(1, 1, 9, 9), box(2, 2, 3, 3), box(4, 4, 5, 5), box(20, 0, 21, 1)];
  assert.deepEqual([...ringNesting(rings)!.parents], [-1, 0, 1, 1, -1]);
  const clockwise = rings.map((ring) => ring.toReversed());
  assert.deepEqual([...ringNesting(clockwise)!.parents], [-1, 0, 1, 1, -1]);
});

test("rings that touch in a vertex, along an edge or in the middle of an edge have no nesting", () => {
  const square = box(0, 0, 1, 1);
  assert.equal(ringNesting([square, box(1, 1, 2, 2)]), null, "a common vertex");
  assert.equal(ringNesting([square, box(1, 0.2, 2, 0.8)]), null, "a part of an edge");
  assert.equal(ringNesting([square, ringOf([1, 0.5], [2, 0], [2, 1])]), null, "a vertex on an edge");
  assert.equal(ringNesting([square, ringOf([0.5, -1], [0.6, -1], [0.5, 2])]), null, "crossing edges");
  assert.equal(ringNesting([square, square]), null, "the same ring twice");
});

test("a ring that crosses itself, runs back on itself or has no area is not simple", () => {
  assert.equal(ringNesting([ringOf([0, 0], [1, 1], [1, 0], [0, 1])]), null, "a bow tie");
  assert.equal(ringNesting([ringOf([0, 0], [2, 0], [2, 2], [1, 2], [2, 2], [0, 2])]), null, "a spike");
  assert.equal(ringNesting([ringOf([0, 0], [1, 0], [2, 0])]), null, "a line");
  assert.equal(ringNesting([ringOf([0, 0], [1, 0])]), null, "two vertices");
});

test("repeated positions, vertical edges and collinear vertices leave a ring simple", () => {
  const ring = ringOf([0, 0], [0, 0], [1, 0], [2, 0], [2, 1], [2, 2], [2, 2], [0, 2], [0, 1]);
  assert.deepEqual([...ringNesting([ring])!.parents], [-1]);
});

/** Exact on the small integers of the test: products stay far below 2^53. */
function orientation([ax, ay]: Position, [bx, by]: Position, [cx, cy]: Position): number {
  return Math.sign((bx - ax) * (cy - ay) - (by - ay) * (cx - ax));
}

function isBetween([px, py]: Position, [qx, qy]: Position, [rx, ry]: Position): boolean {
  return Math.min(px, qx) <= rx && rx <= Math.max(px, qx) && Math.min(py, qy) <= ry && ry <= Math.max(py, qy);
}

function share([a, b]: readonly [Position, Position], [c, d]: readonly [Position, Position]): boolean {
  const [o1, o2, o3, o4] = [orientation(a, b, c), orientation(a, b, d), orientation(c, d, a), orientation(c, d, b)];
  if (o1 !== o2 && o3 !== o4) return true;
  return (
    (o1 === 0 && isBetween(a, b, c)) ||
    (o2 === 0 && isBetween(a, b, d)) ||
    (o3 === 0 && isBetween(c, d, a)) ||
    (o4 === 0 && isBetween(c, d, b))
  );
}

/** Every pair of edges is compared; neighbours may share their common end only. */
function isSimpleByPairs(vertices: readonly Position[]): boolean {
  const edges = vertices.map((from, i) => [from, vertices[(i + 1) % vertices.length]] as const);
  for (const [i, one] of edges.entries()) {
    for (const [j, other] of edges.entries()) {
      if (j <= i) continue;
      const follows =
        j === i + 1
          ? [one[0], one[1], other[1]]
          : i === 0 && j === edges.length - 1
            ? [one[1], one[0], other[0]]
            : null;
      if (follows === null) {
        if (share(one, other)) return false;
        continue;
      }
      const [before, common, after] = follows as [Position, Position, Position];
      const along = (before[0] - common[0]) * (after[0] - common[0]) + (before[1] - common[1]) * (after[1] - common[1]);
      if (orientation(before, common, after) === 0 && along > 0) return false;
    }
  }
  return true;
}

test("a ring has a nesting exactly when a comparison of all pairs of edges finds no meeting", () => {
  const vertex = fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 12 }));
  const vertices = fc.uniqueArray(vertex, { minLength: 3, maxLength: 9, selector: ([x, y]) => x * 100 + y });
  fc.assert(
    fc.property(vertices, (positions) => {
      assert.equal(ringNesting([ringOf(...positions)]) !== null, isSimpleByPairs(positions));
    }),
    { numRuns: 5000 },
  );
});
