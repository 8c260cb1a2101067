import assert from "node:assert/strict";
import { test } from "node:test";
import type { Geometry } from "@swath/kernel/geometry/geojson";
import { multiPolygonAreaKm2 } from "@swath/kernel/geometry/area";
import { groundOf } from "./ground-of.ts";

function areaKm2(geometry: unknown): number {
  const ground = groundOf(geometry as Geometry);
  assert.equal(ground.type, "MultiPolygon");
  return multiPolygonAreaKm2(ground.coordinates);
}

test("a line is a corridor of a tenth of a metre", () => {
  const line = {
    type: "LineString",
    coordinates: [
      [10, 0],
      [11, 0],
      [11, 1],
    ],
  };
  // Two degrees at the equator: 111.3 and 110.6 km, 0.111 m wide.
  assert.ok(Math.abs(areaKm2(line) / (221.9 * 0.000_111) - 1) < 0.01, String(areaKm2(line)));
});

test("the parts of a collection count together", () => {
  const line = {
    type: "MultiLineString",
    coordinates: [
      [
        [10, 0],
        [11, 0],
      ],
      [
        [12, 0],
        [13, 0],
      ],
    ],
  };
  const point = { type: "Point", coordinates: [20, 5] };
  const nested = {
    type: "GeometryCollection",
    geometries: [line, { type: "GeometryCollection", geometries: [point] }],
  };
  const ground = groundOf(nested as unknown as Geometry);
  assert.equal(ground.type === "MultiPolygon" && ground.coordinates.length, 3);
});

test("an unknown type and a collection of many levels stay as they are", () => {
  const unknown = { type: "Circle", coordinates: [1, 2] } as unknown as Geometry;
  assert.equal(groundOf(unknown), unknown);
  let deep: unknown = { type: "Point", coordinates: [1, 2] };
  for (let level = 0; level < 6; level += 1) deep = { type: "GeometryCollection", geometries: [deep] };
  assert.equal(groundOf(deep as Geometry), deep);
});
