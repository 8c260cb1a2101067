import assert from "node:assert/strict";
import { test } from "node:test";
import { boxGeometry, type Ring } from "../find/area-rings.ts";
import { resolutionM, scenesOfPlace, type SeriesScene } from "./series-order.ts";

const scene = (sceneId: string, datetime: string, ring: Ring): SeriesScene => ({
  sceneId,
  datetime,
  footprint: { coordinates: [[ring]] },
});
/** A triangle: its box has corners that it does not cover. */
const TRIANGLE: Ring = [
  [0, 0],
  [4, 0],
  [0, 4],
  [0, 0],
];
const SCENES = [
  scene("first", "2024-06-01 10:00:00", TRIANGLE),
  scene(
    "second",
    "2024-06-09 10:00:00",
    TRIANGLE.map(([x, y]) => [4 - x, 4 - y] as const),
  ),
];

test("a point takes the scenes whose outline covers it, an area takes all, the newest first", () => {
  const idsAt = (longitude: number, latitude: number) =>
    scenesOfPlace({ kind: "point", longitude, latitude }, SCENES).map(({ sceneId }) => sceneId);
  assert.deepEqual(idsAt(1, 1), ["first"]);
  assert.deepEqual(idsAt(3, 3), ["second"]);
  assert.deepEqual(idsAt(5, 1), []);
  assert.deepEqual(
    scenesOfPlace({ kind: "area" }, SCENES).map(({ sceneId }) => sceneId),
    ["second", "first"],
  );
});

test("a large area is read in a million pixels, also across the antimeridian", () => {
  // One degree by one degree at the equator: 111.32 km of 1,000 pixels each.
  assert.ok(Math.abs(resolutionM(boxGeometry({ west: 0, south: -0.5, east: 1, north: 0.5 })) - 111.32) < 0.01);
  assert.ok(Math.abs(resolutionM(boxGeometry({ west: 179.5, south: -0.5, east: -179.5, north: 0.5 })) - 111.32) < 0.01);
});
