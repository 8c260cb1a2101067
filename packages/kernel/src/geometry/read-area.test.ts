import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { areaKm2 } from "./area.ts";
import { roundDegrees } from "./canonical-degrees.ts";
import { extentArea } from "./extent.ts";
import type { GeoJson, LinearRing, MultiPolygonCoordinates, Position } from "./geojson.ts";
import { packPolygons, unpackPolygons } from "./packed-polygons.ts";
import { isQuickOverlay } from "./quick-overlay.ts";
import { readArea, untangleArea } from "./read-area.ts";

function box(west: number, south: number, east: number, north: number): LinearRing {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

function polygons(...coordinates: MultiPolygonCoordinates): GeoJson {
  return { type: "MultiPolygon", coordinates };
}

/** A ring of as many vertices, each joined to the one `step` further. */
function starPolygon(vertices: number, step: number): LinearRing {
  return Array.from({ length: vertices + 1 }, (_, i): [number, number] => {
    const angle = (2 * Math.PI * step * (i % vertices)) / vertices;
    return [10 + Math.cos(angle), 50 + Math.sin(angle)];
  });
}

test("polygons that do not meet are the area as they are, rounded to seven decimals", () => {
  const read = readArea(polygons([box(0, 0, 1.000_000_04, 1)], [box(2, 0, 3, 1), box(2.2, 0.2, 2.8, 0.8)]));
  assert.deepEqual(read, {
    kind: "area",
    area: polygons([box(0, 0, 1, 1)], [box(2, 0, 3, 1), box(2.2, 0.2, 2.8, 0.8)]),
    isRepaired: false,
  });
});

test("the area of a polygon that crosses itself is that of its loops, and it says so", () => {
  const bow: LinearRing = [[0, 0], [4, 4], [4, 0], [0, 4], [0, 0]]; // prettier-ignore
  const read = readArea(polygons([bow]));
  assert.ok(read.kind === "area" && read.isRepaired);
  const loops: LinearRing[] = [[[0, 0], [2, 2], [0, 4], [0, 0]], [[4, 0], [4, 4], [2, 2], [4, 0]]]; // prettier-ignore
  const expected = areaKm2({ type: "MultiPolygon", coordinates: loops.map((ring) => [ring]) });
  assert.ok(Math.abs(areaKm2(read.area) / expected - 1) < 1e-6);
  const overlapping = readArea(polygons([box(0, 0, 2, 1)], [box(1, 0, 3, 1)]));
  assert.ok(overlapping.kind === "area" && !overlapping.isRepaired, "polygons that overlap are united, not repaired");
  const slow = untangleArea([[starPolygon(201, 2)]], "/extent");
  assert.ok(slow.kind === "area" && slow.isRepaired);
});

test("a few polygons that overlap are united at once, also across the antimeridian", () => {
  const read = readArea(polygons([box(0, 0, 2, 1)], [box(1, 0, 3, 1)]));
  assert.ok(read.kind === "area");
  assert.ok(
    Math.abs(areaKm2(read.area) / areaKm2({ type: "MultiPolygon", coordinates: [[box(0, 0, 3, 1)]] }) - 1) < 1e-9,
  );
  const across = readArea(polygons([box(179, 0, 181, 1)]));
  assert.ok(across.kind === "area");
  assert.equal(across.area.coordinates.length, 2);
});

test("faults of positions come with their paths, and no area is empty", () => {
  assert.deepEqual(readArea(polygons([box(0, 0, 1, 91)]), "/extent"), {
    kind: "faulty",
    faults: [2, 3].map((index) => ({
      path: `/extent/coordinates/0/0/${index}`,
      message: "latitude 91 is beyond ±90; positions are [longitude, latitude]",
    })),
  });
  assert.deepEqual(readArea({ type: "Point", coordinates: [1, 2] }), { kind: "empty" });
  assert.deepEqual(readArea(polygons([box(0, 0, 1, 0)])), { kind: "empty" });
});

test("polygons that meet often, or are many, are slow; untangling has their area or their fault", () => {
  const ring = starPolygon(201, 2);
  const read = readArea(polygons([ring]));
  assert.ok(read.kind === "slow");
  const untangled = untangleArea(read.polygons, "/extent");
  const expected = extentArea(polygons([ring]));
  assert.ok(untangled.kind === "area" && expected !== null);
  assert.equal(areaKm2(untangled.area), areaKm2(expected));
  const fault = untangleArea([[starPolygon(1001, 450)]], "/extent");
  assert.ok(fault.kind === "faulty" && fault.faults[0]?.path === "/extent");
  assert.equal(readArea(polygons([starPolygon(10_001, 1)])).kind, "slow");
});

test("vertices of polygons as written are rounded to seven decimals before they are untangled, and lose their heights", () => {
  const written = starPolygon(201, 2).map(([lon, lat]): Position => [lon + 1e-9, lat - 1e-9, 12]);
  const untangled = untangleArea([[written]], "/extent");
  assert.ok(untangled.kind === "area");
  assert.deepEqual(untangled.area, extentArea(polygons([written])));
  const vertices = new Set(written.map(([lon, lat]) => `${roundDegrees(lon)} ${roundDegrees(lat)}`));
  const positions = untangled.area.coordinates.flat(2);
  assert.ok(positions.every((position) => position.length === 2));
  assert.ok(positions.some(([lon, lat]) => vertices.has(`${lon} ${lat}`)));
});

test("an overlay of two hundred positions is quick unless they meet more than five hundred times", () => {
  assert.equal(isQuickOverlay([starPolygon(199, 2)]), true);
  assert.equal(isQuickOverlay([starPolygon(199, 90)]), false);
  assert.equal(isQuickOverlay([starPolygon(200, 1)]), false);
});

test("packed polygons unpack to the same rings", () => {
  const position = fc.tuple(fc.double({ noNaN: true }), fc.double({ noNaN: true }));
  const some = fc.array(fc.array(fc.array(position)));
  fc.assert(fc.property(some, (value) => assert.deepEqual(unpackPolygons(packPolygons(value)), value)));
});
