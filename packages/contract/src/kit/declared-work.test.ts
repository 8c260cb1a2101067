import assert from "node:assert/strict";
import { test } from "node:test";
import { contract } from "../contract.ts";
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
