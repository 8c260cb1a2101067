import assert from "node:assert/strict";
import { test } from "node:test";
import { leeFiltered } from "./lee-filter.ts";

const SIDE = 6;

/** Uniform in 0.05 to 0.25, with one bright pixel. */
function scene(): Float32Array {
  const values = new Float32Array(SIDE * SIDE);
  let state = 3;
  for (let i = 0; i < values.length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    values[i] = 0.05 + (0.2 * (state >>> 16)) / 65_536;
  }
  values[4 * SIDE + 4] = 3;
  return values;
}

// numpy: window mean m and variance v of each clipped 5 x 5 window, k = (1 - m^2 / (4.4 v)) / (1 + 1 / 4.4) or 0.
test("even windows become their mean, bright pixels stay, as numpy has it", () => {
  const filtered = leeFiltered(scene(), SIDE, SIDE, 4.4);
  for (const [at, expected] of [
    [0, 0.15438843],
    [2 * SIDE + 2, 0.20612255],
    [4 * SIDE + 4, 2.39366236],
    [5 * SIDE, 0.13386875],
  ] as const) {
    assert.ok(Math.abs(filtered[at] / expected - 1) < 1e-5, `${filtered[at]} instead of ${expected}`);
  }
});

test("what is no data stays so and does not count", () => {
  const values = new Float32Array(25).fill(0.1);
  values[12] = Number.NaN;
  const filtered = leeFiltered(values, 5, 5, 4);
  assert.ok(Number.isNaN(filtered[12]));
  assert.ok(filtered.every((value, i) => i === 12 || Math.abs(value - 0.1) < 1e-7));
});
