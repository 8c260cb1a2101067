import assert from "node:assert/strict";
import { test } from "node:test";
import type { FoundObject } from "../../analysis/block.ts";
import { rankedRegions } from "./ranked-regions.ts";

const region = (areaM2: number, meanZ: number): FoundObject => ({
  className: "positive",
  centre: [areaM2, meanZ],
  corners: [],
  areaM2,
  count: 1,
  confidence: 0.6,
  properties: { meanZ },
});

test("regions are ranked by area times strength, and only the first are kept, in their order", () => {
  const regions = [region(400, 30), region(100, 20), region(2000, 25), region(100, 400)];
  const kept = rankedRegions(regions, 3);
  assert.deepEqual(
    kept.map(({ areaM2, properties }) => [areaM2, properties["rank"], properties["ofRegions"]]),
    [
      [400, 3, 4],
      [2000, 1, 4],
      [100, 2, 4],
    ],
  );
});

test("no region is left out where there are fewer, and equals keep the order of the file", () => {
  const kept = rankedRegions([region(100, 20), region(100, 20)], 100);
  assert.deepEqual(
    kept.map(({ properties }) => properties["rank"]),
    [1, 2],
  );
  assert.deepEqual(rankedRegions([], 100), []);
});
