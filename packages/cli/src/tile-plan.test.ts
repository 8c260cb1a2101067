import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { chooseZoom, countTiles, planTiles, type TileIndex } from "./tile-plan.ts";

test("one listed tile becomes a square of its descendants", () => {
  const plan = planTiles([[3, 5, 2]], 4);
  assert.deepEqual([plan.columns, plan.rows], [2, 2]);
  assert.deepEqual(plan.tiles, [
    { tile: [4, 10, 4], column: 0, row: 0 },
    { tile: [4, 11, 4], column: 1, row: 0 },
    { tile: [4, 10, 5], column: 0, row: 1 },
    { tile: [4, 11, 5], column: 1, row: 1 },
  ]);
});

test("every tile has its own place inside the picture", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 3 }),
      fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 0, max: 1 })), {
        minLength: 1,
        maxLength: 4,
        selector: (at) => at.join(),
      }),
      (deeper, corners) => {
        const listed = corners.map(([x, y]): TileIndex => [10, 500 + x, 300 + y]);
        const plan = planTiles(listed, 10 + deeper);
        assert.equal(plan.tiles.length, countTiles(listed, 10 + deeper));
        const places = new Set(plan.tiles.map(({ column, row }) => `${column},${row}`));
        assert.equal(places.size, plan.tiles.length);
        for (const { column, row } of plan.tiles) {
          assert.ok(column >= 0 && column < plan.columns && row >= 0 && row < plan.rows);
        }
      },
    ),
  );
});

test("a zoom above the listed tiles and too many tiles are refused", () => {
  assert.throws(() => planTiles([[10, 1, 1]], 9), /begins at zoom 10/);
  assert.throws(() => planTiles([[10, 1, 1]], 15), /1024 tiles/);
});

test("the chosen zoom is one above the deepest, never above the listed one, and bounded in tiles", () => {
  assert.equal(chooseZoom([[14, 0, 0]], 17), 16);
  assert.equal(chooseZoom([[14, 0, 0]], 14), 14);
  assert.equal(chooseZoom([[10, 0, 0]], 20), 13);
});
