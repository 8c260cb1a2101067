import assert from "node:assert/strict";
import { test } from "node:test";
import type { Scene } from "@swath/kernel/scenes/scene";
import { createMapTypes } from "@swath/maps/registry";
import { sceneGroups } from "./scene-groups.ts";

const mapTypes = createMapTypes([]);

const change = mapTypes.find("change")!;
const series = mapTypes.find("change-series")!;

function optical(sceneId: string, datetime: string): { readonly scene: Scene } {
  return { scene: { sceneId, datetime, bands: [{ names: ["Red"] }] } as unknown as Scene };
}

function radar(sceneId: string, datetime: string, relativeOrbitNumberStart: number): { readonly scene: Scene } {
  const scene = { sceneId, datetime, relativeOrbitNumberStart, lookSide: "right", bands: [{ names: ["VV"] }] };
  return { scene: scene as unknown as Scene };
}

function ids({ groups }: ReturnType<typeof sceneGroups>): readonly (readonly string[])[] {
  return groups.map((group) => group.map(({ scene }) => scene.sceneId));
}

test("pairs are each scene with the one before it, whatever order they were asked for in", () => {
  const scenes = [optical("c", "2024-03-01 00:00:00"), optical("a", "2024-01-01 00:00:00"), optical("b", "2024-02-01 00:00:00")]; // prettier-ignore
  const grouped = sceneGroups(change, scenes);
  assert.deepEqual(ids(grouped), [["a", "b"], ["b", "c"]]); // prettier-ignore
  assert.deepEqual(grouped.refusals, []);
});

test("radar scenes are compared within their orbit, and a scene without another is told", () => {
  const scenes = [
    radar("a1", "2024-01-01 00:00:00", 70),
    radar("b1", "2024-01-05 00:00:00", 30),
    radar("a2", "2024-01-13 00:00:00", 70),
    radar("c1", "2024-01-14 00:00:00", 8),
    radar("b2", "2024-01-17 00:00:00", 30),
    radar("a3", "2024-01-25 00:00:00", 70),
  ];
  const pairs = sceneGroups(change, scenes);
  assert.deepEqual(ids(pairs), [["a1", "a2"], ["a2", "a3"], ["b1", "b2"]]); // prettier-ignore
  assert.deepEqual(
    pairs.refusals.map(({ sceneId, error }) => [sceneId, error.code]),
    [["c1", "UNSUPPORTED-IMAGERY"]],
  );
  assert.deepEqual(ids(sceneGroups(series, scenes)), [["a1", "a2", "a3"], ["b1", "b2"]]); // prettier-ignore
});

test("equal times are refused within an orbit, and are no matter between two", () => {
  const at = "2024-01-01 00:00:00";
  const later = "2024-01-13 00:00:00";
  const { groups, refusals } = sceneGroups(change, [radar("a", at, 70), radar("b", at, 30), radar("c", later, 70)]);
  assert.deepEqual(groups.length, 1);
  assert.deepEqual(
    refusals.map(({ sceneId }) => sceneId),
    ["b"],
  );
  const [same] = sceneGroups(change, [radar("a", at, 70), radar("b", at, 70)]).refusals;
  assert.equal(same?.error.code, "SCENES-WITH-SAME-DATETIME");
  assert.match(same.error.message, /a and b were both taken at 2024-01-01 00:00:00/);
});
