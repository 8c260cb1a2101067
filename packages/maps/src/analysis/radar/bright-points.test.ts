import assert from "node:assert/strict";
import { test } from "node:test";
import { speckleOf } from "../clutter/speckle-testing.ts";
import { brightPoints, speckleExcess } from "./bright-points.ts";

const SIDE = 120;

function planeOf(decibelsAt: (x: number, y: number) => number): Int16Array {
  return Int16Array.from({ length: SIDE * SIDE }, (_, i) =>
    Math.round(100 * decibelsAt(i % SIDE, Math.floor(i / SIDE))),
  );
}

const everywhere = new Uint8Array(SIDE * SIDE).fill(1);

test("a point rises above its surroundings by what it has over 2 dB, and nothing else does", () => {
  const excess = brightPoints(
    planeOf((x, y) => (x === 50 && y === 60 ? -1 : -10)),
    everywhere,
    SIDE,
  );
  assert.equal(excess[60 * SIDE + 50], 700);
  assert.equal(
    excess.reduce((sum, value) => sum + value, 0),
    700,
  );
});

test("the edges and corners of bright fields are no points", () => {
  const excess = brightPoints(
    planeOf((x, y) => (x > 40 && x < 90 && y > 30 && y < 70 ? -4 : -14)),
    everywhere,
    SIDE,
  );
  assert.ok(excess.every((value) => value === 0));
});

test("pixels that do not count neither are points nor darken their surroundings", () => {
  const decibels = planeOf((x) => (x < 60 ? -25 : -8));
  const land = Uint8Array.from(decibels, (value) => (value > -2000 ? 1 : 0));
  assert.ok(brightPoints(decibels, land, SIDE).every((value) => value === 0));
});

test("speckle has as many points as it has looks for", () => {
  for (const looks of [1, 2, 4.4, 8]) {
    const excess = brightPoints(
      planeOf((x, y) => 10 * Math.log10(speckleOf(7, x, y, looks))),
      everywhere,
      SIDE,
    );
    const mean = excess.reduce((sum, value) => sum + value, 0) / excess.length;
    const expected = speckleExcess(looks);
    assert.ok(Math.abs(mean - expected) < 0.1 * expected, `${looks} looks: ${mean}, expected ${expected}`);
  }
  assert.ok(speckleExcess(0.5) === speckleExcess(1) && speckleExcess(100) === speckleExcess(16));
});
