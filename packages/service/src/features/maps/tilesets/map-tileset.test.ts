import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { isWithin } from "@swath/kernel/tiles/tile";
import { limitsOf, plainBounds } from "./map-tileset.ts";

test("the limits of a zoom hold each descendant of the released tiles, and touch one on every side", () => {
  const listed = fc.record({
    zoom: fc.constant(5),
    x: fc.integer({ min: 0, max: 31 }),
    y: fc.integer({ min: 0, max: 31 }),
  });
  fc.assert(
    fc.property(fc.array(listed, { minLength: 1, maxLength: 6 }), fc.integer({ min: 5, max: 8 }), (tiles, maxZoom) => {
      const limits = limitsOf({ tiles, maxZoom });
      assert.deepEqual(
        limits.map(({ zoom }) => zoom),
        Array.from({ length: maxZoom - 4 }, (_, step) => 5 + step),
      );
      for (const { maxCol, maxRow, minCol, minRow, zoom } of limits) {
        const side = 2 ** zoom;
        const held = Array.from(
          { length: side * side },
          (_, place) => [place % side, Math.floor(place / side)] as const,
        ).filter(([x, y]) => tiles.some((tile) => isWithin([zoom, x, y], [tile.zoom, tile.x, tile.y])));
        const columns = held.map(([x]) => x);
        const rows = held.map(([, y]) => y);
        assert.deepEqual([minCol, maxCol], [Math.min(...columns), Math.max(...columns)]);
        assert.deepEqual([minRow, maxRow], [Math.min(...rows), Math.max(...rows)]);
      }
    }),
    { numRuns: 30 },
  );
});

test("bounds beyond the antimeridian take all longitudes, those a turn away come back", () => {
  assert.deepEqual(plainBounds([10, 50, 11, 51]), [10, 50, 11, 51]);
  assert.deepEqual(plainBounds([370, 50, 371, 51]), [10, 50, 11, 51]);
  assert.deepEqual(plainBounds([179, -17, 181, -16]), [-180, -17, 180, -16]);
  assert.deepEqual(plainBounds([179, -17, 180, -16]), [179, -17, 180, -16]);
});
