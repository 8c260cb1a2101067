import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { areaKm2 } from "./area.ts";
import { difference, intersection, union, unionAll } from "./clip.ts";
import { OverlayError } from "./overlay-error.ts";
import { clipToConvex, flatten, isConvex, shoelace } from "./flat-ring.ts";
import type { MultiPolygon } from "./geojson.ts";
import { intersectionAreaKm2, overlapByBoxes, overlapsEnough, prepareArea } from "./intersection-ratio.ts";

type Pair = [number, number];

function multi(...polygons: Pair[][][]): MultiPolygon {
  return { type: "MultiPolygon", coordinates: polygons };
}

function box(west: number, south: number, east: number, north: number): Pair[] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

function round(value: number): number {
  return Math.round(value * 1e7) / 1e7;
}

/** A star-shaped polygon about a place: simple whatever the radii. */
const star = fc
  .record({
    lon: fc.double({ min: -5, max: 5, noNaN: true }),
    lat: fc.double({ min: -5, max: 5, noNaN: true }),
    radii: fc.array(fc.double({ min: 0.5, max: 4, noNaN: true }), { minLength: 3, maxLength: 24 }),
  })
  .map(({ lon, lat, radii }) => {
    const ring = radii.map((radius, i): Pair => {
      const angle = (i * 2 * Math.PI) / radii.length;
      return [round(lon + radius * Math.cos(angle)), round(lat + radius * Math.sin(angle))];
    });
    return multi([[...ring, ring[0] ?? [0, 0]]]);
  });

test("intersection and difference share out an area, union holds both", () => {
  fc.assert(
    fc.property(star, star, (a, b) => {
      const areaA = areaKm2(a);
      const areaB = areaKm2(b);
      const common = areaKm2(intersection(a, b));
      assert.ok(Math.abs(common + areaKm2(difference(a, b)) - areaA) < 1e-7 * areaA);
      assert.ok(Math.abs(common + areaKm2(union(a, b)) - areaA - areaB) < 1e-7 * (areaA + areaB));
      assert.ok(Math.abs(common - areaKm2(intersection(b, a))) < 1e-9 * (areaA + areaB));
    }),
    { numRuns: 200 },
  );
});

test("the overlap of prepared areas equals the area of the overlay", () => {
  fc.assert(
    fc.property(star, star, fc.boolean(), (a, b, withHole) => {
      const lat = a.coordinates[0]?.[0]?.[0]?.[1] ?? 0;
      const clip = withHole ? difference(b, multi([box(-0.3, lat - 0.3, 0.3, lat + 0.3)])) : b;
      if (clip.coordinates.length === 0) return;
      const prepared = intersectionAreaKm2(prepareArea(a), prepareArea(clip));
      assert.ok(Math.abs(prepared - areaKm2(intersection(a, clip))) < 1e-8 * areaKm2(a));
    }),
    { numRuns: 200 },
  );
});

test("the convex fast path gives the corner two boxes share", () => {
  const common = intersection(multi([box(0, 0, 2, 2)]), multi([box(1, 1, 3, 3)]));
  assert.deepEqual(common.coordinates.length, 1);
  assert.ok(Math.abs(areaKm2(common) - areaKm2(multi([box(1, 1, 2, 2)]))) < 1e-9);
});

test("areas that touch have nothing in common", () => {
  assert.deepEqual(intersection(multi([box(0, 0, 1, 1)]), multi([box(1, 0, 2, 1)])).coordinates, []);
  assert.deepEqual(intersection(multi([box(0, 0, 1, 1)]), multi([box(1, 1, 2, 2)])).coordinates, []);
  const a = prepareArea(multi([box(0, 0, 1, 1)]));
  const b = prepareArea(multi([box(1, 0, 2, 1)]));
  assert.equal(overlapsEnough(a, b, { of: "extent", ratio: 0 }), false);
});

test("an extent inside its scene has ratio one, exactly at the border too", () => {
  const extent = prepareArea(multi([box(10.1, 50.1, 10.7, 50.3)]));
  for (const scene of [box(10, 50, 11, 51), box(10.1, 50.1, 10.7, 50.3)]) {
    assert.equal(overlapsEnough(extent, prepareArea(multi([scene])), { of: "extent", ratio: 1 }), true);
  }
});

test("what boxes say of an overlap is what the shapes say", () => {
  const said = new Set<string | null>();
  const place = fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 40 }));
  const size = fc.integer({ min: 1, max: 15 });
  fc.assert(
    fc.property(fc.array(fc.tuple(place, size), { minLength: 1, maxLength: 2 }), size, (places, height) => {
      // Two squares lie in halves of their own: an area in normal form does not overlap itself.
      const area = multi(
        ...places.map(([[west, south], width], i) => [
          box(i * 100 + west, south, i * 100 + west + width, south + height),
        ]),
      );
      const scene = prepareArea(multi([box(10, 10, 40, 40)], [box(110, 10, 140, 40)]));
      const boxes = overlapByBoxes(
        area.coordinates.map((polygon) => polygon.map(flatten)),
        scene,
      );
      said.add(boxes);
      const touches = overlapsEnough(prepareArea(area), scene, { of: "extent", ratio: 0 });
      if (boxes === "whole") assert.ok(overlapsEnough(prepareArea(area), scene, { of: "extent", ratio: 1 }));
      if (boxes === "none") assert.equal(touches, false);
      // These shapes are boxes themselves: an overlap in part is all that is left.
      if (boxes === null) assert.equal(touches, true);
    }),
    { seed: 11, numRuns: 1_000 },
  );
  assert.deepEqual(said, new Set(["whole", "none", null]));
});

test("what boxes say of an overlap holds for shapes that are no boxes", () => {
  const small = star.map((area) =>
    multi(...area.coordinates.map((rings) => rings.map((ring) => ring.map(([x, y]): Pair => [x / 8, y / 8])))),
  );
  const said = new Set<string | null>();
  fc.assert(
    fc.property(small, star, (area, shape) => {
      const scene = prepareArea(shape);
      const boxes = overlapByBoxes(
        area.coordinates.map((polygon) => polygon.map(flatten)),
        scene,
      );
      said.add(boxes);
      if (boxes === "whole") assert.ok(overlapsEnough(prepareArea(area), scene, { of: "extent", ratio: 1 }));
      if (boxes === "none") assert.equal(overlapsEnough(prepareArea(area), scene, { of: "extent", ratio: 0 }), false);
    }),
    { seed: 11, numRuns: 1_000 },
  );
  assert.deepEqual(said, new Set(["whole", "none", null]));
});

test("a union with itself resolves a bow tie and parts that overlap", () => {
  const bow = unionAll([
    [
      [
        [0, 0],
        [2, 2],
        [2, 0],
        [0, 2],
        [0, 0],
      ],
    ],
  ]);
  assert.equal(bow.coordinates.length, 2);
  const joined = unionAll([[box(0, 0, 2, 2)], [box(1, 0, 3, 2)], [box(10, 10, 11, 11)]]);
  assert.equal(joined.coordinates.length, 2);
  assert.ok(Math.abs(areaKm2(joined) - areaKm2(multi([box(0, 0, 3, 2)], [box(10, 10, 11, 11)]))) < 1e-6);
});

test("overlays of nearly coincident polygons keep the area identity", () => {
  fc.assert(
    fc.property(star, fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 }), (a, dx, dy) => {
      const moved: MultiPolygon = {
        type: "MultiPolygon",
        coordinates: a.coordinates.map((polygon) =>
          polygon.map((ring) =>
            ring.map(([lon, lat]): Pair => [Math.round(lon * 1e7 + dx) / 1e7, Math.round(lat * 1e7 + dy) / 1e7]),
          ),
        ),
      };
      const whole = areaKm2(a);
      assert.ok(Math.abs(areaKm2(intersection(a, moved)) + areaKm2(difference(a, moved)) - whole) < 1e-7 * whole);
    }),
    { numRuns: 150 },
  );
});

test("convex means turning one way once around", () => {
  assert.equal(isConvex(flatten(box(0, 0, 1, 1))), true);
  assert.equal(isConvex([0, 0, 1, 0, 2, 0, 2, 2, 0, 2]), true);
  assert.equal(isConvex([0, 0, 2, 0, 2, 2, 1, 0.5, 0, 2]), false);
  const pentagram = [0, 2, 4, 1, 3].flatMap((i) => [Math.cos((i * 2 * Math.PI) / 5), Math.sin((i * 2 * Math.PI) / 5)]);
  assert.equal(isConvex(pentagram), false);
  assert.equal(isConvex([0, 0, 1, 0, 0.5, 0]), false);
});

test("clipping a ring with a notch by a box is exact in area", () => {
  // A "U" whose two arms reach into the box.
  const u = [0, 0, 3, 0, 3, 3, 2, 3, 2, 1, 1, 1, 1, 3, 0, 3];
  const inside = clipToConvex(u, flatten(box(-1, 2, 4, 4)));
  assert.ok(Math.abs(Math.abs(shoelace(inside)) / 2 - 2) < 1e-12);
});

test("an overlay that needs too much memory says so, and the next one is computed", () => {
  // Each of 1,501 chords meets nearly all others: a million crossings.
  const chords = Array.from({ length: 1_501 }, (_, i): [number, number] => {
    const angle = (2 * Math.PI * 750 * i) / 1_501;
    return [15 + 0.01 * Math.cos(angle), 0.9 + 0.01 * Math.sin(angle)];
  });
  assert.throws(() => unionAll([[[...chords, ...chords.slice(0, 1)]]]), OverlayError);
  assert.equal(unionAll([[box(0, 0, 2, 1)], [box(1, 0, 3, 1)]]).coordinates.length, 1);
});
