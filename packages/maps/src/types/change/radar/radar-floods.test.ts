import assert from "node:assert/strict";
import { test } from "node:test";
import { floodIou, outcomeOf, SIDE } from "./flood-pairs-testing.ts";

for (const [floodShare, looks] of [
  [0.36, 4.4],
  [0.28, 4.4],
  [0.36, null],
] as const) {
  test(`a flood over ${floodShare} of the scene is found, with ${looks ?? "unknown"} looks`, () => {
    const found = outcomeOf({ floodShare, dropDb: 8, gainDb: 0, seed: 5 }, looks);
    const iou = floodIou(found);
    assert.ok(iou >= 0.7, `${iou}, ${JSON.stringify(found.description)}`);
  });
}

test("pairs without change have false alarms as designed, whether looks are known or not", () => {
  for (const looks of [4.4, null]) {
    const shares = [1, 2, 3, 4, 6].map(
      (seed) => outcomeOf({ floodShare: 0, dropDb: 0, gainDb: 0, seed }, looks).alarms,
    );
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    assert.ok(mean < 3e-4, `${looks}: ${shares.join(", ")}`);
  }
});

test("metadata state the least change that counts, and another gain of one scene is below it", () => {
  const found = outcomeOf({ floodShare: 0, dropDb: 0, gainDb: 1, seed: 8 }, 4.4);
  const [sensitivityDb] = found.description["sensitivityDb"] as readonly [number];
  assert.ok(sensitivityDb > 2 && sensitivityDb < 8, `${sensitivityDb}`);
  assert.ok(found.changed.filter((value) => value === 1).length < 0.02 * SIDE ** 2);
});
