import assert from "node:assert/strict";
import { recordedEvents } from "../../platform/events/testing.ts";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import { sql } from "kysely";
import yazl from "yazl";
import { statusOf } from "../../error-status.ts";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { zipOfSharedEntry } from "@swath/raster/archive/zip-bombs-testing";
import { UploadProcesses } from "@swath/raster/store/upload-processes";
import { writeGeoTiff } from "@swath/simulator/write-geotiff";
import type { UploadReader } from "./ingest-pipeline.ts";
import { ALICE, contextOf, ingestionBench } from "./testing.ts";
import type { IngestionBench } from "./testing.ts";

let bench: IngestionBench;
const processes = new UploadProcesses();
const readUpload: UploadReader = (job, signal, onProgress) => processes.read(job, signal, onProgress);
/** What the reading process is wrapped in for one test. */
let hook: ((read: UploadReader) => UploadReader) | null = null;

before(async () => {
  bench = await ingestionBench({
    readUpload: (job, signal, onProgress) => (hook === null ? readUpload : hook(readUpload))(job, signal, onProgress),
  });
});
after(async () => {
  await bench[Symbol.asyncDispose]();
  await processes[Symbol.asyncDispose]();
});

/** A GeoTIFF of 300 x 200 pixels of 10 m in UTM zone 32N, unlike that of any other seed. */
function geotiff(seed: number, bandNames: readonly string[] = ["Blue", "Green", "Red", "NIR"]): Uint8Array {
  const options = {
    widthPx: 300,
    heightPx: 200,
    resolutionM: 10,
    epsg: 32_632,
    originX: 600_000,
    originY: 5_600_000,
    bandNames,
  };
  const chunks = writeGeoTiff(options, (row, bands) => {
    bands.forEach((band, index) => {
      for (let x = 0; x < band.length; x++) band[x] = 100 + ((x * 3 + row * 5 + index * 7 + seed * 11) % 4000);
    });
  });
  return new Uint8Array(Buffer.concat(chunks));
}

async function ingest(filepath: string, metadata?: Record<string, unknown>) {
  const request = { provider: "local", filepath, ...(metadata === undefined ? {} : { metadata }) };
  return (await bench.ingestion.ingestAndWait(request, contextOf(ALICE))).ingestedScenes;
}

const refused = (code: string) => (error: unknown) => {
  assert.ok(error instanceof ServiceError, String(error));
  assert.equal(error.code, code, error.message);
  const status = statusOf(error);
  assert.ok(status >= 400 && status < 500, String(status));
  return true;
};

/** Blobs and temporary files, once bytes that are no longer needed are gone. */
async function leftovers(): Promise<readonly string[]> {
  await bench.ingestion.sweep();
  return bench.leftovers();
}

async function zip(files: Readonly<Record<string, Uint8Array>>): Promise<Uint8Array> {
  const file = new yazl.ZipFile();
  for (const [name, bytes] of Object.entries(files)) file.addBuffer(Buffer.from(bytes), name);
  file.end();
  const chunks: Buffer[] = [];
  for await (const chunk of file.outputStream) chunks.push(Buffer.from(chunk));
  return new Uint8Array(Buffer.concat(chunks));
}

test("a GeoTIFF becomes a scene with outline, areas, statistics and files; the same bytes again a duplicate", async () => {
  const bytes = geotiff(1);
  const filepath = await bench.upload(bytes, "harbour_20240630");
  const [first] = await ingest(filepath, {
    datetime: "2024-06-30T10:15:00Z",
    satellite: "TESTSAT-1",
    cloudCover: 0.25,
  });
  assert.equal(first?.duplicate, false);
  const stored = await bench.imagery.stored(first.sceneId);
  assert.ok(stored !== null);
  const { scene, raster } = stored;
  assert.deepEqual(
    [scene.provider, scene.dataset, scene.satellite, scene.datetime, scene.cloudCover, scene.crsEpsg],
    ["local", "uploads", "TESTSAT-1", "2024-06-30 10:15:00", 0.25, 32_632],
  );
  // 10.4 E is nearest to the zone of 15 degrees.
  assert.equal(scene.localDatetime, "2024-06-30 11:15:00 UTC+01:00");
  // 3 km x 2 km; 100 km east of the central meridian the scale of UTM is 0.99972.
  assert.ok(Math.abs(scene.areaKm2 - 6 / 0.999_72 ** 2) < 0.002, String(scene.areaKm2));
  assert.equal(scene.footprint.coordinates[0]?.[0]?.length, 5);
  const [band] = scene.bands;
  assert.deepEqual(
    [band?.names[0], band?.bitDepth, band?.pixelSizeX, band?.pixelSizeY, band?.crsOriginX, band?.crsOriginY],
    ["Blue", 16, 10, -10, 600_000, 5_600_000],
  );
  assert.deepEqual([band?.approximateResolutionX, band?.approximateResolutionY], [10, 10]);
  assert.deepEqual(
    raster.bands.map(({ role }) => role),
    ["B", "G", "R", "N"],
  );
  assert.equal(raster.bands[0]?.statistics.validPixels, 60_000);
  for (const { key } of raster.bands) assert.ok((await bench.blobs.head(key)) !== null, key);

  const again = await bench.upload(bytes, "another_name");
  const { sceneId, understood } = first;
  assert.deepEqual(await ingest(again), [{ duplicate: true, sceneId, understood }]);
  assert.deepEqual(await ingest(filepath), [{ duplicate: true, sceneId, understood }]);
  assert.deepEqual(
    await leftovers(),
    raster.bands.map(({ key }) => key),
  );
  const ingested = await recordedEvents(bench.db, `scene:${sceneId}`);
  assert.deepEqual(
    ingested.map(({ type, data }) => [type, data]),
    [
      [
        "scene.ingested",
        { sceneId, provider: "local", dataset: "uploads", datetime: "2024-06-30 10:15:00", areaKm2: scene.areaKm2 },
      ],
    ],
  );
});

test("an archive of one file per band and scene.json becomes one scene", async () => {
  const scene = { datetime: "2023-01-02T03:04:05Z", satellite: "SENTINEL-2B", bands: ["B04", "B08"] };
  const bytes = await zip({
    "scene/b1.tif": geotiff(2, ["x"]),
    "scene/b2.tif": geotiff(3, ["y"]),
    "scene.json": new TextEncoder().encode(JSON.stringify(scene)),
  });
  const [one] = await ingest(await bench.upload(bytes, "archive", ".zip"));
  const stored = await bench.imagery.stored(one?.sceneId ?? "");
  assert.deepEqual([stored?.scene.datetime, stored?.scene.satellite], ["2023-01-02 03:04:05", "SENTINEL-2B"]);
  assert.deepEqual(
    stored?.raster.bands.map(({ role }) => role),
    ["R", "N"],
  );
});

test("the same bytes ingested four times at once give one scene and one set of files", async () => {
  const bytes = geotiff(4);
  const paths = await Promise.all([1, 2, 3, 4].map((n) => bench.upload(bytes, `copy_${n}`)));
  const results = (await Promise.all(paths.map((path) => ingest(path)))).flat();
  assert.equal(results.filter(({ duplicate }) => !duplicate).length, 1);
  assert.equal(new Set(results.map(({ sceneId }) => sceneId)).size, 1);
  const { raster } = (await bench.imagery.stored(results[0]?.sceneId ?? "")) ?? {};
  const files = (await leftovers()).filter((key) => key.includes(`scenes/${results[0]?.sceneId}/`));
  assert.deepEqual(
    files,
    raster?.bands.map(({ key }) => key),
  );
});

test("files that cannot be read, placed or shown are refused for a reason and leave nothing", async () => {
  const good = geotiff(5);
  const withoutCrs = good.slice();
  const view = new DataView(withoutCrs.buffer);
  const directory = view.getUint32(4, true);
  for (let i = 0; i < view.getUint16(directory, true); i++) {
    const entry = directory + 2 + i * 12;
    // The geokeys under a private tag that nobody reads.
    if (view.getUint16(entry, true) === 34_735) view.setUint16(entry, 34_738, true);
  }
  const bomb = await zip({ "bomb.tif": new Uint8Array(64 * 1024 * 1024) });
  const present = await leftovers();
  const cases: readonly (readonly [
    string,
    Uint8Array,
    ".geotiff" | ".zip",
    Record<string, unknown> | undefined,
    string,
  ])[] = [
    ["no_crs", withoutCrs, ".geotiff", undefined, "UNSUPPORTED-IMAGERY"],
    ["truncated", good.slice(0, good.length / 2), ".geotiff", undefined, "SCENE-UNREADABLE"],
    ["text", new TextEncoder().encode("no TIFF at all"), ".geotiff", undefined, "SCENE-UNREADABLE"],
    [
      "all_nodata",
      geotiff(6, ["Red"]).fill(0, 8, 8 + 300 * 200 * 2),
      ".geotiff",
      { bands: ["B04"], nodata: 0 },
      "SCENE-UNREADABLE",
    ],
    ["bad_document", geotiff(7), ".geotiff", { datetime: "yesterday" }, "BAD-REQUEST"],
    ["bomb", bomb, ".zip", undefined, "BAD-REQUEST"],
    // 64 KB that would be unpacked to 12.4 GB.
    ["shared_entry", zipOfSharedEntry(1000, Buffer.alloc(12_400_000)), ".zip", undefined, "BAD-REQUEST"],
    ["no_zip", good, ".zip", undefined, "BAD-REQUEST"],
  ];
  for (const [name, bytes, suffix, metadata, code] of cases) {
    const filepath = await bench.upload(bytes, name, suffix);
    await assert.rejects(ingest(filepath, metadata), refused(code), name);
    assert.deepEqual(await leftovers(), present, name);
    await assert.rejects(ingest(filepath, metadata), refused("NON-EXISTENT-UPLOAD"), name);
  }
});

test("a run that is cut off before its refusal is stored leaves the upload to the next, which refuses it alike", async () => {
  const filepath = await bench.upload(new TextEncoder().encode("no TIFF either"), "cut_off");
  for (const attempt of [1, 2]) {
    const run = bench.ingestion.run(
      { provider: "local", filepath },
      {
        pipelineId: "CutOff00000000000000",
        attempt,
        failures: 0,
        caller: ALICE,
        baseUrl: "",
        signal: new AbortController().signal,
        report: () => Promise.resolve(),
        savePartial: () => Promise.resolve(),
      },
    );
    await assert.rejects(run, refused("SCENE-UNREADABLE"), `attempt ${attempt}`);
  }
  await assert.rejects(ingest(filepath), refused("SCENE-UNREADABLE"));
  await assert.rejects(ingest(filepath), refused("NON-EXISTENT-UPLOAD"));
});

/** The file with the entry of one tag changed: its field type, or the values that it points to. */
function withTag(
  bytes: Uint8Array,
  tag: number,
  change: { readonly type?: number; readonly doubles?: readonly number[] },
) {
  const changed = bytes.slice();
  const view = new DataView(changed.buffer);
  const directory = view.getUint32(4, true);
  const entry = Array.from({ length: view.getUint16(directory, true) }, (_, i) => directory + 2 + i * 12).find(
    (at) => view.getUint16(at, true) === tag,
  );
  assert.ok(entry !== undefined);
  if (change.type !== undefined) view.setUint16(entry + 2, change.type, true);
  change.doubles?.forEach((value, i) => view.setFloat64(view.getUint32(entry + 8, true) + i * 8, value, true));
  return changed;
}

test("files with offsets or positions that are none fail at once, in their first run", async () => {
  const good = geotiff(10);
  const cases: readonly (readonly [string, Uint8Array, RegExp])[] = [
    // Pixels of 10 x 1e300 m: tracing their outline takes minutes.
    ["pixel_scale", withTag(good, 33_550, { doubles: [10, -1e300] }), /e\+30\d of WGS 84/],
    ["tie_point", withTag(good, 33_922, { doubles: [0, 0, 0, Number.NaN, 0] }), /expected finite numbers/],
    ["zero_scale", withTag(good, 33_550, { doubles: [0, 0] }), /pixels of 0 x 0/],
    ["signed_offsets", withTag(good, 273, { type: 9 }), /tag 273 of field type 9/],
    ["text_offsets", withTag(good, 273, { type: 2 }), /tag 273 of field type 2/],
    ["float_counts", withTag(good, 279, { type: 11 }), /tag 279 of field type 11/],
  ];
  for (const [name, bytes, message] of cases) {
    const filepath = await bench.upload(bytes, name);
    const startedMs = performance.now();
    await assert.rejects(ingest(filepath), (error: unknown) => {
      assert.ok(error instanceof ServiceError);
      assert.deepEqual([error.code, message.test(error.message)], ["SCENE-UNREADABLE", true], error.message);
      return true;
    });
    // A second on the machine of the bench; a retry alone would wait for one.
    assert.ok(performance.now() - startedMs < 4_000, `${name}: ${performance.now() - startedMs} ms`);
  }
  const { rows } = await sql<{ attempt: number }>`
    select attempt from pipelines order by created_at desc limit ${cases.length}`.execute(bench.db);
  assert.deepEqual(
    rows.map(({ attempt }) => attempt),
    cases.map(() => 1),
  );
});

test("a run after a crash removes what the one before left and the pipeline ends once", async () => {
  const bytes = geotiff(8);
  const contentHash = createHash("sha256").update(bytes).digest("hex");
  // The owner is part of the identifier, so that another group cannot meet the scene by its bytes.
  const hash = createHash("sha256").update(`group:${ALICE.groupId}\n${contentHash}`).digest("hex").slice(0, 32);
  let runs = 0;
  hook = (read) => async (job, signal, onProgress) => {
    runs++;
    if (runs > 1) return read(job, signal, onProgress);
    // What a killed process leaves behind: blobs of a run that nobody will use.
    const { rows } = await sql<{ id: string }>`select id from pipelines where status = 'PROCESSING'`.execute(bench.db);
    await bench.blobs.put(`scenes/local.uploads.${hash}/${rows[0]?.id}-0/b000.tif`, new Uint8Array(1));
    throw new Error("killed");
  };
  try {
    const [scene] = await ingest(await bench.upload(bytes, "crash"));
    assert.deepEqual([scene?.sceneId, scene?.duplicate, runs], [`local.uploads.${hash}`, false, 2]);
    const stored = await bench.imagery.stored(scene?.sceneId ?? "");
    const keys = stored?.raster.bands.map(({ key }) => key);
    assert.ok(keys?.every((key) => key.includes("-2/")));
    assert.deepEqual(
      (await leftovers()).filter((key) => key.includes(hash)),
      keys,
    );
  } finally {
    hook = null;
  }
});

test("when the wait is over the answer names the pipeline, and asking again finds its scene", async () => {
  await using impatient = await ingestionBench({ waitMs: 1 });
  const filepath = await impatient.upload(geotiff(9), "slow");
  const request = { provider: "local", filepath };
  let pipelineId = "";
  await assert.rejects(impatient.ingestion.ingestAndWait(request, contextOf(ALICE)), (error: unknown) => {
    assert.ok(error instanceof ServiceError);
    assert.deepEqual([error.code, error.retryAfterS], ["SERVICE-UNAVAILABLE", 5]);
    pipelineId = /pipeline ([0-9A-Za-z]{20})/.exec(error.message)?.[1] ?? "";
    return pipelineId !== "";
  });
  await impatient.pipelines.waitFor(pipelineId, new AbortController().signal, 60_000);
  const { rows } = await sql<{ scene_id: string | null }>`select scene_id from uploads`.execute(impatient.db);
  const sceneId = rows[0]?.scene_id ?? null;
  assert.ok(sceneId !== null && (await impatient.imagery.stored(sceneId)) !== null);
});
