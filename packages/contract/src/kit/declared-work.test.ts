import assert from "node:assert/strict";
import { test } from "node:test";
import { contract } from "../contract.ts";
import type { OrderParameters } from "../features/tasking/order-parameters.ts";
import { workCost } from "./request-cost.ts";

const SCENES = Array.from({ length: 50 }, (_, i) => `scene ${i}`);
const TYPES = Array.from({ length: 20 }, (_, i) => `type ${i}`);
const EXTENT = { type: "Point", coordinates: [1, 2] } as const;

test("a release pays for its scenes times its map types, in both forms", () => {
  const { work } = contract.maps.release;
  const extent = EXTENT;
  assert.equal(workCost(work, { sceneIds: SCENES, mapTypes: TYPES, extent }), 100);
  assert.equal(workCost(work, { sceneIds: SCENES, mapType: "ndvi", extent }), 5);
  assert.equal(workCost(work, { sceneIds: SCENES.slice(0, 1), mapType: "ndvi", extent }), 0);
});

test("a dry run pays for the scenes of each run times its map types", () => {
  const dryRuns = [
    { mapTypes: TYPES, scenes: [SCENES.slice(0, 2), { sceneId: "a" }] },
    { mapTypes: TYPES.slice(0, 10), scenes: [["b"]] },
  ];
  assert.equal(workCost(contract.maps.dryRun.work, { dryRuns, extent: EXTENT }), (20 * 3 + 10) / 10);
});

test("lists of scenes and hours of rain pay by their length", () => {
  const geometry = { type: "Polygon", coordinates: [] } as const;
  assert.equal(workCost(contract.maps.pairwise.work, { sceneIds: SCENES, extent: EXTENT }), 5);
  assert.equal(workCost(contract.maps.nwise.work, { sceneIds: SCENES, extent: EXTENT }), 5);
  assert.equal(workCost(contract.baselines.perpendicularBaselines.work, { sceneIds: SCENES }), 5);
  assert.equal(workCost(contract.credits.checkArea.work, { sceneIds: SCENES, geojson: EXTENT }), 5);
  assert.equal(workCost(contract.credits.allocateArea.work, { sceneIds: SCENES, geojson: EXTENT }), 5);
  assert.equal(workCost(contract.weather.precipitation.work, { geometry, windowSizeHours: 720 }), 72);
  assert.equal(workCost(contract.maps.pdfReport.work, { maps: SCENES.slice(0, 40) }), 4);
});

test("exports pay for the most pixels that their files can have", () => {
  const { work } = contract.maps.exportMap;
  assert.equal(workCost(work, { mapId: "m", gridFile: "geotiff" }), 25);
  assert.equal(workCost(work, { mapId: "m", gridFile: "png" }), 3);
  assert.equal(workCost(work, { mapId: "m", gridFile: "zip" }), 0);
  assert.equal(workCost(contract.export.getImage.work, { sceneId: "s" }), 1);
});

test("statistics pay for scenes times map types, at most for the maps of one request, and for map IDs by number", () => {
  const { work } = contract.maps.statistics;
  const areas = EXTENT;
  assert.equal(workCost(work, { areas, mapTypes: TYPES, sceneIds: SCENES }), 100);
  assert.equal(workCost(work, { areas, mapIds: SCENES.slice(0, 40) }), 4);
  const datasets = [{ provider: "local", dataset: "uploads" }];
  assert.equal(workCost(work, { areas, mapTypes: TYPES.slice(0, 2), datasets, limit: 30 }), 6);
  assert.equal(workCost(work, { areas, mapTypes: TYPES.slice(0, 2), datasets }), 20, "100 scenes by default");
  assert.equal(workCost(work, { areas, mapTypes: TYPES, datasets, limit: 1_000 }), 200, "2,000 maps at most");
});

test("a timelapse pays for its images and for the pixels of their frames", () => {
  const { work } = contract.maps.timelapse;
  const mapIds = SCENES;
  // 50 maps are 5 tokens. 50 x 512² pixels are 2.6 tokens, 50 x 1024² are 10.5.
  assert.equal(workCost(work, { mapIds }), 7);
  assert.equal(workCost(work, { mapIds, longestSidePx: 1024 }), 15);
  assert.equal(workCost(work, { mapType: "ndvi", sceneIds: SCENES, extent: EXTENT }), 7);
});

test("a mosaic and its price pay for the scenes, by default for 20 of a search", () => {
  for (const { work } of [contract.maps.mosaic, contract.maps.mosaicDryRun]) {
    const choice = { extent: EXTENT, mapType: "imagery", rule: "newest" } as const;
    assert.equal(workCost(work, { ...choice, sceneIds: SCENES }), 5);
    const datasets = [{ provider: "local", dataset: "uploads" }];
    assert.equal(workCost(work, { ...choice, datasets }), 2);
    assert.equal(workCost(work, { ...choice, datasets, limit: 30 }), 3);
  }
});

test("map types of an analysis pay for scenes or for pairs, whichever are more, times map types", () => {
  const { work } = contract.analyses.addMapTypes;
  const request = { analysisId: "a", geometry: EXTENT, mapTypes: TYPES.slice(0, 2), sceneIds: SCENES.slice(0, 20) };
  // 20 scenes have 19 pairs of neighbours, and 20 x 19 / 2 pairs in all.
  assert.equal(workCost(work, request), 4);
  assert.equal(workCost(work, { ...request, pairingType: "first" }), 4);
  assert.equal(workCost(work, { ...request, pairingType: "all" }), 38);
  assert.equal(workCost(work, { ...request, mapTypes: TYPES, pairingType: "all" }), 200, "2,000 maps at most");
});

test("studies pay a token each, and a batch of orders a token for ten captures", () => {
  const study: OrderParameters = {
    name: "harbour",
    provider: "sim",
    dataset: "archive",
    geometry: EXTENT,
  };
  const { createBatch, createOrder, feasibility, multiFeasibility } = contract.tasking;
  const order = { ...study, windowId: "w" };
  assert.equal(workCost(feasibility.work, study), 0, "the token of every request");
  assert.equal(workCost(multiFeasibility.work, { params: Array.from({ length: 20 }, () => study) }), 20);
  assert.equal(workCost(createOrder.work, order), 0);
  assert.equal(workCost(createBatch.work, { params: Array.from({ length: 20 }, () => order) }), 2);
  const recurrence = { count: 52, days: 7 };
  assert.equal(workCost(createBatch.work, { params: [order], recurrence }), 5);
});
