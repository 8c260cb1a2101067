import assert from "node:assert/strict";
import { test } from "node:test";
import { filterCounts, filtered, hidingFilters, NO_FILTER } from "./filters.ts";

const SCENES = [
  { provider: "p", dataset: "fine", cloudCover: 0.1, offNadir: -25, bands: [{ gsd: 0.5 }] },
  { provider: "p", dataset: "fine", cloudCover: 0.5, offNadir: 5, bands: [{ gsd: 0.5 }] },
  { provider: "q", dataset: "coarse", cloudCover: 0.8, bands: [{ gsd: 10 }] },
  { provider: "q", dataset: "coarse", bands: [] },
];

const positions = (scenes: readonly (typeof SCENES)[number][]): readonly number[] =>
  scenes.map((scene) => SCENES.indexOf(scene));

test("each filter narrows, and a scene without the value passes", () => {
  assert.deepEqual(positions(filtered(SCENES, NO_FILTER)), [0, 1, 2, 3]);
  assert.deepEqual(positions(filtered(SCENES, { ...NO_FILTER, cloud: { least: 0, most: 50 } })), [0, 1, 3]);
  assert.deepEqual(positions(filtered(SCENES, { ...NO_FILTER, offNadir: 20 })), [1, 2, 3]);
  assert.deepEqual(positions(filtered(SCENES, { ...NO_FILTER, gsd: 5 })), [0, 1, 3]);
  const datasets = [{ provider: "q", dataset: "coarse" }];
  assert.deepEqual(positions(filtered(SCENES, { ...NO_FILTER, datasets, cloud: { least: 0, most: 20 } })), [3]);
});

test("each filter says how many it hides", () => {
  const state = { ...NO_FILTER, cloud: { least: 0, most: 40 }, offNadir: 20, gsd: 1_000 };
  assert.deepEqual(hidingFilters(SCENES, state), [
    { name: "cloud", scenes: 2 },
    { name: "offNadir", scenes: 1 },
  ]);
});

test("the number beside a choice is what it would show with the other filters", () => {
  const state = { ...NO_FILTER, cloud: { least: 0, most: 20 }, gsd: 1 };
  const { cloud, datasets } = filterCounts(SCENES, state);
  for (const { atMost, scenes } of cloud.steps) {
    const shown = filtered(SCENES, { ...state, cloud: { least: 0, most: atMost * 100 } });
    assert.equal(scenes + cloud.unknown, shown.length, `at most ${atMost}`);
  }
  assert.deepEqual(datasets, [
    { provider: "p", dataset: "fine", scenes: 1 },
    { provider: "q", dataset: "coarse", scenes: 1 },
  ]);
});
