import assert from "node:assert/strict";
import { test } from "node:test";
import { areaKm2 } from "@swath/kernel/geometry/area";
import { intersection, unionAll } from "@swath/kernel/geometry/clip";
import { extentArea } from "@swath/kernel/geometry/extent";
import { longestSideM } from "@swath/kernel/geometry/mbr";
import { UsageError } from "./exit-code.ts";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import { searchTiles } from "./search-tiles.ts";

const LIMIT_M = 400_000;

test("an extent that one search may cover stays whole", () => {
  assert.equal(searchTiles(boundsPolygon([10, 50, 13, 52]), LIMIT_M).length, 1);
});

test("tiles of a larger extent are all short enough and cover it whole, also in the far north and around the world", () => {
  for (const [west, south, east, north] of [
    [-5, 40, 20, 55],
    [170, -20, 200, 5],
    [-20, 62, 30, 72],
    [0, 78, 120, 84],
  ] as const) {
    const extent = boundsPolygon([west, south, east, north]);
    const tiles = searchTiles(extent, LIMIT_M);
    assert.ok(tiles.length > 1);
    for (const tile of tiles) assert.ok(longestSideM(tile) < LIMIT_M, String(longestSideM(tile)));
    const area = extentArea(extent);
    assert.ok(area !== null);
    const covered = intersection(area, unionAll(tiles.flatMap(({ coordinates }) => coordinates)));
    const share = areaKm2(covered) / areaKm2(area);
    assert.ok(share > 0.9999, `${west} ${south}: ${share}`);
  }
});

test("the side of the tiles may be chosen, but what has no area or too many tiles is refused", () => {
  const small = searchTiles(boundsPolygon([10, 50, 11, 51]), LIMIT_M, 50_000);
  assert.ok(small.length >= 4, String(small.length));
  assert.throws(() => searchTiles({ type: "Point", coordinates: [1, 2] }, LIMIT_M), UsageError);
  assert.throws(() => searchTiles(boundsPolygon([-60, -40, 60, 60]), LIMIT_M, 1000), UsageError);
});
