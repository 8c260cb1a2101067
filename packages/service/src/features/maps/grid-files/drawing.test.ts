import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlacedObject } from "@swath/maps/analysis/placed-object";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { createMapTypes } from "@swath/maps/registry";
import type { GridWindow } from "@swath/raster/sample/grid-window";
import { boxArea, testScene } from "../../credits/testing.ts";
import { tileSidePx } from "../grid.ts";
import { drawingOf, type FileQuery } from "./drawing.ts";
import type { LoadedMap } from "./load-map.ts";

const mapTypes = createMapTypes([]);

function ship(lonDeg: number, latDeg: number, confidence: number): PlacedObject {
  return { centre: [lonDeg, latDeg], ring: [], properties: { class: "ship", area: 1, count: 1, confidence } };
}

const SHIPS = [ship(14.02, 50.02, 0.2), ship(14.08, 50.08, 0.9), ship(14.3, 50.3, 0.9), ship(40, 51, 0.9)];
/** Holds the first three. */
const TILE: GridWindow = { kind: "tile", z: 6, x: 34, y: 21, sizePx: 512 };

function loaded(id: string, version = 400): LoadedMap {
  const mapType = mapTypes.find(id);
  assert.ok(mapType !== undefined, id);
  const stored = testScene("one");
  const clip = boxArea([14, 50, 14.1, 50.1]);
  return {
    hiddenTag: null,
    map: {
      mapId: "m",
      sceneId: stored.scene.sceneId,
      mapType: id,
      version,
      geometryId: "g",
      maxZoom: 14,
      tiles: [],
      resultId: "r",
      sceneIds: null,
      sceneRevision: 0,
      provenance: null,
      mosaic: null,
      geometry: clip,
    },
    mapType,
    stored,
    clip,
    result: {
      row: { resultId: "r", raster: stored.raster, objectsKey: null, metadata: {} },
      objects: async () => SHIPS,
    },
  };
}

async function found(fileName: string, query: FileQuery, window: GridWindow = TILE): Promise<readonly number[]> {
  const request = await drawingOf(loaded("ships"), fileName, window, query).request();
  return (request.result?.objects ?? []).map((one) => SHIPS.indexOf(one));
}

const WHOLE: GridWindow = { kind: "bounds", bounds: [14, 50, 14.1, 50.1], maxSizePx: 2048 };

test("filters choose objects of detections.geojson, and of no other file", async () => {
  const query = { detection_filters: "confidence gt 0.5" };
  assert.deepEqual(await found("detections.geojson", {}), [0, 1]);
  assert.deepEqual(await found("detections.geojson", query), [1]);
  assert.deepEqual(await found("detections.geojson", query, WHOLE), [1]);
  assert.deepEqual(await found("ships.shz", query), [0, 1]);
  assert.deepEqual(await found("segmentation.png", {}), [], "pictures do not read the list");
});

test("an unclipped file has the objects of its window, clipped ones those of the area", async () => {
  assert.deepEqual(await found("detections.geojson", { download_unclipped: "1" }), [0, 1, 2]);
  assert.deepEqual(await found("detections.geojson", { download_unclipped: "true" }, WHOLE), [0, 1]);
  const drawing = drawingOf(loaded("ships"), "segmentation.png", TILE, { download_unclipped: "1" });
  assert.equal((await drawing.request()).clip, null);
});

function inputsOf(id: string, fileName: string, query: FileQuery): string {
  return JSON.stringify(drawingOf(loaded(id), fileName, TILE, query).inputs);
}

test("everything that decides the bytes is among the inputs, and nothing that does not", () => {
  const variants: readonly FileQuery[] = [
    {},
    { user_threshold: 0.5 },
    { percentile_stretch: "1" },
    { stretch: "-0.2,0.8" },
    { stretch: "-0.2,0.9" },
    { force_download: "1" },
    { download_unclipped: "1" },
    { classification: "a:0:1:#ffffff" },
    { classification: "a:0:1:#fffffe" },
  ];
  assert.equal(new Set(variants.map((query) => inputsOf("ndvi", "ndvi.png", query))).size, variants.length);
  const filter = { detection_filters: "area gt 5" };
  assert.notEqual(inputsOf("ships", "detections.geojson", filter), inputsOf("ships", "detections.geojson", {}));
  assert.equal(inputsOf("ships", "metadata.json", filter), inputsOf("ships", "metadata.json", {}));
  assert.equal(inputsOf("imagery", "truecolor.png", { classification: "a" }), inputsOf("imagery", "truecolor.png", {}));
});

const ndviRequest = (query: FileQuery) => drawingOf(loaded("ndvi"), "ndvi.png", TILE, query).request();

test("a stretch has its lower limit first, and no other limits beside it", async () => {
  assert.deepEqual((await ndviRequest({ stretch: "-0.25,0.75" })).stretch, { low: -0.25, high: 0.75 });
  assert.equal((await ndviRequest({})).stretch, null);
  for (const query of [
    { stretch: "1,1" },
    { stretch: "1" },
    { stretch: "0,1,2" },
    { stretch: "NaN,1" },
    { stretch: "1e400,2" },
    { stretch: "0.5,-0.5" },
    { stretch: "0,1", percentile_stretch: "1" },
    { stretch: "0,1", user_threshold: 0.3 },
  ]) {
    assert.throws(
      () => drawingOf(loaded("ndvi"), "ndvi.png", TILE, query),
      (error) => error instanceof ServiceError && error.details?.[0]?.path === "/stretch",
    );
  }
});

test("thresholds of indices lie between -1 and 1, those of other values have their unit", async () => {
  for (const threshold of [-1.01, 1.01, Infinity]) {
    assert.throws(
      () => drawingOf(loaded("ndvi"), "ndvi.png", TILE, { user_threshold: threshold }),
      (error) => error instanceof ServiceError && error.code === "VALIDATION-ERROR",
    );
  }
  const drawing = drawingOf(loaded("methane"), "methane.png", TILE, { user_threshold: 1850 });
  assert.equal((await drawing.request()).userThreshold, 1850);
});

test("files of version 372 and below have tiles of 256 pixels", () => {
  assert.deepEqual(
    [371, 372, 373, 400].map((version) => tileSidePx(loaded("imagery", version))),
    [256, 256, 512, 512],
  );
});
