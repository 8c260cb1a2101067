import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { comparableScenes, mostPairs, pairsOf, sameDatetime } from "./pairing.ts";
import type { Scene } from "./scene.ts";

function scene(sceneId: string, datetime: string, radar: Partial<Scene> | null = null): Scene {
  const names =
    radar === null
      ? [["Red", "red"]]
      : [
          ["VV", "vv"],
          ["VH", "vh"],
        ];
  return {
    sceneId,
    datetime,
    bands: names.map((own) => ({ names: own })),
    ...(radar === null ? {} : { lookSide: "right", orbitPass: "ascending", mode: "IW", ...radar }),
  } as unknown as Scene;
}

test("radar scenes are compared within one orbit, pass, look side and mode; optical ones with all optical ones", () => {
  const groups = comparableScenes([
    scene("d", "2020-01-04 00:00:00", { relativeOrbitNumberStart: 8 }),
    scene("a", "2020-01-03 00:00:00", { relativeOrbitNumberStart: 7 }),
    scene("b", "2020-01-01 00:00:00"),
    scene("c", "2020-01-02 00:00:00", { relativeOrbitNumberStart: 7 }),
    scene("e", "2020-01-05 00:00:00", { relativeOrbitNumberStart: 7, lookSide: "left" }),
    scene("f", "2019-01-05 00:00:00"),
  ]);
  assert.deepEqual(
    groups.map((group) => group.map(({ sceneId }) => sceneId)),
    [["f", "b"], ["c", "a"], ["d"], ["e"]],
  );
});

test("equal times matter within a group only", () => {
  const [one, two] = [{ relativeOrbitNumberStart: 7 }, { relativeOrbitNumberStart: 8 }];
  const time = "2020-01-01 00:00:00";
  assert.equal(sameDatetime(comparableScenes([scene("a", time, one), scene("b", time, two), scene("c", time)])), null);
  const same = sameDatetime(comparableScenes([scene("b", time, one), scene("a", time, one)]));
  assert.deepEqual(
    same?.map(({ sceneId }) => sceneId),
    ["a", "b"],
  );
});

test("pairs of four", () => {
  const group = [1, 2, 3, 4];
  assert.deepEqual(pairsOf(group, "prev"), [
    [1, 2],
    [2, 3],
    [3, 4],
  ]);
  assert.deepEqual(pairsOf(group, "first"), [
    [1, 2],
    [1, 3],
    [1, 4],
  ]);
  assert.deepEqual(pairsOf(group, "all"), [
    [1, 2],
    [1, 3],
    [2, 3],
    [1, 4],
    [2, 4],
    [3, 4],
  ]);
});

test("every type gives pairs in order, each once, as many as it should", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 12 }), (n) => {
      const group = Array.from({ length: n }, (_, i) => i);
      for (const [type, count] of [
        ["prev", Math.max(0, n - 1)],
        ["first", Math.max(0, n - 1)],
        ["all", Math.max(0, (n * (n - 1)) / 2)],
      ] as const) {
        const pairs = pairsOf(group, type);
        assert.equal(pairs.length, count);
        assert.equal(new Set(pairs.map(String)).size, count);
        assert.ok(pairs.every(([a, b]) => a < b));
      }
    }),
  );
});

test("scenes that can all be compared have the most pairs", () => {
  for (const type of ["first", "prev", "all"] as const) {
    for (let count = 0; count <= 20; count++) {
      const group = Array.from({ length: count }, (_, i) => i);
      assert.equal(mostPairs(count, type), pairsOf(group, type).length, `${count} scenes, ${type}`);
    }
  }
});
