import assert from "node:assert/strict";
import { test } from "node:test";
import { landPolygons } from "./land-polygons.ts";

/** The island and its lake from given longitudes. */
const islandAt = (west: number, east: number, lakeWest: number) => [
  [west, -16, east, -16, east, -20, west, -20, west, -16],
  [lakeWest, -17, lakeWest + 0.5, -17, lakeWest + 0.5, -18, lakeWest, -17],
];

test("land on one side of the antimeridian stays as it is", () => {
  const ring = [
    [10, 0],
    [12, 0],
    [12, 2],
    [10, 0],
  ];
  assert.deepEqual(landPolygons([ring.flat()]), [[ring.flat()]]);
});

test("an island on the antimeridian is one polygon on each side, and its lake stays in it", () => {
  const island = [
    [178, -16],
    [-178, -16],
    [-178, -20],
    [178, -20],
    [178, -16],
  ];
  const lake = [
    [-179.5, -17],
    [-179, -17],
    [-179, -18],
    [-179.5, -17],
  ];
  assert.deepEqual(landPolygons([island.flat(), lake.flat()]), [
    islandAt(-182, -178, -179.5),
    islandAt(178, 182, 180.5),
  ]);
});

test("land around a pole is closed along the pole", () => {
  const coast = [
    [-180, -80],
    [-90, -70],
    [0, -70],
    [90, -70],
    [180, -80],
    [-180, -80],
  ];
  const [polygon, ...others] = landPolygons([coast.flat()]);
  assert.deepEqual(others, []);
  assert.deepEqual(polygon?.[0], [...coast.slice(0, 5), [180, -80], [180, -90], [-180, -90], [-180, -80]].flat());
});
