import assert from "node:assert/strict";
import { test } from "node:test";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import type { Bounds, MultiPolygon } from "@swath/kernel/geometry/geojson";
import { tilesOfArea, withAncestors } from "./pyramid-tiles.ts";

function areaOf(...boxes: readonly Bounds[]): MultiPolygon {
  return { type: "MultiPolygon", coordinates: boxes.map((box) => boundsPolygon(box).coordinates) };
}

const { signal } = new AbortController();

test("an area across the antimeridian has tiles in the first and in the last column", async () => {
  const { count, tiles } = await tilesOfArea(areaOf([179, -1, 180, 1], [-180, -1, -179, 1]), 3, signal);
  assert.equal(count, 4);
  assert.deepEqual(tiles.map((tile) => tile.join("/")).toSorted(), ["3/0/3", "3/0/4", "3/7/3", "3/7/4"]);
});

test("every ancestor up to zoom 0 is there once", () => {
  const all = withAncestors([
    [3, 4, 2],
    [3, 5, 3],
    [3, 6, 2],
  ]);
  assert.deepEqual(
    all.slice(3).map((tile) => tile.join("/")),
    ["2/2/1", "2/3/1", "1/1/0", "0/0/0"],
  );
});
