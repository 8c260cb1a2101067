import assert from "node:assert/strict";
import { test } from "node:test";
import { creditsToMicro, formatMillionths, km2ToSquareMetres, microToCredits, squareMetresToKm2 } from "./micro.ts";

test("credits become whole micro-credits and come back", () => {
  assert.equal(creditsToMicro(84.7), 84_700_000n);
  assert.equal(microToCredits(84_700_000n), 84.7);
  assert.equal(creditsToMicro(0.000_000_4), 0n);
  assert.equal(creditsToMicro(-1.5), -1_500_000n);
});

test("an amount that cannot be exact is refused", () => {
  assert.throws(() => creditsToMicro(Number.NaN), RangeError);
  assert.throws(() => creditsToMicro(1e12), RangeError);
});

test("areas are billed in whole square metres", () => {
  assert.equal(km2ToSquareMetres(1.234_567_8), 1_234_568);
  assert.equal(squareMetresToKm2(1_234_568), 1.234_568);
  assert.equal(km2ToSquareMetres(510_065_621.724), 510_065_621_724_000);
  assert.throws(() => km2ToSquareMetres(-1), RangeError);
  assert.throws(() => km2ToSquareMetres(Number.NaN), RangeError);
});

test("millionths are written exactly, with two to six decimals", () => {
  const written = [0n, 1n, 84_700_000n, 1_234_500n, -250_000n, -1n, 9_007_199_254_740_993n].map(formatMillionths);
  assert.deepEqual(written, ["0.00", "0.000001", "84.70", "1.2345", "-0.25", "-0.000001", "9007199254.740993"]);
});
