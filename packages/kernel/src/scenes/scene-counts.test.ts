import assert from "node:assert/strict";
import { test } from "node:test";
import { countScenes, type CountedScene } from "./scene-counts.ts";

function scene(dataset: string, more: Partial<CountedScene> = {}): CountedScene {
  return { provider: "p", dataset, bands: [{ gsd: 60 }, { gsd: 10 }], ...more };
}

test("scenes count towards each limit that their value reaches", () => {
  const { cloudCover, offNadir, gsd, scenes } = countScenes([
    scene("a", { cloudCover: 0, offNadir: -15 }),
    scene("a", { cloudCover: 0.05, offNadir: 30 }),
    scene("b", { cloudCover: 0.5, bands: [{ gsd: 0.5 }] }),
    scene("b", { bands: [] }),
  ]);
  assert.equal(scenes, 4);
  assert.deepEqual(
    cloudCover.steps.map((step) => step.scenes),
    [2, 2, 2, 3, 3],
  );
  assert.equal(cloudCover.unknown, 1);
  assert.deepEqual(
    offNadir.steps.map((step) => step.scenes),
    [0, 1, 2, 2],
    "an angle to the left is as large as one to the right",
  );
  assert.equal(offNadir.unknown, 2);
  assert.deepEqual(
    gsd.steps.map((step) => step.scenes),
    [1, 1, 3, 3],
    "the finest band decides",
  );
  assert.equal(gsd.unknown, 1, "a scene without bands has no resolution");
});

test("datasets come by their number of scenes, then by name", () => {
  const { datasets } = countScenes([scene("b"), scene("c"), scene("a"), scene("c")]);
  assert.deepEqual(
    datasets.map((one) => [one.dataset, one.scenes]),
    [
      ["c", 2],
      ["a", 1],
      ["b", 1],
    ],
  );
});
