import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnalysisBlock } from "../../analysis/block.ts";
import { nightChange, nightRadiance } from "./radiance.ts";

function block(...scenes: readonly (readonly (readonly number[])[])[]): AnalysisBlock {
  const columns = scenes[0][0].length;
  const rect = { column: 0, row: 0, columns, rows: 1 };
  return {
    rect,
    core: rect,
    scenes: scenes.map((planes) => planes.map((plane) => Float32Array.from(plane))),
    land: null,
    ground: { metresPerPixelX: 463, metresPerPixelY: 463, northDeg: 0, lonDeg: 0, latDeg: 0 },
  };
}

test("radiance that was seen less than twice is no data, noise below zero is kept", () => {
  const { layers } = nightRadiance.compute(
    block([
      [12, -0.25, 30, Number.NaN],
      [5, 2, 1, 9],
    ]),
    null,
    {},
  );
  assert.deepEqual([...layers[0]], [12, -0.25, Number.NaN, Number.NaN]);
});

test("a product without a count of observations is taken as it is", () => {
  assert.deepEqual([...nightRadiance.compute(block([[3, 4]]), null, {}).layers[0]], [3, 4]);
});

test("change is the logarithm of the ratio, and noise below the floor is no change", () => {
  const { layers } = nightChange.compute(block([[10, 0.1, 40, 5]], [[20, -0.3, 10, Number.NaN]]), null, {});
  const [doubled, dark, quartered, unknown] = layers[0];
  assert.ok(Math.abs(doubled - Math.LN2) < 1e-6);
  assert.equal(dark, 0);
  assert.ok(Math.abs(quartered + 2 * Math.LN2) < 1e-6);
  assert.ok(Number.isNaN(unknown));
});
