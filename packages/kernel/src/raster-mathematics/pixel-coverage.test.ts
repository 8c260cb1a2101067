import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { pixelCoverage } from "./pixel-coverage.ts";
import { polygonAreaPx, type PixelPolygon } from "./pixel-polygon.ts";

const ring = (...numbers: readonly number[]): Float64Array => Float64Array.from(numbers);

const box = (left: number, top: number, right: number, bottom: number): Float64Array =>
  ring(left, top, right, top, right, bottom, left, bottom);

/** Shares of all pixels. */
function shares(polygons: readonly PixelPolygon[], widthPx: number, heightPx: number): Float64Array {
  const all = new Float64Array(widthPx * heightPx);
  const { rows, starts, ends, shares: covered } = pixelCoverage(polygons, widthPx, heightPx);
  for (let run = 0; run < rows.length; run++) {
    assert.ok(starts[run] >= 0 && ends[run] <= widthPx && rows[run] >= 0 && rows[run] < heightPx, "in the grid");
    assert.ok(covered[run] > 0 && covered[run] <= 1, `a share of ${covered[run]}`);
    for (let column = starts[run]; column < ends[run]; column++) {
      assert.equal(all[rows[run] * widthPx + column], 0, "no pixel twice");
      all[rows[run] * widthPx + column] = covered[run]!;
    }
  }
  return all;
}

const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);

function near(actual: number, expected: number, message?: string): void {
  assert.ok(Math.abs(actual - expected) <= 1e-8 * Math.max(1, Math.abs(expected)), `${actual}, ${expected} ${message}`);
}

/** Area of a convex ring inside a pixel by Sutherland and Hodgman's cutting. */
function cutArea(points: readonly (readonly [number, number])[], column: number, row: number): number {
  const sides: readonly ((p: readonly [number, number]) => number)[] = [
    ([x]) => x - column,
    ([x]) => column + 1 - x,
    ([, y]) => y - row,
    ([, y]) => row + 1 - y,
  ];
  let kept = points;
  for (const inside of sides) {
    kept = kept.flatMap((b, i) => {
      const a = kept.at(i - 1)!;
      const [before, now] = [inside(a), inside(b)];
      const meeting = (): readonly [number, number] => {
        const part = before / (before - now);
        return [a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])];
      };
      if (before < 0 !== now < 0) return now < 0 ? [meeting()] : [meeting(), b];
      return now < 0 ? [] : [b];
    });
  }
  let twice = 0;
  for (const [i, [x, y]] of kept.entries()) twice += kept.at(i - 1)![0] * y - x * kept.at(i - 1)![1];
  return Math.abs(twice) / 2;
}

const coordinate = fc.double({ min: -3, max: 13, noNaN: true });
const triangle = fc
  .tuple(coordinate, coordinate, coordinate, coordinate, coordinate, coordinate)
  .map((numbers) => Float64Array.from(numbers));

test("pixels inside are whole, pixels at the edge have the share of their area", () => {
  assert.deepEqual(Array.from(shares([[box(0.5, 0.25, 2.25, 2)]], 3, 3)), [0.375, 0.75, 0.1875, 0.5, 1, 0.25, 0, 0, 0]);
  assert.deepEqual(Array.from(shares([[ring(0, 0, 2, 2, 0, 2)]], 2, 2)), [0.5, 0, 1, 0.5]);
});

test("a polygon on the edges of pixels covers these pixels and no other", () => {
  const { rows, starts, ends, shares: covered } = pixelCoverage([[box(1, 1, 4, 3)]], 6, 6);
  assert.deepEqual(
    [Array.from(rows), Array.from(starts), Array.from(ends)],
    [
      [1, 2],
      [1, 1],
      [4, 4],
    ],
  );
  assert.deepEqual(Array.from(covered), [1, 1]);
});

test("corners beside the edges of pixels by rounding are on them", () => {
  const covered = shares([[box(0.1 + 0.2 + 0.7, 1 - 1e-12, 3 + 1e-12, 2 + 1e-13)]], 5, 4);
  assert.deepEqual(Array.from(covered), [
    ...Array.from({ length: 6 }, () => 0),
    1,
    1,
    ...Array.from({ length: 12 }, () => 0),
  ]);
});

test("a polygon inside one pixel has its area", () => {
  const covered = shares([[ring(2.25, 2.25, 2.75, 2.25, 2.5, 2.75)]], 5, 5);
  near(covered[2 * 5 + 2], 0.125);
  near(total(covered), 0.125);
});

test("slivers keep their area", () => {
  for (const width of [1e-3, 1e-6]) {
    for (const [sliver, areaPx] of [
      [ring(0.5, 0.5, 9.5, 7.5, 9.5, 7.5 + width), 4.5 * width],
      [box(0.5, 4.2, 9.5, 4.2 + width), 9 * width],
    ] as const) {
      const found = total(shares([[sliver]], 10, 10));
      assert.ok(Math.abs(found / areaPx - 1) < 1e-6, `${found}, ${areaPx}`);
    }
  }
});

test("a polygon larger than the grid covers all of it in a run a row", () => {
  const { shares: covered } = pixelCoverage([[box(-50, -70, 90, 80)]], 7, 5);
  assert.deepEqual(Array.from(covered), [1, 1, 1, 1, 1]);
  assert.ok(shares([[ring(-100, -100, 300, -100, -100, 300)]], 20, 20).every((share) => share === 1));
});

test("polygons beside, above or under the grid and without an area cover nothing", () => {
  for (const outside of [box(-5, 0, 0, 9), box(9, 0, 12, 9), box(0, -4, 9, 0), box(0, 9, 9, 11), box(3, 3, 3, 5)]) {
    assert.equal(pixelCoverage([[outside]], 9, 9).rows.length, 0, outside.join(" "));
  }
  assert.equal(pixelCoverage([], 9, 9).rows.length, 0);
  assert.equal(pixelCoverage([[ring()]], 9, 9).rows.length, 0);
});

function reversed(one: Float64Array): Float64Array {
  const points = Array.from({ length: one.length / 2 }, (_, i) => [one[2 * i], one[2 * i + 1]]);
  return Float64Array.from(points.toReversed().flat());
}

test("holes are left out and parts are added, whichever way their rings wind", () => {
  const [outer, hole, other] = [box(0.5, 0.5, 5.5, 5.5), ring(2, 2, 4.5, 2.2, 3, 4.75), box(6.5, 1.25, 8, 3.5)];
  const expected = shares([[outer, hole], [other]], 9, 7);
  near(total(expected), polygonAreaPx([[outer, hole], [other]]));
  for (const turned of [
    [[reversed(outer), hole], [other]],
    [[outer, reversed(hole)], [reversed(other)]],
  ]) {
    assert.deepEqual(shares(turned, 9, 7), expected);
  }
});

test("a first point that is repeated changes nothing", () => {
  const open = ring(1.25, 0.5, 7.5, 3.25, 2.5, 6.5);
  assert.deepEqual(shares([[Float64Array.from([...open, 1.25, 0.5])]], 9, 9), shares([[open]], 9, 9));
});

test("the share of each pixel is the area of the polygon cut to the pixel", () => {
  fc.assert(
    fc.property(triangle, (corners) => {
      const points = [0, 2, 4].map((i) => [corners[i], corners[i + 1]] as const);
      const covered = shares([[corners]], 10, 10);
      for (let i = 0; i < 100; i++) near(covered[i], cutArea(points, i % 10, Math.floor(i / 10)), `pixel ${i}`);
    }),
  );
});

test("the shares of a partition sum to the whole", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.1, max: 9.9, noNaN: true }),
      fc.double({ min: 0.1, max: 9.9, noNaN: true }),
      (x, y) => {
        const corners = [0, 0, 10, 0, 10, 10, 0, 10];
        const parts = [0, 2, 4, 6].map((i) =>
          shares([[ring(corners[i], corners[i + 1], corners[(i + 2) % 8], corners[(i + 3) % 8], x, y)]], 10, 10),
        );
        for (let i = 0; i < 100; i++)
          near(
            parts.reduce((sum, part) => sum + part[i], 0),
            1,
            `pixel ${i}`,
          );
      },
    ),
  );
});

test("a polygon of a whole granule takes memory by its rows", () => {
  const { rows } = pixelCoverage([[ring(0, 0, 10_980, 5000, 10_980, 10_980, 5000, 10_980)]], 10_980, 10_980);
  assert.ok(rows.length < 6 * 10_980, `${rows.length} runs`);
});
