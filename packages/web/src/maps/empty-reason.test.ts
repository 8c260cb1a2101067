import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyReason, type Seen } from "./empty-reason.ts";
import type { MapFacts } from "./layer.ts";

const FACTS: MapFacts = {
  mapType: "ndvi",
  sceneId: "s",
  tiles: [[11, 1103, 693]],
  maxZoom: 14,
  datetime: "2024-06-03 10:00:00",
  bounds: [14, 50, 14.1, 50.1],
  cloudRatio: 0.1,
  histogram: null,
  hasObjects: false,
  colours: {},
};
const SEEN: Seen = { box: { west: 13, south: 49, east: 15, north: 51 }, zoom: 9, emptyKeys: new Set() };
const EMPTY: Seen = { ...SEEN, emptyKeys: new Set(["key"]) };

const reason = (facts: MapFacts | null, seen: Seen, isShown = true) => emptyReason({ facts, isShown }, "key", seen);

test("a layer with pixels in sight, or whose facts are still read, needs no reason", () => {
  assert.equal(reason(FACTS, SEEN), null);
  assert.equal(reason(null, EMPTY), null);
});

test("a hidden layer is hidden, wherever it is", () => {
  assert.equal(reason(FACTS, { ...EMPTY, box: { west: 0, south: 0, east: 1, north: 1 } }, false), "hidden");
});

test("a layer beside the view is outside, also across the antimeridian", () => {
  assert.equal(reason(FACTS, { ...SEEN, box: { west: 15, south: 49, east: 16, north: 51 } }), "outside");
  const pacific = { west: 170, south: -20, east: -170, north: 60 };
  assert.equal(reason(FACTS, { ...SEEN, box: pacific }), "outside");
  assert.equal(reason({ ...FACTS, bounds: [-175, 0, -174, 1] }, { ...SEEN, box: pacific }), null);
});

test("a speck on the map is too far away", () => {
  // 0.1 degrees are 8 pixels where the world has 8 / 0.1 * 360 = 28,800: between the zooms 6 and 7.
  assert.equal(reason(FACTS, { ...SEEN, zoom: 6 }), "far");
  assert.equal(reason(FACTS, { ...SEEN, zoom: 7 }), null);
});

test("closer than twice the finest pixels, nothing finer comes", () => {
  assert.equal(reason(FACTS, { ...SEEN, zoom: 15 }), null);
  assert.equal(reason(FACTS, { ...SEEN, zoom: 15.1 }), "finest");
});

test("tiles without a pixel are clouded where half of the map is cloud", () => {
  assert.equal(reason(FACTS, EMPTY), "no-data");
  assert.equal(reason({ ...FACTS, cloudRatio: null }, EMPTY), "no-data");
  assert.equal(reason({ ...FACTS, cloudRatio: 0.9 }, EMPTY), "clouded");
});
