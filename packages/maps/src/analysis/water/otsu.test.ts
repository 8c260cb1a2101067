import assert from "node:assert/strict";
import { test } from "node:test";
import { addToHistogram, emptyHistogram, isBimodal, otsuSplit } from "./otsu.ts";

function normals(seed: number): () => number {
  let state = seed;
  return () => {
    let sum = -6 * 65_536;
    for (let i = 0; i < 12; i++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      sum += state >>> 16;
    }
    return sum / 65_536;
  };
}

function splitOf(seed: number, valueOf: (i: number, normal: number) => number) {
  const next = normals(seed);
  const histogram = emptyHistogram(-1, 1);
  for (let i = 0; i < 6000; i++) addToHistogram(histogram, valueOf(i, next()));
  const split = otsuSplit(histogram);
  assert.ok(split !== null);
  return split;
}

// numpy on the same numbers: histogram of 256 bins, variance between the groups for every cut, the middle of the cuts
// with the greatest (bins 123 to 166): edge 0.1328125; Ashman's D of the values on the two sides 11.179.
test("the threshold and the distance of two groups are those of numpy", () => {
  const split = splitOf(11, (i, normal) => (i % 3 === 0 ? 0.45 + 0.05 * normal : -0.3 + 0.08 * normal));
  assert.equal(split.threshold, 0.1328125);
  assert.ok(Math.abs(split.ashmanD - 11.179) < 0.05, `${split.ashmanD}`);
  assert.equal(split.valleyDepth, 1);
  assert.ok(isBimodal(split));
});

// numpy: threshold 0, Ashman's D 2.71, which alone would pass for two groups.
test("one group of values is not two, although it is cut into distant halves", () => {
  const split = splitOf(13, (_, normal) => 0.15 * normal);
  assert.ok(Math.abs(split.threshold) < 0.01);
  assert.ok(Math.abs(split.ashmanD - 2.71) < 0.05, `${split.ashmanD}`);
  assert.ok(!isBimodal(split));
});

test("without two values there is no split; what is outside or NaN does not count", () => {
  const histogram = emptyHistogram(0, 1);
  assert.equal(otsuSplit(histogram), null);
  for (const value of [0.5, 0.5, 7, -1, Number.NaN]) addToHistogram(histogram, value);
  assert.equal(otsuSplit(histogram), null);
  addToHistogram(histogram, 1);
  const split = otsuSplit(histogram);
  assert.ok(split !== null && split.threshold > 0.5 && split.threshold < 1);
});
