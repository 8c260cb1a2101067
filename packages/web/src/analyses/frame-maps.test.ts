import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { frameMaps, hiddenId, missingMaps } from "./frame-maps.ts";

const frame = {
  id: "f",
  scene: { sceneId: "s" },
  onlyIngested: true,
  results: { a: [{ mapId: "m1", maxZoom: 14, tiles: [] }] },
  innerPolygonsResults: { north: { b: [{ mapId: "m2", maxZoom: 12, tiles: [] }] } },
  actionMeta: {},
  failedActions: [],
  finishedActions: ["a"],
  skippedActions: [],
};

test("a frame has the maps of its area, then of its parts", () => {
  assert.deepEqual(frameMaps(frame), [
    { mapType: "a", part: null, mapId: "m1", maxZoom: 14 },
    { mapType: "b", part: "north", mapId: "m2", maxZoom: 12 },
  ]);
});

test("an action without a map has its reason", () => {
  const failed = { mapType: "a", innerPolygonId: "north", errorCode: "GSD-TOO-COARSE", errorMessage: "too coarse" };
  assert.deepEqual(missingMaps([failed, "text", { mapType: "b", errorCode: "X" }]), [
    { mapType: "a", part: "north", reason: "too coarse" },
    { mapType: "b", part: null, reason: "X" },
  ]);
});

test("a hidden object is named by the entry, its feature or its ID", () => {
  assert.deepEqual(["o1", { featureId: "o2" }, { id: "o3" }, { id: 4 }, null].map(hiddenId), [
    "o1",
    "o2",
    "o3",
    null,
    null,
  ]);
});

test("members of any content are read without a failure", () => {
  fc.assert(
    fc.property(fc.object(), fc.array(fc.anything()), (results, actions) => {
      for (const { mapId } of frameMaps({ ...frame, results, innerPolygonsResults: results })) {
        assert.equal(typeof mapId, "string");
      }
      for (const { reason } of missingMaps(actions)) assert.equal(typeof reason, "string");
    }),
    { endOnFailure: true },
  );
});
