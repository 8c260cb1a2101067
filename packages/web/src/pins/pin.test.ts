import assert from "node:assert/strict";
import { test } from "node:test";
import { pinnedPair, withoutPin, withPin } from "./pin.ts";

const june = { sceneId: "june", day: "2024-06-03" };
const july = { sceneId: "july", day: "2024-07-03" };
const august = { sceneId: "august", day: "2024-08-03" };

const layer = (mapId: string, mapType: string, sceneId: string | null) => ({ mapId, mapType, sceneId });

test("pins stand by their days, each once", () => {
  assert.deepEqual(withPin(withPin([july], june), july), [june, july]);
  assert.deepEqual(withoutPin([june, july], "june"), [july]);
});

test("the earliest and the latest pinned date are compared, in the first type with maps of two dates", () => {
  const layers = [
    layer("u", "urban", "june"),
    layer("n1", "ndvi", "june"),
    layer("n2", "ndvi", "july"),
    layer("n3", "ndvi", "august"),
    layer("n4", "ndvi", "september"),
  ];
  assert.deepEqual(pinnedPair(layers, [june, july, august]), { a: "n1", b: "n3" });
  assert.deepEqual(pinnedPair(layers, [july, august]), { a: "n2", b: "n3" });
});

test("one map of pinned dates is no pair", () => {
  assert.equal(pinnedPair([layer("n1", "ndvi", "june"), layer("x", "ndvi", null)], [june, july]), null);
  assert.equal(pinnedPair([], [june, july]), null);
});
