import assert from "node:assert/strict";
import { test } from "node:test";
import { finestResolutionM, maxZoom } from "./max-zoom.ts";

test("zooms of common resolutions are those of the formula", () => {
  assert.equal(maxZoom(0, 10), 14);
  assert.equal(maxZoom(50, 10), 14);
  assert.equal(maxZoom(70, 10), 13);
  assert.equal(maxZoom(50, 3.125), 15);
  assert.equal(maxZoom(50, 0.5), 18);
  assert.equal(maxZoom(0, 0.3), 19);
  assert.equal(maxZoom(0, 11_132), 4);
});

test("an exact power of two is not pushed to the next zoom by rounding", () => {
  for (let zoom = 1; zoom <= 20; zoom += 1) assert.equal(maxZoom(0, 4e7 / 256 / 2 ** zoom), zoom);
});

test("the zoom stays within the pyramid", () => {
  assert.equal(maxZoom(0, 1e-6), 24);
  assert.equal(maxZoom(0, 1e9), 0);
  assert.equal(maxZoom(90, 10), 0);
  assert.throws(() => maxZoom(0, 0), RangeError);
  assert.throws(() => maxZoom(0, Number.NaN), RangeError);
});

test("the effective resolution of imagery is the finest side of a pixel", () => {
  const bands = [
    { approximateResolutionX: 10, approximateResolutionY: 9.9 },
    { approximateResolutionX: 20, approximateResolutionY: 20 },
  ];
  assert.equal(finestResolutionM(bands), 9.9);
  assert.throws(() => finestResolutionM([]), RangeError);
});
