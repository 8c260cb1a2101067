import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { componentMembers, connectedComponents } from "./connected-components.ts";
import { integralImage, rectangleSum } from "./integral-image.ts";
import { minAreaRectangle, pixelsRectangle } from "./min-area-rectangle.ts";

function image(...lines: readonly string[]): Uint8Array {
  return Uint8Array.from(lines.join(""), (sign) => (sign === "#" ? 1 : 0));
}

test("pixels that touch by a corner are one group, a gap of one joins more", () => {
  const set = image("#....", ".#..#", "....#", "#....");
  assert.equal(connectedComponents(set, 5, 4).count, 3);
  assert.equal(connectedComponents(set, 5, 4, 1).count, 2);
  const members = componentMembers(connectedComponents(set, 5, 4));
  assert.deepEqual(
    members.map((positions) => [...positions]),
    [[0, 6], [9, 14], [15]],
  );
});

test("every set pixel is in exactly one group, and groups do not touch", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 48, maxLength: 48, max: 1 }), (set) => {
      const { labels, count } = connectedComponents(set, 8, 6);
      assert.deepEqual(
        [...labels].map((label) => Math.sign(label)),
        [...set],
      );
      assert.equal(new Set([...labels].filter((label) => label > 0)).size, count);
      for (let i = 0; i < 48; i++) {
        for (let j = 0; j < 48; j++) {
          const touching = Math.abs((i % 8) - (j % 8)) <= 1 && Math.abs((i >> 3) - (j >> 3)) <= 1;
          if (touching && set[i] === 1 && set[j] === 1) assert.equal(labels[i], labels[j]);
        }
      }
    }),
  );
});

test("the rectangle of a turned rectangle is itself", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 2, max: 50, noNaN: true }),
      fc.double({ min: 0.5, max: 1.9, noNaN: true }),
      fc.double({ min: -89, max: 89, noNaN: true }),
      (length, width, angleDeg) => {
        const angle = (angleDeg * Math.PI) / 180;
        const corners = [
          [-length, -width],
          [length, -width],
          [length, width],
          [-length, width],
        ].map(([u, v]): readonly [number, number] => [
          10 + (u * Math.cos(angle) - v * Math.sin(angle)) / 2,
          20 + (u * Math.sin(angle) + v * Math.cos(angle)) / 2,
        ]);
        const found = minAreaRectangle([...corners, [10, 20]]);
        assert.ok(Math.abs(found.lengthPx - length) < 1e-6 && Math.abs(found.widthPx - width) < 1e-6);
        assert.ok(Math.abs(found.angleDeg - angleDeg) < 1e-6, `${found.angleDeg}, expected ${angleDeg}`);
        assert.ok(Math.hypot(found.centre[0] - 10, found.centre[1] - 20) < 1e-6);
      },
    ),
  );
});

test("the rectangle of pixels holds their corners, of one pixel it is the pixel", () => {
  const one = pixelsRectangle([3 * 10 + 4], 10);
  assert.deepEqual([one.centre, one.lengthPx, one.widthPx], [[4.5, 3.5], 1, 1]);
  const bar = pixelsRectangle([20, 21, 22, 23], 10);
  assert.deepEqual([bar.lengthPx, bar.widthPx, bar.angleDeg], [4, 1, 0]);
});

test("sums of rectangles are those of adding pixel by pixel, cut at the edges, NaN being nothing", () => {
  const value = fc.oneof(fc.integer({ min: -50, max: 50 }), fc.constant(Number.NaN));
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 35, maxLength: 35 }),
      fc.tuple(
        fc.integer({ min: -2, max: 9 }),
        fc.integer({ min: -2, max: 7 }),
        fc.integer({ min: -2, max: 9 }),
        fc.integer({ min: -2, max: 7 }),
      ),
      (values, [left, top, right, bottom]) => {
        let expected = 0;
        for (let row = Math.max(0, top); row < Math.min(5, bottom); row++) {
          for (let column = Math.max(0, left); column < Math.min(7, right); column++) {
            const pixel = values[row * 7 + column];
            if (!Number.isNaN(pixel)) expected += pixel;
          }
        }
        assert.equal(rectangleSum(integralImage(values, 7, 5), left, top, right, bottom), expected);
      },
    ),
  );
});
