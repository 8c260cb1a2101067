import assert from "node:assert/strict";
import { test } from "node:test";
import { areaKm2 } from "@swath/kernel/geometry/area";
import { intersection } from "@swath/kernel/geometry/clip";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { parentSceneId, parseSceneId } from "@swath/kernel/scenes/scene-id";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { storeTileGrid, storeTilePolygon, storeTilesOf, type StoreTile } from "@swath/kernel/tiles/store-tile";
import { sql } from "kysely";
import type { ErrorCode } from "@swath/kernel/errors/error-code";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import type { Caller, PipelineProgress } from "../../platform/context.ts";
import { openStoredRaster } from "@swath/raster/store/stored-raster";
import { ALICE, contextOf, ingestionBench, MALLORY, type IngestionBench } from "./testing.ts";
import {
  boundTo,
  metres,
  sourceScene,
  testSource,
  valueAt,
  WEST_M,
  NORTH_M,
  type TestSource,
} from "./source-testing.ts";

const whole = sourceScene("whole", "ee", "COPERNICUS/S2_SR_HARMONIZED");
const tiled = sourceScene("tiled", "pl", "PSScene_tile");
const clipped = sourceScene("clipped", "optical-archive", "ard_clipped");
const ANYTHING: Caller = { ...ALICE, permissions: new Set(["imagery.images"]) };
const NOTHING_ELSE = { extent: null, tiles: null };
const SIX = [
  "Preparing analysis",
  "Ordering data from provider",
  "Waiting for provider data to become available",
  "Downloading data from provider",
  "Analyzing",
  "Finalizing analysis",
];

interface Bench extends AsyncDisposable {
  readonly bench: IngestionBench;
  readonly source: TestSource;
  readonly told: PipelineProgress[];
  ensure(
    scene: { readonly sceneId: string },
    part?: { readonly extent?: MultiPolygon; readonly tiles?: readonly StoreTile[] },
    options?: { readonly caller?: Caller; readonly signal?: AbortSignal },
  ): Promise<StoredScene>;
}

async function open(): Promise<Bench> {
  const source = testSource([whole, tiled, clipped]);
  const bench = await ingestionBench({ sources: boundTo(source) });
  const told: PipelineProgress[] = [];
  return {
    bench,
    source,
    told,
    ensure: (scene, part = {}, options = {}) =>
      bench.ingestion.ensureStored(
        { sceneId: scene.sceneId, ...NOTHING_ELSE, ...part },
        {
          caller: options.caller ?? ANYTHING,
          signal: options.signal ?? new AbortController().signal,
          report: async (progress) => {
            told.push(progress);
          },
        },
      ),
    [Symbol.asyncDispose]: async () => bench[Symbol.asyncDispose](),
  };
}

function failing(code: ErrorCode): (error: unknown) => boolean {
  return (error) => error instanceof ServiceError && error.code === code;
}

/** Pixels of a band as the store has them, by column and row of the scene. */
async function pixelsOf(
  blobs: BlobStore,
  stored: StoredScene,
  band = 0,
): Promise<(column: number, row: number) => number> {
  const one = stored.raster.bands[band];
  assert.ok(one !== undefined);
  await using raster = await openStoredRaster(blobs, [one]);
  const [pixels] = await raster.readRows(0, raster.heightPx, new AbortController().signal);
  const { widthPx, heightPx } = raster;
  const [sizeM, , west, , , north] = one.geotransform;
  const [left, top] = [Math.round((west - WEST_M) / sizeM), Math.round((NORTH_M - north) / sizeM)];
  return (column, row) => {
    const [x, y] = [column - left, row - top];
    return x < 0 || y < 0 || x >= widthPx || y >= heightPx ? 0 : (pixels?.[y * widthPx + x] ?? 0);
  };
}

/** Column and row in the first band of a place in metres from the south-west corner. */
const at = (eastM: number, northM: number): [number, number] => [eastM / 50, 400 - 1 - northM / 50];

const deferred = (): PromiseWithResolvers<void> => Promise.withResolvers();

test("a scene is fetched once for all who ask at the same time, and all are told the six steps in order", async () => {
  await using b = await open();
  const gate = deferred();
  b.source.beforeOpen = async () => gate.promise;
  const reports = Array.from({ length: 8 }, (): PipelineProgress[] => []);
  const waiters = reports.map((told) =>
    b.bench.ingestion.ensureStored(
      { sceneId: whole.sceneId, ...NOTHING_ELSE },
      {
        caller: ANYTHING,
        signal: new AbortController().signal,
        report: async (progress) => {
          told.push(progress);
          if (told.length === 3) gate.resolve();
        },
      },
    ),
  );
  const scenes = await Promise.all(waiters);
  assert.equal(b.source.opened.length, 1);
  assert.deepEqual(b.source.opened, [null]);
  assert.equal(new Set(scenes.map(({ contentHash }) => contentHash)).size, 1);
  for (const told of reports) {
    assert.deepEqual(
      told.map(({ message }) => message),
      SIX,
    );
    assert.deepEqual(
      told.map(({ step, provider }) => [step, provider]),
      SIX.map((_, i) => [i + 1, "ee"]),
    );
  }
  const [stored] = scenes;
  assert.ok(stored !== undefined);
  assert.equal(stored.scene.sceneId, whole.sceneId);
  assert.equal(stored.scene.foreignId, "foreign whole");
  assert.equal(stored.scene.cloudCover, 0.25);
  assert.deepEqual(
    stored.scene.bands.map(({ names, gsd }) => [names[0], gsd]),
    [
      ["Red", 50],
      ["NIR", 100],
    ],
  );
  const value = await pixelsOf(b.bench.blobs, stored);
  assert.deepEqual(
    [value(0, 0), value(399, 399), value(17, 251)],
    [valueAt(0, 0), valueAt(399, 399), valueAt(17, 251)],
  );

  await b.ensure(whole);
  assert.equal(b.source.opened.length, 1);
  const rows = await sql`select from ingestion_waiters`.execute(b.bench.db);
  assert.equal(rows.rows.length, 0);
});

test("a run after a crash reads only what was not finished", async () => {
  await using b = await open();
  let crashes = 0;
  b.source.beforeRead = async (raster) => {
    if (raster === 1 && crashes === 0) {
      crashes += 1;
      throw new Error("the machine went away");
    }
  };
  const stored = await b.ensure(whole);
  assert.equal(crashes, 1);
  assert.equal(b.source.opened.length, 2);
  assert.equal(b.source.reads[0], 1, "the first band was finished before the crash");
  assert.deepEqual(
    stored.raster.bands.map(({ role }) => role),
    ["R", "N"],
  );
  const value = await pixelsOf(b.bench.blobs, stored, 1);
  assert.equal(value(3, 5), valueAt(3, 5));
  const keys = (await b.bench.leftovers()).filter((key) => key.startsWith("scenes/"));
  assert.deepEqual(keys, stored.raster.bands.map(({ key }) => key).toSorted());
  const { rows } = await sql`select from ingestion_parts`.execute(b.bench.db);
  assert.equal(rows.length, 0);
});

test("who leaves does not stop the others; when all have left the fetching ends", async () => {
  await using b = await open();
  const opened = deferred();
  const gate = deferred();
  const aborted = deferred();
  b.source.beforeOpen = async (signal) => {
    signal.addEventListener("abort", () => aborted.resolve());
    opened.resolve();
    await Promise.race([gate.promise, aborted.promise]);
  };
  const leaving = new AbortController();
  const first = b.ensure(whole, {}, { signal: leaving.signal });
  const second = b.ensure(whole);
  await opened.promise;
  leaving.abort(new Error("left"));
  await assert.rejects(first, /left/);
  gate.resolve();
  await second;
  assert.equal(b.source.opened.length, 1);

  const last = new AbortController();
  const third = b.ensure(tiled, {}, { signal: last.signal });
  await assert.rejects(async () => {
    b.source.beforeOpen = async (signal) => {
      signal.addEventListener("abort", () => aborted.resolve());
      last.abort(new Error("left too"));
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    };
    await third;
  }, /left too/);
  await aborted.promise;
  const { rows } = await sql<{ status: string }>`
    select status from pipelines where kind = '/imagery/ingest-on-demand' order by created_at`.execute(b.bench.db);
  assert.deepEqual(
    rows.map(({ status }) => status),
    ["RESOLVED", "CANCELLED"],
  );
});

const TILE: StoreTile = [100, 1108];
const NEXT: StoreTile = [102, 1110];

test("tiles are fetched when they are needed and extend the scene", async () => {
  await using b = await open();
  assert.deepEqual(storeTilesOf(metres(100, 100, 200, 200), storeTileGrid(32_633)), [TILE]);
  const first = await b.ensure(tiled, { extent: metres(100, 100, 200, 200) });
  assert.deepEqual(first.raster.tiles, [TILE]);
  assert.equal(first.scene.sceneId, tiled.sceneId);
  assert.ok(Math.abs(first.scene.areaKm2 - areaKm2(tiled.footprint)) < 1e-3, "the scene itself stays as large");
  const before = await pixelsOf(b.bench.blobs, first);
  assert.equal(before(...at(0, 0)), valueAt(...at(0, 0)));
  assert.equal(before(...at(4950, 4950)), valueAt(...at(4950, 4950)));
  assert.equal(before(...at(5050, 0)), 0);

  b.source.reads.fill(0);
  const again = await b.ensure(tiled, { extent: metres(1000, 1000, 4000, 4000) });
  assert.equal(again.contentHash, first.contentHash);
  assert.deepEqual(b.source.reads, [0, 0]);

  const both = await b.ensure(tiled, { tiles: [TILE, NEXT] });
  assert.deepEqual(both.raster.tiles, [NEXT, TILE]);
  assert.equal(b.source.opened.length, 2);
  const asked = b.source.opened[1]?.extent;
  assert.ok(asked !== undefined);
  assert.equal(intersection(asked, storeTilePolygon(TILE, storeTileGrid(32_633))).coordinates.length, 0);
  for (const band of [0, 1]) {
    const value = await pixelsOf(b.bench.blobs, both, band);
    const scale = band + 1;
    const place = (eastM: number, northM: number): [number, number] => [
      Math.floor(eastM / (50 * scale)),
      400 / scale - 1 - Math.floor(northM / (50 * scale)),
    ];
    assert.equal(value(...place(100, 100)), valueAt(...place(100, 100)), "the old tile");
    assert.equal(value(...place(10_000, 10_000)), valueAt(...place(10_000, 10_000)), "the new tile");
    assert.equal(value(...place(14_900, 14_900)), valueAt(...place(14_900, 14_900)));
    assert.equal(value(...place(7000, 7000)), 0, "between them");
    assert.equal(value(...place(15_100, 12_000)), 0, "beside them");
  }
  const { rows } = await sql<{ ingested: boolean }>`
    select ingested from scenes where scene_id = ${tiled.sceneId}`.execute(b.bench.db);
  assert.deepEqual(rows, [{ ingested: false }]);
  // The blobs of the first tile alone stay for requests that began before.
  const kept = await b.bench.leftovers();
  for (const { key } of first.raster.bands) assert.ok(kept.includes(key));
});

test("a scene whose tiles are all there is ingested", async () => {
  await using b = await open();
  const stored = await b.ensure(tiled);
  assert.deepEqual(stored.raster.tiles, storeTilesOf(tiled.footprint, storeTileGrid(32_633)));
  const { rows } = await sql<{ ingested: boolean }>`
    select ingested from scenes where scene_id = ${tiled.sceneId}`.execute(b.bench.db);
  assert.deepEqual(rows, [{ ingested: true }]);
});

test("requests for different tiles at the same time both get theirs", async () => {
  await using b = await open();
  const scenes = await Promise.all([
    b.ensure(tiled, { tiles: [TILE] }),
    b.ensure(tiled, { tiles: [NEXT] }),
    b.ensure(tiled, { tiles: [[101, 1109]] }),
    b.ensure(tiled, { tiles: [TILE] }),
  ]);
  const wanted: readonly StoreTile[] = [TILE, NEXT, [101, 1109], TILE];
  for (const [i, scene] of scenes.entries()) {
    const tiles = scene.raster.tiles?.map((tile) => JSON.stringify(tile)) ?? [];
    assert.ok(tiles.includes(JSON.stringify(wanted[i])));
  }
  assert.equal(b.source.opened.length, 3);
  const stored = await b.bench.imagery.stored(tiled.sceneId);
  assert.equal(stored?.raster.tiles?.length, 3);
});

test("replaced blobs are removed when nobody can be reading them any more", async () => {
  let now = new Date("2026-01-01T00:00:00Z");
  const source = testSource([tiled]);
  await using bench = await ingestionBench({ sources: boundTo(source), clock: { now: () => now } });
  const job = { caller: ANYTHING, signal: new AbortController().signal, report: async () => {} };
  const first = await bench.ingestion.ensureStored({ sceneId: tiled.sceneId, extent: null, tiles: [TILE] }, job);
  const second = await bench.ingestion.ensureStored({ sceneId: tiled.sceneId, extent: null, tiles: [NEXT] }, job);
  await bench.ingestion.sweep();
  assert.ok((await bench.leftovers()).includes(first.raster.bands[0]?.key ?? ""));
  now = new Date("2026-01-01T02:00:00Z");
  await bench.ingestion.sweep();
  assert.deepEqual(await bench.leftovers(), second.raster.bands.map(({ key }) => key).toSorted());
});

test("a clipped dataset gives a new scene per extent, which cannot grow and serves what lies inside it", async () => {
  await using b = await open();
  const extent = metres(1000, 1000, 5000, 4000);
  const child = await b.ensure(clipped, { extent });
  assert.notEqual(child.scene.sceneId, clipped.sceneId);
  assert.equal(parentSceneId(child.scene.sceneId), clipped.sceneId);
  assert.equal(parseSceneId(child.scene.sceneId)?.dataset, "ard_clipped");
  assert.ok(Math.abs(areaKm2(child.scene.footprint) - areaKm2(extent)) < 1e-6);
  const value = await pixelsOf(b.bench.blobs, child);
  assert.equal(value(...at(1050, 1050)), valueAt(...at(1050, 1050)));
  assert.equal(value(...at(900, 1050)), 0);
  assert.equal(value(...at(5050, 1050)), 0);
  assert.equal(await b.bench.imagery.stored(clipped.sceneId), null);

  const within = await b.ensure(clipped, { extent: metres(2000, 2000, 3000, 3000) });
  assert.equal(within.scene.sceneId, child.scene.sceneId);
  assert.equal((await b.ensure(clipped, { extent })).scene.sceneId, child.scene.sceneId);
  assert.equal(b.source.opened.length, 1);

  const larger = await b.ensure(clipped, { extent: metres(1000, 1000, 6000, 4000) });
  assert.notEqual(larger.scene.sceneId, child.scene.sceneId);
  assert.equal(b.source.opened.length, 2);
  const unchanged = await b.ensure(child.scene, { extent: metres(0, 0, 20_000, 20_000) });
  assert.deepEqual(unchanged.scene.footprint, child.scene.footprint);
  assert.equal(b.source.opened.length, 2);

  const found = await b.bench.imagery.search(
    {
      datasets: [{ provider: "optical-archive", dataset: "ard_clipped" }],
      extent: metres(2000, 2000, 3000, 3000),
      onlyIngested: true,
    },
    new AbortController().signal,
  );
  assert.deepEqual(
    new Set(found.results.map(({ sceneId }) => sceneId)),
    new Set([child.scene.sceneId, larger.scene.sceneId]),
  );
  assert.ok(found.results.every(({ clippedImagery }) => clippedImagery));
});

test("a child that nobody has made is no scene", async () => {
  await using b = await open();
  const sceneId = `${clipped.sceneId}.${"0".repeat(24)}`;
  await assert.rejects(b.ensure({ sceneId }), failing("NON-EXISTING-SCENE"));
});

test("what a provider's failure is called is what all are told, and nothing is left", async () => {
  await using b = await open();
  b.source.beforeRead = async (raster) => {
    if (raster === 1) throw new ServiceError("SCENE-UNREADABLE", "band-1.tif is damaged");
  };
  const results = await Promise.allSettled([b.ensure(whole), b.ensure(whole), b.ensure(whole)]);
  for (const result of results) {
    assert.ok(result.status === "rejected");
    assert.ok(failing("SCENE-UNREADABLE")(result.reason));
    assert.match(String(result.reason), /band-1\.tif is damaged/);
  }
  assert.equal(b.source.opened.length, 1);
  assert.deepEqual(await b.bench.leftovers(), []);
  assert.equal(await b.bench.imagery.stored(whole.sceneId), null);
  b.source.beforeRead = async () => {};
  assert.ok(await b.ensure(whole), "another time it works");
});

test("fetching needs the right to the dataset's images", async () => {
  await using b = await open();
  const caller: Caller = { ...MALLORY, permissions: new Set(["imagery.images.ee.LANDSAT/LC08/C02/T1"]) };
  await assert.rejects(b.ensure(whole, {}, { caller }), failing("NOT-AUTHORIZED"));
  assert.equal(b.source.opened.length, 0);
  await b.ensure(whole, {}, { caller: { ...ALICE, permissions: new Set([`imagery.images.ee.${whole.dataset}`]) } });
  assert.ok(await b.ensure(whole, {}, { caller }), "what is there is for the operation to allow");
});

test("what cannot be had is refused with its reason", async () => {
  await using b = await open();
  const elsewhere = metres(50_000, 0, 60_000, 1000);
  await assert.rejects(b.ensure({ sceneId: "nothing" }), failing("NON-EXISTING-SCENE"));
  await assert.rejects(b.ensure(sourceScene("unknown", "ee", whole.dataset)), failing("NON-EXISTING-SCENE"));
  await assert.rejects(b.ensure(tiled, { extent: elsewhere }), failing("EXTENT-HAS-NO-INTERSECTION"));
  await assert.rejects(b.ensure(tiled, { tiles: [[1, 1]] }), failing("EXTENT-HAS-NO-INTERSECTION"));
  await assert.rejects(b.ensure(clipped, { extent: elsewhere }), failing("EXTENT-HAS-NO-INTERSECTION"));
  assert.equal(b.source.opened.length, 0);
  await using alone = await ingestionBench();
  await alone.imagery.insertScenes([{ scene: whole, raster: null, contentHash: null }]);
  await assert.rejects(
    alone.ingestion.ensureStored(
      { sceneId: whole.sceneId, ...NOTHING_ELSE },
      { caller: ANYTHING, signal: new AbortController().signal, report: async () => {} },
    ),
    failing("DATA-NOT-AVAILABLE"),
  );
});

test("the operation brings a scene into the store and says whether it was there", async () => {
  await using b = await open();
  const extent = { type: "Polygon" as const, coordinates: metres(1000, 1000, 5000, 4000).coordinates[0] ?? [] };
  const kind = "/imagery/ingest";
  const ingest = async (): Promise<unknown> => {
    const request = { sceneId: clipped.sceneId, extent };
    await b.bench.ingestion.admitFetch(request, new AbortController().signal);
    const { pipelineId } = await b.bench.db.transaction().execute(async (trx) =>
      b.bench.pipelines.enqueue(trx, {
        kind,
        lane: "heavy",
        request,
        caller: ANYTHING,
        baseUrl: contextOf(ANYTHING).baseUrl,
      }),
    );
    await b.bench.pipelines.waitFor(pipelineId, new AbortController().signal, 20_000);
    return b.bench.pipelines.retrieve({ kind, pipelineId, caller: ANYTHING });
  };
  const first = await ingest();
  const [child] = (first as { ingestedScenes: { sceneId: string; duplicate: boolean }[] }).ingestedScenes;
  assert.equal(child?.duplicate, false);
  assert.equal(parentSceneId(child.sceneId), clipped.sceneId);
  assert.deepEqual(await ingest(), { ingestedScenes: [{ sceneId: child.sceneId, duplicate: true }] });
  await assert.rejects(
    b.bench.ingestion.admitFetch({ sceneId: tiled.sceneId, tiles: [[0.5, 1]] }, new AbortController().signal),
    failing("VALIDATION-ERROR"),
  );
});
