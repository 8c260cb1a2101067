import assert from "node:assert/strict";
import { test } from "node:test";
import { areaKm2 } from "../geometry/area.ts";
import { boundsPolygon } from "../geometry/bounds-polygon.ts";
import { union } from "../geometry/clip.ts";
import { extentArea } from "../geometry/extent.ts";
import type { MultiPolygon } from "../geometry/geojson.ts";
import { storeTileGrid, storeTilePolygon } from "../tiles/store-tile.ts";
import { soldArea } from "./sold-area.ts";

const grid = storeTileGrid(4326);

function box(west: number, south: number, east: number, north: number): MultiPolygon {
  const area = extentArea(boundsPolygon([west, south, east, north]));
  assert.ok(area !== null);
  return area;
}

const scene = box(15, 50, 15.12, 50.12);

test("without store tiles the area itself is sold, inside the scene", () => {
  const sold = soldArea(box(15.1, 50.1, 15.3, 50.3), scene, null);
  assert.equal(sold.tiles, null);
  assert.equal(areaKm2(sold.area), areaKm2(box(15.1, 50.1, 15.12, 50.12)));
});

test("with store tiles all that are touched are sold, inside the scene", () => {
  const one = soldArea(box(15.01, 50.01, 15.02, 50.02), scene, grid);
  assert.deepEqual(one.tiles, [[300, 1000]]);
  assert.equal(areaKm2(one.area), areaKm2(storeTilePolygon([300, 1000], grid)));
  const edge = soldArea(box(15.11, 50.11, 15.3, 50.3), scene, grid);
  assert.deepEqual(edge.tiles, [[302, 1002]]);
  assert.equal(areaKm2(edge.area), areaKm2(box(15.1, 50.1, 15.12, 50.12)));
});

test("what is sold by tiles covers what was asked for, and asking for it again adds nothing", () => {
  const asked = box(15.03, 50.03, 15.07, 50.11);
  const sold = soldArea(asked, scene, grid);
  assert.equal(sold.tiles?.length, 6);
  assert.ok(Math.abs(areaKm2(union(sold.area, asked)) - areaKm2(sold.area)) < 1e-9);
  assert.deepEqual(soldArea(sold.area, scene, grid).tiles, sold.tiles);
});

test("nothing is sold beside the scene", () => {
  const beside = soldArea(box(20, 50, 21, 51), scene, grid);
  assert.deepEqual(beside, { area: { type: "MultiPolygon", coordinates: [] }, tiles: [] });
});
