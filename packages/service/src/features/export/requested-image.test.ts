import assert from "node:assert/strict";
import { test } from "node:test";
import { areaKm2 } from "@swath/kernel/geometry/area";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { storeTileGrid, storeTilePolygon, type StoreTile } from "@swath/kernel/tiles/store-tile";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { boxPolygon, testScene } from "../credits/testing.ts";
import type { GetImageRequest } from "@swath/contract/features/export/contract";
import { createAreas } from "../../platform/geometry/areas.ts";
import { requestedExtent, requestedImage, type RequestedImage } from "./requested-image.ts";

const { scene } = testScene("a", { bounds: [14, 50, 14.2, 50.2] });
const WHOLE = { dataset: "spot", hasStoreTiles: false };
const TILED = { dataset: "spot_tile", hasStoreTiles: true };
/** The tile of longitude 14.05 to 14.1 and latitude 50.05 to 50.1. */
const TILE: StoreTile = [281, 1001];

const never = new AbortController().signal;

async function ask(parts: Omit<GetImageRequest, "sceneId">, dataset = WHOLE): Promise<RequestedImage> {
  await using areas = createAreas();
  const request = { sceneId: scene.sceneId, ...parts };
  const extent = await requestedExtent(areas, request, never);
  return await requestedImage(areas, request, { scene, dataset, extent }, never);
}

async function refused(act: () => Promise<unknown>, code: string, message: RegExp): Promise<void> {
  await assert.rejects(act, (error) => {
    assert.ok(error instanceof ServiceError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  });
}

function sameArea(got: MultiPolygon | null, expectedKm2: number): void {
  assert.ok(got !== null && Math.abs(areaKm2(got) / expectedKm2 - 1) < 1e-6, `${got && areaKm2(got)}, ${expectedKm2}`);
}

test("without an extent the whole scene is asked for, with one what both have in common", async () => {
  const whole = await ask({});
  assert.equal(whole.around, null);
  assert.deepEqual(whole.part, scene.footprint);
  const part = await ask({ extent: boxPolygon([13.9, 49.9, 14.1, 50.1]) });
  sameArea(part.around, areaKm2(boxPolygon([14, 50, 14.1, 50.1])));
  assert.deepEqual(part.part, part.around);
  assert.equal(part.tiles, null);
});

test("an extent beside the scene has no intersection, nor one that only touches it", async () => {
  await refused(
    () => ask({ extent: boxPolygon([15, 50, 15.1, 50.1]) }),
    "EXTENT-HAS-NO-INTERSECTION",
    /does not intersect/,
  );
  await refused(
    () => ask({ extent: boxPolygon([14.2, 50, 14.3, 50.1]) }),
    "EXTENT-HAS-NO-INTERSECTION",
    /does not intersect/,
  );
});

test("store tiles are for datasets that have them", async () => {
  await refused(() => ask({ tiles: [[0, 0]] }), "VALIDATION-ERROR", /tiles cannot be given/);
  await refused(() => ask({ exportRaster: "geotiff" }), "VALIDATION-ERROR", /exportRaster cannot be given/);
});

test("a raster of store tiles is not rescaled", async () => {
  await refused(() => ask({ exportRaster: "geotiff", resolution: 5 }, TILED), "VALIDATION-ERROR", /resolution cannot/);
});

test("of a tiled dataset the tiles that the extent meets are needed", async () => {
  const extent = boxPolygon([14.06, 50.06, 14.07, 50.07]);
  const image = await ask({ extent }, TILED);
  assert.deepEqual(image.tiles, [TILE]);
  sameArea(image.around, areaKm2(extent));
});

test("exportRaster asks for whole tiles", async () => {
  const extent = boxPolygon([14.06, 50.06, 14.07, 50.07]);
  const image = await ask({ extent, exportRaster: "geotiff" }, TILED);
  sameArea(image.around, areaKm2(storeTilePolygon(TILE, storeTileGrid(scene.crsEpsg))));
  sameArea(image.part, areaKm2(boxPolygon([14.05, 50.05, 14.1, 50.1])));
});

test("named tiles limit the image to what they, extent and scene have in common", async () => {
  const image = await ask({ tiles: [TILE, [0, 0]], extent: boxPolygon([14.06, 50.06, 14.15, 50.07]) }, TILED);
  assert.deepEqual(image.tiles, [TILE]);
  sameArea(image.around, areaKm2(boxPolygon([14.06, 50.06, 14.1, 50.07])));
  await refused(() => ask({ tiles: [[0, 0]] }, TILED), "EXTENT-HAS-NO-INTERSECTION", /no named store tile/);
  await refused(() => ask({ tiles: [[1e9, 0]] }, TILED), "VALIDATION-ERROR", /tiles\/0/);
});
