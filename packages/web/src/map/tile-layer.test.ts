import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { isReleased } from "./tile-layer.ts";

const tile = fc
  .integer({ min: 0, max: 18 })
  .chain((zoom) =>
    fc.tuple(fc.constant(zoom), fc.integer({ min: 0, max: 2 ** zoom - 1 }), fc.integer({ min: 0, max: 2 ** zoom - 1 })),
  );

test("the four tiles below a released tile are released, as are those below them", () => {
  fc.assert(
    fc.property(tile, fc.nat({ max: 3 }), ([zoom, x, y], corner) => {
      const below = [zoom + 1, 2 * x + (corner % 2), 2 * y + Math.floor(corner / 2)] as const;
      assert.ok(isReleased([[zoom, x, y]], [zoom, x, y]));
      assert.ok(isReleased([[zoom, x, y]], below));
    }),
    { endOnFailure: true },
  );
});

test("the tile above a released one and its neighbour are not released", () => {
  const released = [[13, 8074, 4999]] as const;
  assert.equal(isReleased(released, [12, 4037, 2499]), false);
  assert.equal(isReleased(released, [13, 8075, 4999]), false);
  assert.equal(isReleased(released, [14, 16150, 9998]), false);
});
