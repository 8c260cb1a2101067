import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { chooseZoom, planTiles, type TileIndex } from "./tile-plan.ts";

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
        assert.equal(plan.tiles.length, listed.length * 4 ** deeper);
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

test("tiles outside the area are left out", () => {
  // Longitude 0.1 to 0.2, latitude 0.1 to 0.2 lies in one tile of zoom 10, north-east of the crossing of equator and Greenwich.
  const plan = planTiles([[8, 128, 127]], 10, [0.1, 0.1, 0.2, 0.2]);
  assert.deepEqual(plan.tiles, [{ tile: [10, 512, 511], column: 0, row: 0 }]);
  assert.throws(() => planTiles([[8, 128, 127]], 10, [10, 10, 11, 11]), /no tile/);
});

test("the chosen zoom is one above the deepest, the deepest for small areas, and bounded in tiles", () => {
  assert.equal(chooseZoom([[14, 0, 0]], 17, null), 16);
  assert.equal(chooseZoom([[14, 0, 0]], 15, null), 15);
  assert.equal(chooseZoom([[14, 0, 0]], 14, null), 14);
  assert.equal(chooseZoom([[10, 0, 0]], 20, null), 13);
  assert.equal(chooseZoom([[8, 128, 127]], 12, [0.1, 0.1, 0.2, 0.2]), 12);
});
