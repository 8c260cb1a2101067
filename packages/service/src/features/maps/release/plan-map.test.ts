import assert from "node:assert/strict";
import { test } from "node:test";
import { intersection } from "@swath/kernel/geometry/clip";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import type { MapTypeDescriptor } from "@swath/maps/map-type";
import { createMapTypes } from "@swath/maps/registry";
import { boxArea, testScene } from "../../credits/testing.ts";
import { planMap as planPart } from "./plan-map.ts";

const mapTypes = createMapTypes([]);

const imagery = mapTypes.find("imagery");
const ndvi = mapTypes.find("ndvi");
assert.ok(imagery !== undefined && ndvi !== undefined);
function planMap(stored: StoredScene, mapType: MapTypeDescriptor, area: MultiPolygon, analysisResolutionM = 0.5) {
  return planPart(stored, mapType, { area, inside: intersection(area, stored.scene.footprint) }, analysisResolutionM);
}

const scene = testScene("one", { bounds: [14, 50, 14.2, 50.2], resolutionM: 10 });

test("tiles are the largest whose side is at least the longer side of the area on the map", () => {
  // 14.05..14.15 degrees is 1/3600 of the world, 2^11 tiles are less than 3600; corners by the Web Mercator formula.
  assert.deepEqual(planMap(scene, imagery, boxArea([14.05, 50.05, 14.15, 50.1])), {
    kind: "map",
    maxZoom: 14,
    tiles: [
      { zoom: 11, x: 1103, y: 693 },
      { zoom: 11, x: 1104, y: 693 },
      { zoom: 11, x: 1103, y: 694 },
      { zoom: 11, x: 1104, y: 694 },
    ],
  });
});

test("tiles stop at the deepest zoom, and those without data are left out", () => {
  const tiny = planMap(scene, imagery, boxArea([14.05, 50.05, 14.0501, 50.0501]));
  assert.ok(tiny.kind === "map");
  assert.ok(tiny.tiles.every(({ zoom }) => zoom === 14) && tiny.tiles.length <= 4);

  // The extent reaches out of the scene to the west: tiles there have no data.
  const half = planMap(scene, imagery, boxArea([13.7, 50.05, 14.15, 50.06]));
  assert.ok(half.kind === "map");
  assert.ok(half.tiles.every(({ zoom, x }) => ((x + 1) / 2 ** zoom) * 360 - 180 > 14));
});

test("the deepest zoom follows the pixels for imagery, and the dataset for analyses", () => {
  const area = boxArea([14.05, 50.05, 14.15, 50.1]);
  const zooms = (analysisResolutionM: number) =>
    [imagery, ndvi].map((type) => {
      const plan = planMap(scene, type, area, analysisResolutionM);
      return plan.kind === "map" ? plan.maxZoom : null;
    });
  // ceil(log2(4e7 cos 50.1 deg / (256 r))) with r = 10, 0.5 and 3.125 m.
  assert.deepEqual(zooms(0.5), [14, 18]);
  assert.deepEqual(zooms(3.125), [14, 15]);
});

test("an area beside the scene gives no tiles, a scene without the bands no index", () => {
  const beside = planMap(scene, imagery, boxArea([15, 50, 15.1, 50.1]));
  assert.ok(beside.kind === "refused" && beside.errorCode === "ZERO-TILES-AVAILABLE");
  const touching = planMap(scene, imagery, boxArea([14.2, 50, 14.3, 50.1]));
  assert.ok(touching.kind === "refused" && touching.errorCode === "ZERO-TILES-AVAILABLE");
  const gray = planMap(testScene("gray", { roles: [null] }), ndvi, boxArea([14, 50, 14.1, 50.1]));
  assert.ok(gray.kind === "refused" && gray.errorCode === "UNSUPPORTED-IMAGERY");
});
