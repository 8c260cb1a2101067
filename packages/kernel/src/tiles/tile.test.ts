import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import {
  childTiles,
  isTile,
  isWithin,
  MAX_MERCATOR_LATITUDE_DEG,
  MERCATOR_HALF_SIDE_M,
  tileAt,
  tileBounds,
  tileMercatorBounds,
  type Tile,
} from "./tile.ts";

const tile = fc
  .integer({ min: 0, max: 22 })
  .chain((z) => fc.tuple(fc.constant(z), fc.nat({ max: 2 ** z - 1 }), fc.nat({ max: 2 ** z - 1 })));

test("the root tile is the Web Mercator square", () => {
  const [west, south, east, north] = tileBounds([0, 0, 0]);
  assert.equal(west, -180);
  assert.equal(east, 180);
  assert.ok(Math.abs(north - 85.0511287798) < 1e-9);
  assert.ok(Math.abs(south + 85.0511287798) < 1e-9);
  assert.ok(Math.abs(MERCATOR_HALF_SIDE_M - 20_037_508.342789244) < 1e-6);
  assert.ok(Math.abs(MAX_MERCATOR_LATITUDE_DEG - 85.051129) < 1e-6);
});

test("a recorded tile has the recorded pixel size", () => {
  // formats.md: tile 15/30320/18979 at 256 px has pixels of 4.777 m at latitude -27.4.
  const [west, south, east, north] = tileMercatorBounds([15, 30_320, 18_979]);
  assert.ok(Math.abs((east - west) / 256 - 4.777) < 5e-4);
  assert.ok(Math.abs((north - south) / 256 - 4.777) < 5e-4);
  assert.ok(Math.abs(tileBounds([15, 30_320, 18_979])[1] + 27.4) < 0.02);
});

test("the middle of a tile lies in it and in all its ancestors", () => {
  fc.assert(
    fc.property(tile, fc.nat({ max: 22 }), (one, z) => {
      const [west, south, east, north] = tileBounds(one);
      const [lon, lat] = [(west + east) / 2, (south + north) / 2];
      assert.deepEqual(tileAt(lon, lat, one[0]), one);
      const ancestor = tileAt(lon, lat, Math.min(z, one[0]));
      assert.equal(isWithin(one, ancestor), true);
    }),
  );
});

test("a tile holds its children, and only tiles below it", () => {
  fc.assert(
    fc.property(tile, (one) => {
      for (const child of childTiles(one)) {
        assert.equal(isWithin(child, one), true);
        assert.equal(isWithin(one, child), false);
      }
      const neighbour: Tile = [one[0], one[1] + 1, one[2]];
      assert.equal(isWithin(neighbour, one), false);
    }),
  );
});

test("edges belong to the next tile, the ends of the world to the last", () => {
  assert.deepEqual(tileAt(0, 0, 1), [1, 1, 1]);
  assert.deepEqual(tileAt(180, 90, 3), [3, 7, 0]);
  assert.deepEqual(tileAt(-180, -90, 3), [3, 0, 7]);
});

test("tiles outside the pyramid are none", () => {
  assert.equal(isTile(2, 3, 3), true);
  assert.equal(isTile(2, 4, 0), false);
  assert.equal(isTile(-1, 0, 0), false);
  assert.equal(isTile(25, 0, 0), false);
  assert.equal(isTile(1.5, 0, 0), false);
  assert.equal(isTile(1, -1, 0), false);
});
