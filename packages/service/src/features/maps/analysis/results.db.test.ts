import assert from "node:assert/strict";
import { test } from "node:test";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import { intersection } from "@swath/kernel/geometry/clip";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { StoredBand } from "@swath/kernel/scenes/stored-raster";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { sql } from "kysely";
import { createMapTypes } from "@swath/maps/registry";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import { systemClock } from "@swath/base/clock";
import { testDatabase } from "../../../platform/postgres/testing.ts";
import { openStoredRaster } from "@swath/raster/store/stored-raster";
import { rainScene } from "./rain-scene-testing.ts";
import type { ResultRequest } from "./result-plan.ts";
import { testResults } from "./testing.ts";

const mapTypes = createMapTypes([]);

const precipitation = mapTypes.find("precipitation")!;
const never = new AbortController().signal;

function box(west: number, south: number, east: number, north: number): MultiPolygon {
  return { type: "MultiPolygon", coordinates: [boundsPolygon([west, south, east, north]).coordinates] };
}

function requestOf(scene: StoredScene, area: MultiPolygon): ResultRequest {
  return {
    mapType: precipitation,
    analysis: precipitation.analysis!,
    scenes: [scene],
    inside: intersection(area, scene.scene.footprint),
  };
}

async function pixels(blobs: BlobStore, band: StoredBand): Promise<Float32Array> {
  await using raster = await openStoredRaster(blobs, [band]);
  const [plane] = await raster.readRows(0, raster.heightPx, never);
  assert.ok(plane instanceof Float32Array);
  return plane;
}

test("a result holds what the algorithm makes of every pixel, on whole blocks of the scene's own grid", async () => {
  await using database = await testDatabase();
  await using bench = await testResults(database.db, systemClock);
  const scene = await rainScene(bench.blobs, { widthPx: 1300, heightPx: 700 });
  const outcome = await bench.results.ensure(requestOf(scene.stored, box(9.001, 49.59, 9.05, 49.64)), never);
  assert.equal(outcome.kind, "ready");
  if (outcome.kind !== "ready") return;
  const [band] = outcome.result.raster.bands;
  assert.deepEqual([band?.widthPx, band?.heightPx], [512, 700]);
  const computed = await pixels(bench.blobs, band!);
  for (let row = 0; row < 700; row += 7) {
    for (let column = 0; column < 512; column += 5) {
      const expected = scene.valueAt(column, row);
      const got = computed[row * 512 + column]!;
      assert.ok(Object.is(got, expected) || got === expected, `${column}, ${row}: ${got}, expected ${expected}`);
    }
  }
});

test("equal requests at the same time are computed once, and an area beside gives the same pixels where both are", async () => {
  await using database = await testDatabase();
  await using bench = await testResults(database.db, systemClock);
  const { stored } = await rainScene(bench.blobs, { widthPx: 1300, heightPx: 700 });
  const small = box(9.001, 49.59, 9.05, 49.64);
  const outcomes = await Promise.all([1, 2, 3, 4].map(() => bench.results.ensure(requestOf(stored, small), never)));
  const ids = outcomes.map((outcome) => (outcome.kind === "ready" ? outcome.result.raster.bands[0]?.key : null));
  assert.equal(new Set(ids).size, 1);
  const wide = await bench.results.ensure(requestOf(stored, box(9.001, 49.59, 9.15, 49.64)), never);
  assert.ok(wide.kind === "ready" && outcomes[0]?.kind === "ready");
  const [a, b] = [outcomes[0].result.raster.bands[0]!, wide.result.raster.bands[0]!];
  const [first, second] = [await pixels(bench.blobs, a), await pixels(bench.blobs, b)];
  for (let row = 0; row < 700; row++) {
    assert.deepEqual(
      second.subarray(row * b.widthPx, row * b.widthPx + 512),
      first.subarray(row * 512, (row + 1) * 512),
    );
  }
});

test("work that was given up is done again by the next who asks", async () => {
  await using database = await testDatabase();
  await using bench = await testResults(database.db, systemClock);
  const { stored } = await rainScene(bench.blobs, { widthPx: 600, heightPx: 600 });
  const request = requestOf(stored, box(9.001, 49.59, 9.05, 49.64));
  const stop = new AbortController();
  const abandoned = bench.results.ensure(request, stop.signal);
  stop.abort(new Error("enough"));
  await assert.rejects(abandoned, /enough/);
  assert.equal((await bench.results.ensure(request, never)).kind, "ready");
});

async function resultKeys(blobs: BlobStore): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of blobs.list("results/")) keys.push(key);
  return keys;
}

test("what a killed process has written of a result is removed by whoever takes it over", async () => {
  await using database = await testDatabase();
  await using bench = await testResults(database.db, systemClock);
  const { stored } = await rainScene(bench.blobs, { widthPx: 600, heightPx: 600 });
  const request = requestOf(stored, box(9.001, 49.59, 9.05, 49.64));
  const outcome = await bench.results.ensure(request, never);
  assert.ok(outcome.kind === "ready");
  const { resultId } = outcome.result;
  const before = await resultKeys(bench.blobs);
  // As a kill between two layers leaves it.
  await sql`update map_results set finished_at = null, raster = null, metadata = null, objects_key = null,
    lease_until = now() - interval '1 second' where result_id = ${resultId}`.execute(database.db);
  const half = `results/${resultId}/dead-owner/part0-layer0.tif`;
  await bench.blobs.put(half, new Uint8Array(10));
  const again = await bench.results.ensure(request, never);
  assert.ok(again.kind === "ready");
  const after = await resultKeys(bench.blobs);
  assert.equal(after.length, before.length, after.join());
  assert.ok(after.every((key) => key !== half && !before.includes(key)));
});

test("results begun by a dead process that nobody asks for any more are removed by the next analysis", async () => {
  await using database = await testDatabase();
  await using bench = await testResults(database.db, systemClock);
  const { stored } = await rainScene(bench.blobs, { widthPx: 1300, heightPx: 600 });
  const beginning = sql`insert into map_results
    (result_id, map_type, algo_version, scene_ids, parameters, owner, lease_until, created_at) values
    ('old', 'precipitation', 1, '{}', '{}', 'dead', now() - interval '2 hours', now() - interval '3 hours'),
    ('fresh', 'precipitation', 1, '{}', '{}', 'alive', now() + interval '10 seconds', now())`;
  await beginning.execute(database.db);
  await bench.blobs.put("results/old/dead/layer0.tif", new Uint8Array(10));
  await bench.blobs.put("results/fresh/alive/layer0.tif", new Uint8Array(10));
  await bench.results.ensure(requestOf(stored, box(9.001, 49.59, 9.05, 49.64)), never);
  const keys = await resultKeys(bench.blobs);
  assert.ok(!keys.includes("results/old/dead/layer0.tif"), keys.join());
  assert.ok(keys.includes("results/fresh/alive/layer0.tif"), keys.join());
  const { rows } = await sql<{ id: string }>`
    select result_id as id from map_results where finished_at is null`.execute(database.db);
  assert.deepEqual(rows, [{ id: "fresh" }]);
});

test("an analysis that fails or is cancelled while it is being written leaves no blob", async () => {
  await using database = await testDatabase();
  await using bench = await testResults(database.db, systemClock);
  const { stored } = await rainScene(bench.blobs, { widthPx: 600, heightPx: 600 });
  const stop = new AbortController();
  const writes: string[] = [];
  const failing: BlobStore = {
    ...bench.blobs,
    async put(key, body, options) {
      writes.push(key);
      if (key.endsWith("objects.json")) stop.abort(new Error("cancelled"));
      options?.signal?.throwIfAborted();
      return await bench.blobs.put(key, body, options);
    },
  };
  await using stopped = await testResults(database.db, systemClock, failing);
  await assert.rejects(
    stopped.results.ensure(requestOf(stored, box(9.001, 49.59, 9.05, 49.64)), stop.signal),
    /cancelled/,
  );
  assert.ok(
    writes.some((key) => key.endsWith("objects.json")),
    writes.join(),
  );
  assert.deepEqual(await resultKeys(bench.blobs), []);
});

test("scenes without the bands and areas beside the scene are refused with the reason", async () => {
  await using database = await testDatabase();
  await using bench = await testResults(database.db, systemClock);
  const { stored } = await rainScene(bench.blobs, { widthPx: 600, heightPx: 600 });
  const bandless: StoredScene = {
    ...stored,
    scene: { ...stored.scene, bands: stored.scene.bands.map((band) => ({ ...band, names: ["other"] })) },
  };
  const refused = await bench.results.ensure(requestOf(bandless, box(9.001, 49.59, 9.05, 49.64)), never);
  assert.equal(refused.kind === "refused" && refused.errorCode, "UNSUPPORTED-IMAGERY");
  const beside = await bench.results.ensure(requestOf(stored, box(30, 10, 31, 11)), never);
  assert.equal(beside.kind === "refused" && beside.errorCode, "ZERO-TILES-AVAILABLE");
});
