import assert from "node:assert/strict";
import { test } from "node:test";
import type { Layer } from "../maps/layers.ts";
import { mapsOfLayers } from "./maps-to-add.ts";

function layer(sceneId: string | null, mapType: string): Layer {
  const facts = {
    mapType,
    sceneId,
    tiles: [],
    maxZoom: 14,
    histogram: null,
    datetime: null,
    bounds: null,
    cloudRatio: null,
    colours: {},
    hasObjects: false,
  };
  return {
    mapId: `${sceneId}-${mapType}`,
    fileName: "a.png",
    opacity: 1,
    mapType,
    isShown: true,
    hasPatterns: false,
    facts,
  };
}

test("scenes with the same maps are added by one call, and no call adds a map that is not shown", () => {
  const layers = [layer("s1", "b"), layer("s1", "a"), layer("s2", "a"), layer("s2", "b"), layer("s3", "a")];
  assert.deepEqual(mapsOfLayers(layers), [
    { sceneIds: ["s1", "s2"], mapTypes: ["a", "b"] },
    { sceneIds: ["s3"], mapTypes: ["a"] },
  ]);
});

test("layers without a scene, and layers that are not read, are left out", () => {
  assert.deepEqual(mapsOfLayers([layer(null, "a"), { ...layer("s1", "a"), facts: "failed" }]), []);
  assert.deepEqual(mapsOfLayers([{ ...layer("s1", "a"), facts: null }]), []);
});
