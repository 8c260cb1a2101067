import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { areaKm2 } from "@swath/kernel/geometry/area";
import { createProjection } from "@swath/kernel/crs/projection";
import type { AreaGeometry, MultiPolygon } from "@swath/kernel/geometry/geojson";
import { epsgOfUtmZone, utmProjString } from "@swath/kernel/crs/utm";
import { parentSceneId, sceneId } from "@swath/kernel/scenes/scene-id";
import { storeTilesOf, storeTileGrid } from "@swath/kernel/tiles/store-tile";
import type { Band, Scene } from "@swath/kernel/scenes/scene";
import sharp from "sharp";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { readSki, type ReadSki } from "@swath/maps/export/ski-testing";
import { setPrice } from "../credits/testing.ts";
import {
  boundTo,
  metres,
  NORTH_M,
  sourceScene,
  testSource,
  valueAt,
  WEST_M,
  type TestSource,
} from "../ingestion/source-testing.ts";
import { exportBench, type Answer, type ExportBench } from "./testing.ts";

/** Scenes of the test source are 20 x 20 km, 400 x 400 pixels of 50 m and 200 x 200 of 100 m. */
const whole = sourceScene("whole", "ee", "COPERNICUS/S2_SR_HARMONIZED");
const tiled = sourceScene("tiled", "pl", "PSScene_tile");
const clipped = sourceScene("clipped", "optical-archive", "ard_clipped");
const priced = sourceScene("priced", "pl", "PSScene");
const huge: Scene = { ...sourceScene("huge", "ee", "LANDSAT/LC08/C02/T1"), bands: [fineBand(0.5)] };
const plane = createProjection(utmProjString({ zone: 33, south: false }));
const HOUR_MS = 3_600_000;

let nowMs = Date.UTC(2026, 5, 1);
let bench: ExportBench;
let source: TestSource;
let token: string;

function fineBand(sizeM: number): Band {
  return {
    names: ["Red", "red"],
    bitDepth: 16,
    gsd: sizeM,
    pixelSizeX: sizeM,
    pixelSizeY: -sizeM,
    crsOriginX: WEST_M,
    crsOriginY: NORTH_M,
    approximateResolutionX: sizeM,
    approximateResolutionY: sizeM,
  };
}

before(async () => {
  source = testSource([whole, tiled, clipped, priced, huge]);
  bench = await exportBench({ sources: boundTo(source), clock: { now: () => new Date(nowMs) } });
  await setPrice(bench.inner.db, "PSScene_tile", 0n);
  await setPrice(bench.inner.db, "ard_clipped", 0n);
  ({ token } = await bench.addUser("alice@example.com", ["imagery", "store.ingested"]));
});
after(async () => {
  await bench[Symbol.asyncDispose]();
});

function refused(answer: Answer, status: number, code: string, message = /./): void {
  assert.equal(answer.status, status, JSON.stringify(answer.json));
  assert.equal(answer.json.error, code);
  assert.match(answer.json.errorMessage, message);
}

function initiate(body: object): Promise<Answer> {
  return bench.post("/imagery/get-image/initiate", body, token);
}

async function skiOf(answer: Answer): Promise<ReadSki> {
  assert.equal(answer.status, 200, JSON.stringify(answer.json));
  const file = await bench.get(answer.json.url);
  assert.equal(file.status, 200);
  return readSki(file.bytes);
}

/** Values of the source in a rectangle of pixels. */
function expected(left: number, top: number, widthPx: number, heightPx: number): number[] {
  return Array.from({ length: widthPx * heightPx }, (_, i) =>
    valueAt(left + (i % widthPx), top + Math.floor(i / widthPx)),
  );
}

/** The rectangle of an answer's extent in metres from the south-west corner of the scenes. */
function inMetres(extent: AreaGeometry): readonly number[] {
  const positions = extent.type === "Polygon" ? extent.coordinates.flat() : extent.coordinates.flat(2);
  const points = positions.map(([lon, lat]) => plane.forward(lon, lat));
  const xs = points.map(([x]) => Math.round(x - WEST_M));
  const ys = points.map(([, y]) => Math.round(y - NORTH_M + 20_000));
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

test("a part of a scene that is not in the store is fetched and exported as it is, in three files", async () => {
  const answer = await bench.run({ sceneId: whole.sceneId, extent: metres(1_010, 18_010, 2_490, 18_990) }, token);
  const ski = await skiOf(answer);
  assert.deepEqual(ski.names[0], ["red", "Red"]);
  assert.deepEqual(
    ski.bands.slice(0, 2).map(({ widthPx, heightPx }) => [widthPx, heightPx]),
    [
      [30, 20],
      [15, 10],
    ],
  );
  assert.deepEqual(ski.bands[0]?.pixels, expected(20, 20, 30, 20));
  assert.deepEqual(ski.bands[1]?.pixels, expected(10, 10, 15, 10));
  // The rim of pixels reaches beyond the extent: their centres do not.
  assert.ok(ski.bands[2]?.pixels.every((bit) => bit === 1));
  assert.deepEqual(inMetres(answer.json.extent), [1_000, 18_000, 2_500, 19_000]);
  const { meta } = answer.json;
  assert.equal(meta.sceneId, whole.sceneId);
  assert.ok(meta.areaKm2 > 390 && /UTC[+]01:00$/.test(meta.localDatetime));
  assert.deepEqual(meta.bands[0].names, ["Red", "red"]);
  assert.deepEqual([meta.bands[0].crsOriginX, meta.bands[0].crsOriginY], [WEST_M + 1_000, NORTH_M - 1_000]);
  assert.equal(ski.meta["sceneId"], whole.sceneId);
  const png = await bench.get(answer.json.urls.png);
  const picture = await sharp(png.bytes).metadata();
  assert.deepEqual([png.headers.get("content-type"), picture.width, picture.height], ["image/png", 30, 20]);
  const tiff = await bench.get(answer.json.urls.geotiff);
  assert.equal(tiff.headers.get("content-type"), "image/tiff");
  assert.deepEqual([...tiff.bytes.subarray(0, 4)], [0x49, 0x49, 42, 0]);
  assert.equal(answer.json.urls.ski, answer.json.url);
});

test("a resolution rescales pixels and metadata", async () => {
  const answer = await bench.run(
    { sceneId: whole.sceneId, extent: metres(1_010, 18_010, 1_990, 18_990), resolution: 100 },
    token,
  );
  const ski = await skiOf(answer);
  assert.deepEqual([ski.bands[0]?.widthPx, ski.bands[0]?.heightPx], [10, 10]);
  const fine = expected(20, 20, 20, 20);
  const mean = Math.round(((fine[0] ?? 0) + (fine[1] ?? 0) + (fine[20] ?? 0) + (fine[21] ?? 0)) / 4);
  assert.equal(ski.bands[0]?.pixels[0], mean);
  assert.deepEqual(ski.bands[1]?.pixels, expected(10, 10, 10, 10));
  assert.equal(answer.json.meta.bands[0].pixelSizeX, 100);
  assert.ok(Math.abs(answer.json.meta.bands[0].approximateResolutionX - 100) < 1);
});

test("without an extent the image is the whole scene", async () => {
  const answer = await bench.run({ sceneId: whole.sceneId, onlyIngested: true }, token);
  const ski = await skiOf(answer);
  assert.deepEqual([ski.bands[0]?.widthPx, ski.bands[1]?.widthPx], [400, 200]);
});

test("what cannot be exported is refused when it is asked for", async () => {
  refused(await initiate({ sceneId: sceneId("ee", "COPERNICUS/S2_SR_HARMONIZED", "none") }), 404, "NON-EXISTING-SCENE");
  refused(await initiate({ sceneId: "nonsense" }), 404, "NON-EXISTING-SCENE");
  refused(
    await initiate({ sceneId: whole.sceneId, extent: metres(30_000, 0, 31_000, 1_000) }),
    400,
    "EXTENT-HAS-NO-INTERSECTION",
  );
  refused(
    await initiate({ sceneId: huge.sceneId, extent: metres(0, 0, 1_000, 1_000) }),
    400,
    "IMAGE-TOO-LARGE",
    /20\d\d x 20\d\d = 4[.]\d\d megapixels/,
  );
  refused(
    await initiate({ sceneId: whole.sceneId, resolution: 5 }),
    400,
    "IMAGE-TOO-LARGE",
    /rescaled to 5 m has 40\d\d x 40\d\d/,
  );
  refused(await initiate({ sceneId: whole.sceneId, resolution: 0 }), 422, "VALIDATION-ERROR");
  refused(await initiate({ sceneId: whole.sceneId, tiles: [[0, 0]] }), 422, "VALIDATION-ERROR", /store tiles/);
  refused(await initiate({ sceneId: whole.sceneId, exportRaster: "geotiff" }), 422, "VALIDATION-ERROR");
  refused(
    await initiate({ sceneId: tiled.sceneId, exportRaster: "geotiff", resolution: 9 }),
    422,
    "VALIDATION-ERROR",
    /resolution/,
  );
  refused(await initiate({ sceneId: huge.sceneId, onlyIngested: true }), 404, "DATA-NOT-AVAILABLE", /not in the store/);
  refused(
    await initiate({ sceneId: sceneId("ee", "COPERNICUS/S2_SR_HARMONIZED", "none"), onlyIngested: true }),
    404,
    "NON-EXISTING-SCENE",
  );
});

test("rights are those of the dataset, of the store for onlyIngested, and of images to retrieve", async () => {
  const { token: s2 } = await bench.addUser("s2@example.com", ["imagery.images.ee.COPERNICUS/S2_SR_HARMONIZED"]);
  const extent = metres(0, 0, 500, 500);
  const initiated = await bench.post("/imagery/get-image/initiate", { sceneId: whole.sceneId, extent }, s2);
  assert.equal(initiated.status, 200);
  refused(
    await bench.post("/imagery/get-image/initiate", { sceneId: whole.sceneId, extent, onlyIngested: true }, s2),
    401,
    "NOT-AUTHORIZED",
    /store[.]ingested/,
  );
  refused(
    await bench.post("/imagery/get-image/initiate", { sceneId: tiled.sceneId, extent }, s2),
    401,
    "NOT-AUTHORIZED",
  );
  const { pipelineId } = initiated.json;
  refused(
    await bench.post("/imagery/get-image/retrieve", { pipelineId }, s2),
    401,
    "NOT-AUTHORIZED",
    /imagery[.]images/,
  );
});

test("of a tiled dataset only the tiles of the extent are fetched, and exportRaster answers whole tiles", async () => {
  const extent = metres(6_000, 6_000, 6_500, 6_400);
  const part = await bench.run({ sceneId: tiled.sceneId, extent }, token);
  const ski = await skiOf(part);
  assert.deepEqual([ski.bands[0]?.widthPx, ski.bands[0]?.heightPx], [10, 8]);
  assert.deepEqual(ski.bands[0]?.pixels, expected(120, 272, 10, 8));
  const opened = source.opened.length;
  const raster = await bench.run(
    { sceneId: tiled.sceneId, extent, exportRaster: "geotiff", onlyIngested: true },
    token,
  );
  assert.equal(source.opened.length, opened);
  // Tiles are squares of 5 km from the origin of the zone, which the scenes begin at a multiple of.
  assert.deepEqual(inMetres(raster.json.extent), [5_000, 5_000, 10_000, 10_000]);
  const tiles = await skiOf(raster);
  assert.deepEqual([tiles.bands[0]?.widthPx, tiles.bands[0]?.heightPx], [100, 100]);
  assert.deepEqual(tiles.bands[0]?.pixels, expected(100, 200, 100, 100));
  const [tile] = storeTilesOf(extent, storeTileGrid(epsgOfUtmZone({ zone: 33, south: false })));
  const named = await bench.run(
    { sceneId: tiled.sceneId, tiles: [tile], exportRaster: "x", onlyIngested: true },
    token,
  );
  assert.deepEqual(inMetres(named.json.extent), [5_000, 5_000, 10_000, 10_000]);
  refused(
    await bench.run(
      { sceneId: tiled.sceneId, extent: metres(12_000, 6_000, 12_500, 6_400), onlyIngested: true },
      token,
    ),
    404,
    "DATA-NOT-AVAILABLE",
  );
});

test("of a clipped dataset the answer is the child that was cut for the extent", async () => {
  const extent = metres(2_000, 2_000, 3_000, 2_500);
  const answer = await bench.run({ sceneId: clipped.sceneId, extent }, token);
  const ski = await skiOf(answer);
  const childId: string = answer.json.meta.sceneId;
  assert.notEqual(childId, clipped.sceneId);
  assert.equal(parentSceneId(childId), clipped.sceneId);
  assert.deepEqual([ski.bands[0]?.widthPx, ski.bands[0]?.heightPx], [20, 10]);
  const opened = source.opened.length;
  const again = await bench.run({ sceneId: childId, onlyIngested: true }, token);
  assert.equal(again.status, 200);
  assert.equal(source.opened.length, opened);
});

test("an area that has a price must be allocated, and pixels beside it are left out", async () => {
  await setPrice(bench.inner.db, "PSScene", 1_000_000n);
  const { token: bob, caller } = await bench.addUser("bob@example.com", ["imagery", "credits"]);
  // A triangle: half of its rectangle.
  const square = metres(4_000, 4_000, 5_000, 5_000).coordinates[0]?.[0] ?? [];
  const extent: MultiPolygon = {
    type: "MultiPolygon",
    coordinates: [[[square[0]!, square[1]!, square[2]!, square[0]!]]],
  };
  refused(await bench.run({ sceneId: priced.sceneId, extent }, bob), 402, "CREDITS-ERROR", /not allocated/);
  await bench.inner.db
    .transaction()
    .execute(async (trx) => bench.credits.grant(trx, caller.groupId, 1_000_000_000n, "test"));
  await bench.credits.allocateArea(caller, { sceneIds: [priced.sceneId], geojson: extent });
  const ski = await skiOf(await bench.run({ sceneId: priced.sceneId, extent }, bob));
  const band = ski.bands[0]!;
  const full = expected(80, 300, 20, 20);
  assert.deepEqual([band.widthPx, band.heightPx], [20, 20]);
  // The triangle is the part below the diagonal from the south-west: columns at or beyond the row from the bottom.
  const kept = band.pixels.filter((value) => value !== 0).length;
  assert.ok(kept >= 190 && kept <= 210, String(kept));
  for (const [i, value] of band.pixels.entries()) assert.ok(value === 0 || value === full[i]);
  assert.equal(band.pixels[0], 0);
  assert.equal(band.pixels[399], full[399]);
  await bench.credits.allocateArea(caller, { sceneIds: [priced.sceneId], geojson: metres(3_900, 3_900, 5_100, 5_100) });
  assert.deepEqual((await skiOf(await bench.run({ sceneId: priced.sceneId, extent }, bob))).bands[0]?.pixels, full);
});

test("files are read by their signed address for a day, then they are gone", async () => {
  const answer = await bench.run({ sceneId: whole.sceneId, extent: metres(0, 0, 1_000, 1_000) }, token);
  const url: string = answer.json.url;
  assert.equal(answer.json.expires, "2026-06-02 00:00:00");
  const file = await bench.get(url);
  assert.equal(file.headers.get("content-disposition"), `attachment; filename="${whole.sceneId}.ski"`);
  const etag = file.headers.get("etag") ?? "";
  assert.equal((await bench.get(url, { headers: { "if-none-match": etag } })).status, 304);
  const head = await bench.get(url, { method: "HEAD" });
  assert.deepEqual(
    [head.status, head.headers.get("content-length"), head.bytes.length],
    [200, String(file.bytes.length), 0],
  );
  refused(await bench.get(url.replace("image.ski", "image.tif")), 401, "NOT-AUTHORIZED");
  refused(await bench.get(url.replace(/expires=\d+/, "expires=9999999999")), 401, "NOT-AUTHORIZED");
  assert.equal((await bench.get(url.replace("image.ski", "other.ski"))).status, 404);
  assert.equal(await bench.exporting.sweep(), 0);

  nowMs += 25 * HOUR_MS;
  refused(await bench.get(url), 401, "NOT-AUTHORIZED", /expired/);
  assert.ok((await bench.exporting.sweep()) > 0);
  const left: string[] = [];
  for await (const { key } of bench.inner.blobs.list("exports/")) left.push(key);
  assert.deepEqual(left, []);
  nowMs -= 25 * HOUR_MS;
  refused(await bench.get(url), 404, "DATA-NOT-AVAILABLE");
});

test("an export whose thread fails is a failed pipeline and leaves nothing that is never swept", async () => {
  await using failing = await exportBench({
    sources: boundTo(testSource([whole])),
    clock: { now: () => new Date(nowMs) },
    makeImage: () => Promise.reject(new ServiceError("SCENE-UNREADABLE", "a block is damaged")),
  });
  const { token: carol } = await failing.addUser("carol@example.com", ["imagery"]);
  const extent = metres(0, 0, 1_000, 1_000);
  refused(await failing.run({ sceneId: whole.sceneId, extent }, carol), 424, "SCENE-UNREADABLE", /damaged/);
  nowMs += 8 * 24 * HOUR_MS;
  assert.equal(await failing.exporting.sweep(), 1);
  nowMs -= 8 * 24 * HOUR_MS;
});

test("the area of the scenes is what the tests take it for", () => {
  assert.ok(Math.abs(areaKm2(whole.footprint) - 400) < 1);
});
