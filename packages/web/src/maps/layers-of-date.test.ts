import assert from "node:assert/strict";
import { test } from "node:test";
import { layersOfDate } from "./layers-of-date.ts";
import type { MapFacts } from "./layer.ts";

const layer = (mapId: string, mapType: string, sceneId: string | null, isShown = true) => {
  const facts: MapFacts = {
    mapType,
    sceneId,
    tiles: [],
    maxZoom: 14,
    histogram: null,
    datetime: null,
    bounds: null,
    cloudRatio: null,
    hasObjects: false,
    colours: {},
  };
  return { mapId, mapType, facts, isShown };
};

test("the maps of a date take the place of the maps of other dates of their type", () => {
  const layers = [
    layer("june", "index", "june-scene", false),
    layer("july", "index", "july-scene"),
    layer("picture", "picture", "july-scene"),
    layer("unknown", "index", null),
  ];
  assert.deepEqual(layersOfDate(layers, "june-scene"), [
    { mapId: "june", isShown: true },
    { mapId: "july", isShown: false },
  ]);
  assert.deepEqual(layersOfDate(layers, "august-scene"), [], "a date without a map changes nothing");
});
