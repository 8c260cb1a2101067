import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { roundAreaKm2, areaKm2 } from "@swath/kernel/geometry/area";
import { Ajv } from "ajv";
import type { Scene } from "@swath/kernel/scenes/scene";
import { sceneId } from "@swath/kernel/scenes/scene-id";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { createAreas } from "../../platform/geometry/areas.ts";
import type { Caller } from "../../platform/context.ts";
import { testDatabase, type TestDatabase } from "../../platform/postgres/testing.ts";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import { providers } from "../../providers/registry.ts";
import { imageryContract } from "@swath/contract/features/imagery/contract";
import { createImageryService, type ImageryService } from "./service.ts";

let database: TestDatabase;
let service: ImageryService;
const drawn: string[] = [];

before(async () => {
  database = await testDatabase();
  service = createImageryService({
    areas: createAreas(),
    db: database.db,
    clock: { now: () => new Date(Date.UTC(2026, 5, 1)) },
    thumbnails: {
      render: (stored, mediaType) => {
        drawn.push(`${stored.scene.foreignId} ${mediaType}`);
        return Promise.resolve(new Uint8Array([1, 2, 3]));
      },
    },
  });
});
after(async () => {
  await database[Symbol.asyncDispose]();
});

function caller(kind: Caller["kind"], ...permissions: string[]): Caller {
  return { kind, userId: "u", groupId: "g", email: "u@example.org", permissions: new Set(permissions) };
}

function storedScene(local: string, contentHash: string): StoredScene {
  return {
    scene: {
      sceneId: sceneId("local", "uploads", local),
      foreignId: local,
      provider: "local",
      dataset: "uploads",
      satellite: "test",
      datetime: "2024-06-30 10:15:00",
      localDatetime: "2024-06-30 11:15:00 UTC+01:00",
      crsEpsg: 32633,
      footprint: {
        type: "MultiPolygon",
        coordinates: [
          [
            [
              [14.123456789, 50],
              [15, 50],
              [15, 51],
              [14.123456789, 51],
              [14.123456789, 50],
            ],
          ],
        ],
      },
      areaKm2: -1,
      cloudCover: 0.25,
      bands: [
        {
          names: ["Red", "red", "r"],
          bitDepth: 16,
          gsd: 10,
          pixelSizeX: 10,
          pixelSizeY: -10,
          crsOriginX: 300_000,
          crsOriginY: 5_600_040,
          approximateResolutionX: 10,
          approximateResolutionY: 10,
          reflectanceMult: 1e-4,
        },
      ],
    },
    raster: { proj4: "+proj=utm +zone=33 +datum=WGS84 +units=m +no_defs", controlGrid: null, bands: [] },
    contentHash,
  };
}

async function register(scene: StoredScene): Promise<void> {
  await inTransaction(database.db, (trx) => service.register(trx, scene));
}

function hasCode(code: string): (error: unknown) => boolean {
  return (error) => error instanceof ServiceError && error.code === code;
}

test("a registered scene is read back whole, with its footprint rounded and its area computed", async () => {
  const given = storedScene("whole", "aa".repeat(32));
  await register(given);
  const read = await service.stored(given.scene.sceneId);
  assert.ok(read !== null);
  const footprint = read.scene.footprint;
  assert.deepEqual(footprint.coordinates[0]?.[0]?.toSorted(), [
    [14.1234568, 50],
    [14.1234568, 50],
    [14.1234568, 51],
    [15, 50],
    [15, 51],
  ]);
  const expected: Scene = { ...given.scene, footprint, areaKm2: roundAreaKm2(areaKm2(footprint)) };
  assert.deepEqual(read, { ...given, scene: expected });
  assert.deepEqual(await service.sceneInfo({ sceneId: given.scene.sceneId }), expected);
});

test("registering again, or the same content under another name, changes nothing", async () => {
  const first = storedScene("first", "bb".repeat(32));
  await register(first);
  await register({ ...first, scene: { ...first.scene, satellite: "other" } });
  await register(storedScene("second", "bb".repeat(32)));
  assert.equal((await service.stored(first.scene.sceneId))?.scene.satellite, "test");
  assert.equal(await service.stored(sceneId("local", "uploads", "second")), null);
  const find = (dataset: string, hash: string) =>
    service.findByContentHash(database.db, { provider: "local", dataset, contentHash: hash, owner: "group:g" });
  assert.equal((await find("uploads", "bb".repeat(32)))?.sceneId, first.scene.sceneId);
  assert.equal(await find("uploads", "cc".repeat(32)), null);
  assert.equal(await find("other", "bb".repeat(32)), null);
});

test("a scene of a transaction that is rolled back does not exist", async () => {
  const scene = storedScene("undone", "dd".repeat(32));
  const failure = inTransaction(database.db, async (trx) => {
    await service.register(trx, scene);
    throw new Error("undo");
  });
  await assert.rejects(failure, /undo/);
  assert.equal(await service.stored(scene.scene.sceneId), null);
});

test("two registrations of one new dataset at once both succeed", async () => {
  const scenes = ["one", "two", "three", "four"].map((local, i): StoredScene => {
    const scene = storedScene(local, `${i}e`.repeat(32));
    const id = sceneId("radar-gec", "spotlight_GEC", local);
    return { ...scene, scene: { ...scene.scene, sceneId: id, provider: "radar-gec", dataset: "spotlight_GEC" } };
  });
  await Promise.all(scenes.map(register));
  for (const { scene } of scenes) assert.ok((await service.stored(scene.sceneId)) !== null);
});

test("scenes that do not exist, and texts that are no identifiers, are not found", async () => {
  for (const id of [
    "local.uploads.nothing",
    "../etc/passwd",
    "x",
    "",
    "x".repeat(5000),
    `local.uploads.${"x".repeat(600)}`,
  ]) {
    await assert.rejects(service.sceneInfo({ sceneId: id }), hasCode("NON-EXISTING-SCENE"), id);
    await assert.rejects(service.thumbnail(id, {}), hasCode("NON-EXISTING-SCENE"), id);
    assert.equal(await service.stored(id), null);
  }
});

test("scene info says that a dataset has no store tiles and what is not in the store", async () => {
  const { scene } = storedScene("catalogued", "ff".repeat(32));
  await service.insertScenes([{ scene, raster: null, contentHash: null }]);
  const { sceneId: id } = scene;
  await assert.rejects(service.sceneInfo({ sceneId: id, tiles: [[0, 0]] }), hasCode("VALIDATION-ERROR"));
  await assert.rejects(service.sceneInfo({ sceneId: id, forceOffline: true }), hasCode("DATA-NOT-AVAILABLE"));
  assert.equal((await service.sceneInfo({ sceneId: id })).sceneId, id);
  assert.equal(await service.stored(id), null);
  await assert.rejects(service.thumbnail(id, {}), hasCode("DATA-NOT-AVAILABLE"));
});

test("thumbnails are negotiated and answered 304 to whoever has them", async () => {
  const given = storedScene("picture", "ab".repeat(32));
  await register(given);
  const answer = await service.thumbnail(given.scene.sceneId, { accept: "image/webp,image/png;q=0.5" });
  assert.equal(answer.status, 200);
  assert.equal(answer.mediaType, "image/webp");
  assert.equal(answer.headers?.["vary"], "accept");
  const etag = answer.headers?.["etag"] ?? "";
  assert.match(etag, /^"[\w-]+"$/);
  const drawings = drawn.length;
  const again = await service.thumbnail(given.scene.sceneId, {
    accept: "image/webp",
    "if-none-match": `"x", W/${etag}`,
  });
  assert.equal(again.status, 304);
  assert.equal(again.body, null);
  assert.equal(drawn.length, drawings);
  const other = await service.thumbnail(given.scene.sceneId, { accept: "image/png", "if-none-match": etag });
  assert.equal(other.status, 200);
  assert.equal(drawn.at(-1), "picture image/png");
});

test("the listing names every dataset and speaks about the caller", () => {
  const count = providers.reduce((sum, { datasets }) => sum + datasets.length, 0);
  const open = service.listDatasets(caller("anonymous"));
  assert.equal(open.length, count);
  assert.ok(open.every(({ downloadable }) => !downloadable));
  const some = service.listDatasets(caller("user", "imagery.availability", "imagery.images.ee"));
  assert.deepEqual(
    [...new Set(some.filter(({ downloadable }) => downloadable).map(({ provider }) => provider))],
    ["ee"],
  );
  assert.ok(some.every(({ provider, searchable }) => searchable === (provider === "ee")));
  assert.throws(() => service.listDatasets(caller("user", "imagery.images")), hasCode("NOT-AUTHORIZED"));
});

test("the listing has all fields of the interface, the same with and without a token", () => {
  const check = new Ajv({ strict: false, strictNumbers: true }).compile(imageryContract.listDatasets.response);
  const open = service.listDatasets(caller("anonymous"));
  assert.ok(check(open), JSON.stringify(check.errors));
  const own = service.listDatasets(caller("user", "imagery"));
  assert.deepEqual(
    own.map((entry) => ({ ...entry, downloadable: false, searchable: false })),
    open,
  );
  const skySat = open.find(({ dataset }) => dataset === "SkySatCollect");
  assert.deepEqual(Object.keys(skySat?.taskingInfo ?? {}).toSorted(), ["assured", "flexible"]);
  assert.deepEqual(skySat?.taskingInfo?.["flexible"], {
    allowedTaskingGeometry: ["Point", "Polygon"],
    costMultiplier: 1,
    feasibilityHourOffset: { min: 24, max: 2160 },
    preallocationAreaKm2: 25,
    priorities: ["flexible"],
    taskingHourDuration: { min: 168, max: 2160 },
    taskingHourOffset: { min: 24, max: 2160 },
    taskingResolution: { min: 0.5, max: 0.9 },
  });
  assert.ok(open.every((entry) => (entry.datasetType === "optical") === "visualizationBands" in entry));
});
