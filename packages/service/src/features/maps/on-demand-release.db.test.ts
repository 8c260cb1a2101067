import assert from "node:assert/strict";
import { test } from "node:test";
import type { MultiPolygon, Polygon } from "@swath/kernel/geometry/geojson";
import { parentSceneId } from "@swath/kernel/scenes/scene-id";
import { sql } from "kysely";
import type { ErrorCode } from "@swath/kernel/errors/error-code";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { systemClock } from "@swath/base/clock";
import { createAreas } from "../../platform/geometry/areas.ts";
import { createFeatureTests } from "../../platform/geometry/feature-tests.ts";
import type { Caller, PipelineJob, PipelineProgress } from "../../platform/context.ts";
import { createCreditsService, type CreditsService } from "../credits/service.ts";
import { setPrice } from "../credits/testing.ts";
import { boundTo, metres, sourceScene, testSource, type TestSource } from "../ingestion/source-testing.ts";
import { ALICE, contextOf, ingestionBench, type IngestionBench } from "../ingestion/testing.ts";
import type { ReleaseRequest, ReleaseResult } from "@swath/contract/features/maps/release-contract";
import { createMapTypes } from "@swath/maps/registry";
import { testResults } from "./analysis/testing.ts";
import { createMapsService, type MapsService } from "./service.ts";
import { recordedRenderer } from "./testing.ts";

const mapTypes = createMapTypes([]);

const whole = sourceScene("whole", "ee", "COPERNICUS/S2_SR_HARMONIZED");
const tiled = sourceScene("tiled", "pl", "PSScene_tile");
const clipped = sourceScene("clipped", "optical-archive", "ard_clipped");
const caller: Caller = { ...ALICE, permissions: new Set(["imagery.images", "algorithms", "mapsvc"]) };

interface Bench extends AsyncDisposable {
  readonly bench: IngestionBench;
  readonly source: TestSource;
  readonly credits: CreditsService;
  readonly maps: MapsService;
  readonly told: PipelineProgress[];
  release(request: ReleaseRequest, by?: Caller): Promise<ReleaseResult>;
}

async function unused(): Promise<never> {
  throw new Error("releases make no downloads");
}

async function open(): Promise<Bench> {
  const source = testSource([whole, tiled, clipped]);
  const bench = await ingestionBench({ sources: boundTo(source) });
  const { db, imagery, ingestion } = bench;
  const credits = createCreditsService({ areas: createAreas(), mapTypes, db, clock: systemClock, imagery });
  const analyses = await testResults(db, systemClock);
  const maps = createMapsService({
    featureTests: createFeatureTests(),
    areas: createAreas(),
    blobs: bench.blobs,
    mapTypes,
    db,
    results: analyses.results,
    folders: analyses.folders,
    savedMaps: { hidden: unused, ofAnalysis: unused },
    downloads: { file: unused, keep: unused },
    writeReport: unused,
    clock: systemClock,
    imagery,
    credits,
    ingestion,
    renderer: recordedRenderer(),
    signingKeys: () => [new Uint8Array(32).fill(9)],
  });
  const told: PipelineProgress[] = [];
  return {
    bench,
    source,
    credits,
    maps,
    told,
    async release(request, by = caller) {
      const context = contextOf(by);
      const plan = await maps.release.prepare?.(request, context);
      assert.ok(plan !== undefined);
      await db
        .transaction()
        .execute(async (trx) => maps.release.admit?.(request, { ...context, pipelineId: "release" }, trx, plan));
      const job: PipelineJob = {
        pipelineId: "release",
        attempt: 1,
        failures: 0,
        caller: by,
        baseUrl: context.baseUrl,
        signal: context.signal,
        report: async (progress) => {
          told.push(progress);
        },
        savePartial: async () => {},
      };
      return (await maps.release.run(request, job)).result;
    },
    async [Symbol.asyncDispose]() {
      await analyses[Symbol.asyncDispose]();
      await bench[Symbol.asyncDispose]();
    },
  };
}

function polygonOf(area: MultiPolygon): Polygon {
  return { type: "Polygon", coordinates: area.coordinates[0] ?? [] };
}

const extent = polygonOf(metres(1000, 1000, 4000, 4000));

function failing(code: ErrorCode): (error: unknown) => boolean {
  return (error) => error instanceof ServiceError && error.code === code;
}

test("a release fetches the scene first, once, and tells how far it is", async () => {
  await using b = await open();
  const result = await b.release({ mapTypes: ["imagery", "ndvi"], sceneIds: [whole.sceneId], extent });
  assert.deepEqual(
    result.maps.map(({ mapType, sceneId }) => [mapType, sceneId]),
    [
      ["imagery", whole.sceneId],
      ["ndvi", whole.sceneId],
    ],
  );
  assert.deepEqual(
    b.told.map(({ message, step }) => [message, step]).filter(([, step], i, all) => step !== all[i - 1]?.[1]),
    [
      ["Preparing analysis", 1],
      ["Ordering data from provider", 2],
      ["Waiting for provider data to become available", 3],
      ["Downloading data from provider", 4],
      ["Analyzing", 5],
      ["Finalizing analysis", 6],
    ],
  );
  await b.release({ mapTypes: ["imagery"], sceneIds: [whole.sceneId], extent });
  assert.equal(b.source.opened.length, 1);
});

test("nothing is fetched before the area is paid for, by store tiles and by extents", async () => {
  await using b = await open();
  await setPrice(b.bench.db, "PSScene_tile", 1_000_000n);
  await setPrice(b.bench.db, "ard_clipped", 1_000_000n);
  const request: ReleaseRequest = { mapTypes: ["imagery"], sceneIds: [tiled.sceneId, clipped.sceneId], extent };
  await assert.rejects(b.release(request), failing("CREDITS-ERROR"));
  assert.equal(b.source.opened.length, 0);
  await b.bench.db.transaction().execute((trx) => b.credits.grant(trx, caller.groupId, 1_000_000_000n, "start"));
  const paid = await b.credits.allocateArea(caller, { sceneIds: request.sceneIds, geojson: extent });
  assert.ok(Math.abs(paid.cost - (25 + 9) / 0.9996 ** 2) < 0.01, String(paid.cost));

  const result = await b.release(request);
  assert.equal(b.source.opened.length, 2);
  const [first, second] = result.maps;
  assert.equal(first?.sceneId, tiled.sceneId);
  assert.ok(second !== undefined && second.sceneId !== clipped.sceneId, "the map is of the clipped child");
  assert.equal(parentSceneId(second.sceneId), clipped.sceneId);
  const { rows } = await sql<{ tiles: unknown }>`
    select tiles from credit_allocations where dataset = 'PSScene_tile'`.execute(b.bench.db);
  assert.deepEqual(rows, [{ tiles: [[100, 1108]] }]);

  // The child itself can be released, and what lies inside of it needs no second download.
  const inside = polygonOf(metres(2000, 2000, 3000, 3000));
  const again = await b.release({ mapTypes: ["imagery"], sceneIds: [second.sceneId, clipped.sceneId], extent: inside });
  assert.deepEqual(
    again.maps.map(({ sceneId }) => sceneId),
    [second.sceneId, second.sceneId],
  );
  assert.equal(b.source.opened.length, 2);
  const beyond = polygonOf(metres(2000, 2000, 5000, 3000));
  await assert.rejects(
    b.release({ mapTypes: ["imagery"], sceneIds: [clipped.sceneId], extent: beyond }),
    failing("CREDITS-ERROR"),
  );
});

test("a scene that cannot be fetched fails alone, under its own code", async () => {
  await using b = await open();
  await setPrice(b.bench.db, "ard_clipped", 0n);
  b.source.beforeOpen = async (_signal, sceneId) => {
    if (sceneId === whole.sceneId) throw new ServiceError("SCENE-UNREADABLE", "the provider's file is damaged");
  };
  const request: ReleaseRequest = { mapTypes: ["imagery"], sceneIds: [whole.sceneId, clipped.sceneId], extent };
  const first = await b.release(request);
  assert.deepEqual(
    first.failed.map(({ sceneId, errorCode, errorMessage }) => [sceneId, errorCode, errorMessage]),
    [[whole.sceneId, "SCENE-UNREADABLE", "the provider's file is damaged"]],
  );
  assert.equal(first.maps.length, 1);
  b.source.beforeOpen = async () => {};
  assert.equal((await b.release(request)).maps.length, 2);
});

test("nothing is fetched of a scene that the extent misses", async () => {
  await using b = await open();
  const beside = polygonOf(metres(30_000, 0, 31_000, 1000));
  const result = await b.release({ mapTypes: ["imagery"], sceneIds: [whole.sceneId], extent: beside });
  assert.deepEqual(
    result.failed.map(({ errorCode }) => errorCode),
    ["ZERO-TILES-AVAILABLE"],
  );
  assert.equal(b.source.opened.length, 0);
});

test("fetching needs the right to the images, using what is there does not", async () => {
  await using b = await open();
  const analyst: Caller = { ...caller, permissions: new Set(["mapsvc.release", "algorithms.ndvi"]) };
  const request: ReleaseRequest = { mapTypes: ["ndvi"], sceneIds: [whole.sceneId], extent };
  const refused = await b.release(request, analyst);
  assert.deepEqual(
    refused.failed.map(({ errorCode }) => errorCode),
    ["NOT-AUTHORIZED"],
  );
  await b.release(request);
  assert.equal((await b.release(request, analyst)).maps.length, 1);
});

test("a scene that no catalogue knows is refused at once", async () => {
  await using b = await open();
  const { sceneId } = sourceScene("unknown", "ee", whole.dataset);
  await assert.rejects(
    b.release({ mapTypes: ["imagery"], sceneIds: [sceneId], extent }),
    failing("NON-EXISTING-SCENE"),
  );
});
