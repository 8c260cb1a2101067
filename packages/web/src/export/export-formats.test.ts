import assert from "node:assert/strict";
import { test } from "node:test";
import { rightsOf } from "../rights.ts";
import { exportFormats } from "./export-formats.ts";

const ALL = rightsOf(["mapsvc", "analytics", "imagery.images"]);
const MAP = { mapsOfType: 1, hasScene: true, hasArea: true };

test("a map has the formats of its type", () => {
  const pixels = { png: ["a.png"], geotiff: ["analysis.geotiff"], json: ["metadata.json"] };
  const ofPixels = ["geotiff", "png", "pmtiles", "gpkg", "pdf", "image"];
  assert.deepEqual(exportFormats({ ...MAP, gridFiles: pixels }, ALL), ofPixels);
  const objects = { png: ["a.png"], geojson: ["detections.geojson"], shz: ["a.shz"], geotiff: [] };
  const ofObjects = ["png", "geojson", "shz", "pmtiles", "gpkg", "geoparquet", "pdf", "image"];
  assert.deepEqual(exportFormats({ ...MAP, gridFiles: objects }, ALL), ofObjects);
  assert.ok(!exportFormats({ ...MAP, gridFiles: null }, ALL).includes("geojson"));
});

test("a timelapse needs two maps, a part of the scene an area", () => {
  const formats = exportFormats({ gridFiles: {}, mapsOfType: 2, hasScene: true, hasArea: false }, ALL);
  assert.deepEqual(formats, ["pdf", "timelapse"]);
});

test("a user without permissions is offered nothing", () => {
  assert.deepEqual(exportFormats({ ...MAP, gridFiles: { png: ["a.png"] } }, rightsOf([])), []);
});
