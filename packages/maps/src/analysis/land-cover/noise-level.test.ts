import assert from "node:assert/strict";
import { test } from "node:test";
import { noiseLevel, type NoiseLook } from "./noise-level.ts";

function lookOf(density: readonly number[], ndwi = -4000): NoiseLook {
  const mask = new Uint8Array(density.length).fill(1);
  return { features: { density: Int16Array.from(density), ndwi: new Int16Array(mask.length).fill(ndwi) }, mask };
}

test("a scene with plain ground has no noise, however dense its towns are", () => {
  assert.equal(noiseLevel([lookOf(Array.from({ length: 500 }, (_, i) => (i < 10 ? 6 : 90)))]), 0);
});

test("the noise of a scene is what its plainest hundredth has beyond a clear scene", () => {
  const noisy = Array.from({ length: 400 }, (_, i) => 50 + (i % 40));
  assert.equal(noiseLevel([lookOf(noisy)]), 43);
});

test("water does not count", () => {
  const sea = lookOf(
    Array.from({ length: 900 }, () => 2),
    3000,
  );
  assert.equal(noiseLevel([sea, lookOf(Array.from({ length: 100 }, () => 30))]), 23);
});

test("pixels out of the mask do not count, and a scene without clear land has no noise", () => {
  const look = lookOf([...Array.from({ length: 100 }, () => 3), ...Array.from({ length: 100 }, () => 60)]);
  look.mask.fill(0, 0, 100);
  assert.equal(noiseLevel([look]), 53);
  look.mask.fill(0);
  assert.equal(noiseLevel([look]), 0);
  assert.equal(noiseLevel([]), 0);
});
