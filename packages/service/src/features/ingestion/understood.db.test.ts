import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { writeGeoTiff } from "@swath/simulator/write-geotiff";
import { ALICE, contextOf, ingestionBench, type IngestionBench } from "./testing.ts";

let bench: IngestionBench;
before(async () => {
  bench = await ingestionBench();
});
after(() => bench[Symbol.asyncDispose]());

/** 40 x 40 pixels of 10 m in UTM zone 32N, unlike those of any other seed. */
function geotiff(seed: number, bandNames: readonly string[]): Uint8Array {
  const place = { epsg: 32_632, originX: 600_000, originY: 5_600_000, resolutionM: 10 };
  const chunks = writeGeoTiff({ widthPx: 40, heightPx: 40, ...place, bandNames }, (row, bands) => {
    for (const band of bands) for (let x = 0; x < band.length; x++) band[x] = 100 + ((x * 3 + row * 5 + seed) % 4000);
  });
  return new Uint8Array(Buffer.concat(chunks));
}

async function ingest(filepath: string, more: { metadata?: Record<string, unknown>; requireDatetime?: boolean } = {}) {
  const request = { provider: "local", filepath, ...more };
  const { ingestedScenes } = await bench.ingestion.ingestAndWait(request, contextOf(ALICE));
  return ingestedScenes[0] ?? assert.fail("no scene");
}

test("an ingest says place, time and its source, CRS, bands and sensor", async () => {
  const bytes = geotiff(1, ["B04", "B08"]);
  const { understood, warnings } = await ingest(await bench.upload(bytes, "s2a_20240630t101500"));
  assert.ok(understood !== undefined);
  const { bounds, areaKm2, ...rest } = understood;
  assert.deepEqual(rest, {
    satellite: "SENTINEL-2A",
    sensor: "sentinel-2",
    datetime: "2024-06-30 10:15:00",
    datetimeSource: "file-name",
    crsEpsg: 32_632,
    bands: [
      { names: ["Red", "red", "r", "B04"], role: "R" },
      { names: ["NIR", "near-ir", "B08"], role: "N" },
    ],
  });
  // 400 m at 10.4 E, 50.5 N: a degree of longitude has 70.9 km, one of latitude 111.2 km.
  const [west = 0, south = 0, east = 0, north = 0] = bounds;
  assert.ok(Math.abs(west - 10.41) < 0.01 && Math.abs(north - 50.54) < 0.01, bounds.join());
  assert.ok(Math.abs((east - west) * 70.9 - 0.4) < 0.02 && Math.abs((north - south) * 111.2 - 0.4) < 0.02);
  assert.ok(Math.abs(areaKm2 - 0.16) < 0.001);
  assert.equal(warnings, undefined);
});

test("a file without time, satellite and names of bands is accepted with warnings, and its time marked unknown", async () => {
  const scene = await ingest(await bench.upload(geotiff(2, ["", ""]), "plain"));
  assert.equal(scene.understood?.datetimeSource, "unknown");
  assert.deepEqual(
    scene.warnings?.map(({ code }) => code),
    ["ACQUISITION-TIME-UNKNOWN", "BANDS-UNKNOWN", "SATELLITE-UNKNOWN"],
  );
  assert.match(scene.warnings?.[0]?.message ?? "", /metadata\.datetime/);
  assert.match(scene.warnings?.[1]?.message ?? "", /2 of 2 bands \(Band 1; Band 2\)/);
  assert.equal((await bench.imagery.sceneInfo({ sceneId: scene.sceneId })).datetimeSource, "unknown");
  const again = await ingest(await bench.upload(geotiff(2, ["", ""]), "plain"));
  assert.equal(again.duplicate, true);
  assert.equal(again.warnings?.[0]?.code, "ACQUISITION-TIME-UNKNOWN", "the duplicate warns as well");
});

test("with requireDatetime a file without time is refused, and the same upload accepted once its time is given", async () => {
  const filepath = await bench.upload(geotiff(3, ["Red"]), "untimed");
  await assert.rejects(ingest(filepath, { requireDatetime: true }), (error: unknown) => {
    assert.ok(error instanceof ServiceError);
    assert.equal(error.code, "ACQUISITION-TIME-UNKNOWN");
    return true;
  });
  const scene = await ingest(filepath, { requireDatetime: true, metadata: { datetime: "2024-06-30" } });
  assert.deepEqual([scene.understood?.datetime, scene.understood?.datetimeSource], ["2024-06-30 00:00:00", "document"]);
});

test("members of the metadata that nothing reads are named, with the member that was meant", async () => {
  const metadata = {
    datetime: "2024-06-30",
    satellite: "TESTSAT-1",
    cloud_cover: 0.1,
    sensor: "sentinel2x",
    bands: [{ names: ["Red"], rol: "R" }],
  };
  const scene = await ingest(await bench.upload(geotiff(4, [""]), "misspelt"), { metadata });
  const warning = scene.warnings?.find(({ code }) => code === "METADATA-NOT-READ");
  assert.match(warning?.message ?? "", /cloud_cover \(cloudCover\?\)/);
  assert.match(warning?.message ?? "", /bands\[0\]\.rol \(role\?\)/);
  assert.match(warning?.message ?? "", /sensor "sentinel2x" \(sentinel-2\?\)/);
});

test("a misspelt band is named with the band that was meant", async () => {
  const metadata = { datetime: "2024-06-30", satellite: "S2A", sensor: "sentinel-2", bands: ["B04", "B88"] };
  const ofSensor = await ingest(await bench.upload(geotiff(5, ["", ""]), "sensor"), { metadata });
  assert.match(ofSensor.warnings?.[0]?.message ?? "", /1 of 2 bands \(B88, did you mean B08\?\)/);
  const plain = { datetime: "2024-06-30", satellite: "S2A", bands: ["red", "gren"] };
  const ofWords = await ingest(await bench.upload(geotiff(6, ["", ""]), "words"), { metadata: plain });
  assert.match(ofWords.warnings?.[0]?.message ?? "", /gren, did you mean green\?/);
});
