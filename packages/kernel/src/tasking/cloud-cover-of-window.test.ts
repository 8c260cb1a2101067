import assert from "node:assert/strict";
import { test } from "node:test";
import { climaticCloudCover, cloudCoverOfWindow } from "./cloud-cover-of-window.ts";

test("clouds follow the climate of a latitude, poles included", () => {
  const covers = [-90, -60, -50, -40, -20, -1, 0, 20, 40, 50, 60, 90].map(climaticCloudCover);
  assert.deepEqual(covers, [0.75, 0.85, 0.85, 0.7, 0.55, 0.62, 0.65, 0.5, 0.6, 0.7, 0.72, 0.72]);
});

test("an optical order with a limit of clouds needs the attempts that the beta distribution foretells", () => {
  // scipy 1.10: betainc(0.63, 0.27, 0.2).
  const { cloudCover, probability, expectedAttempts } = cloudCoverOfWindow("optical", 50, 0.2);
  assert.equal(cloudCover, 0.7);
  assert.ok(Math.abs(probability - 0.137_462_212_188) < 1e-9);
  assert.ok(Math.abs(expectedAttempts - 7.274_726_6) < 1e-5);
  assert.deepEqual(cloudCoverOfWindow("optical", 50, 1), { cloudCover: 0.7, probability: 1, expectedAttempts: 1 });
  assert.equal(cloudCoverOfWindow("optical", 50, 0).expectedAttempts, Infinity);
});

test("a radar sees through clouds", () => {
  assert.deepEqual(cloudCoverOfWindow("radar", 50, 0), { cloudCover: 0, probability: 1, expectedAttempts: 1 });
});
