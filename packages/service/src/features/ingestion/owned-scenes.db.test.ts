import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "kysely";
import type { EditSceneRequest } from "@swath/contract/features/ingestion/owned-scenes-contract";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { writeGeoTiff } from "@swath/simulator/write-geotiff";
import type { Caller } from "../../platform/context.ts";
import { ALICE, contextOf, ingestionBench, MALLORY, type IngestionBench } from "./testing.ts";

const HOUR_MS = 3_600_000;
const COLLEAGUE: Caller = { ...ALICE, userId: "colleague" };
const ADMIN: Caller = { ...MALLORY, userId: "root", groupId: "admins", permissions: new Set(["admin"]) };
const idle = new AbortController().signal;

let bench: IngestionBench;
let nowMs = Date.UTC(2026, 5, 1);

before(async () => {
  bench = await ingestionBench({ clock: { now: () => new Date(nowMs) } });
  const now = new Date(nowMs);
  const group = { permissions: [], license_expires_at: null, created_at: now, updated_at: now };
  await bench.db
    .insertInto("groups")
    .values({ ...group, id: ALICE.groupId, name: "alice" })
    .execute();
});
after(() => bench[Symbol.asyncDispose]());

/** 40 x 40 pixels of 10 m in UTM zone 32N, different for each seed. */
function geotiff(seed: number, bandNames: readonly string[] = ["", ""]): Uint8Array {
  const place = { epsg: 32_632, originX: 600_000, originY: 5_600_000, resolutionM: 10 };
  const chunks = writeGeoTiff({ widthPx: 40, heightPx: 40, ...place, bandNames }, (row, bands) => {
    for (const band of bands) for (let x = 0; x < band.length; x++) band[x] = 100 + ((x * 3 + row * 5 + seed) % 4000);
  });
  return new Uint8Array(Buffer.concat(chunks));
}

async function ingest(seed: number, caller: Caller = ALICE, visibility?: "public") {
  const filepath = await uploadAs(caller, geotiff(seed));
  const request = { provider: "local", filepath, ...(visibility === undefined ? {} : { visibility }) };
  const { ingestedScenes } = await bench.ingestion.ingestAndWait(request, contextOf(caller));
  return ingestedScenes[0] ?? assert.fail("no scene");
}

async function uploadAs(caller: Caller, bytes: Uint8Array): Promise<string> {
  const announced = { uploadSuffix: ".geotiff", size: bytes.byteLength, filename: "plain" } as const;
  const { filepath, url } = await bench.ingestion.requestUpload(announced, contextOf(caller));
  await bench.put(url, bytes);
  return filepath;
}

const edit = (request: EditSceneRequest, caller: Caller = ALICE) =>
  bench.ingestion.editScene(request, contextOf(caller));
const remove = (sceneId: string, caller: Caller = ALICE) => bench.ingestion.deleteScene(sceneId, contextOf(caller));
const restore = (sceneId: string, caller: Caller = ALICE) => bench.ingestion.restoreScene(sceneId, contextOf(caller));
const list = (request: object = {}, caller: Caller = ALICE) => bench.ingestion.listScenes(request, contextOf(caller));

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "none";
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    return error.code;
  }
}

/** Whether a search, and the operations that name the scene, find it. */
async function isFound(sceneId: string, caller: Caller = ALICE): Promise<readonly [search: boolean, byId: boolean]> {
  const [hit] = await sql<{ document: { areaKm2: number } }>`
    select d.document from scenes s join scene_documents d using (scene_key) where s.scene_id = ${sceneId}`
    .execute(bench.db)
    .then(({ rows }) => rows);
  assert.ok(hit !== undefined);
  const extent = { type: "Polygon" as const, coordinates: [PLACE] };
  const search = { datasets: [{ provider: "local", dataset: "uploads" }], extent, minIntersection: 0 };
  const { results } = await bench.imagery.search(search, idle, caller);
  const view = bench.imagery.seenBy(caller);
  const byId = (await view.known(sceneId)) !== null;
  const missing = Array.from({ length: 600 }, (_, n) => `local.uploads.${n}`);
  const unknown = await view.unknown([sceneId, ...missing], idle);
  assert.deepEqual(unknown, byId ? missing : [sceneId, ...missing], "in batches as one by one");
  await assert.rejects(view.unknown([sceneId], AbortSignal.abort(new Error("over"))), /over/);
  return [results.some((scene) => scene.sceneId === sceneId), byId];
}

/** Around 10.41 E, 50.54 N. */
const PLACE: [number, number][] = [
  [10.3, 50.4],
  [10.5, 50.4],
  [10.5, 50.6],
  [10.3, 50.6],
  [10.3, 50.4],
];

test("a group lists the scenes that it ingested, newest first, page by page; administrators those of any group", async () => {
  const own: Caller = { ...ALICE, userId: "lister", groupId: "listers" };
  const ids: string[] = [];
  for (const seed of [101, 102, 103]) ids.unshift((await ingest(seed, own)).sceneId);
  const first = await list({ limit: 2 }, own);
  assert.deepEqual(
    first.results.map(({ sceneId }) => sceneId),
    ids.slice(0, 2),
  );
  const second = await list({ limit: 2, cursor: first.cursor }, own);
  assert.deepEqual([second.results.map(({ sceneId }) => sceneId), second.cursor], [ids.slice(2), null]);
  const [entry] = first.results;
  assert.deepEqual(
    [entry?.visibility, entry?.revision, entry?.deletedAt, entry?.datetimeSource, entry?.crsEpsg],
    ["group", 0, null, "unknown", 32_632],
  );
  assert.equal((await list({ groupId: "listers" }, ADMIN)).results.length, 3);
  assert.equal(await codeOf(list({ groupId: "listers" }, MALLORY)), "NOT-AUTHORIZED");
  assert.equal(await codeOf(list({ cursor: "x" }, own)), "INVALID-CURSOR");
  assert.deepEqual((await list({ sceneId: ids[0] }, MALLORY)).results, [], "others do not see them");
});

test("an edit gives a scene its time, satellite, bands and visibility, and searches find it at that time", async () => {
  const { sceneId } = await ingest(1);
  const edited = await edit({
    sceneId,
    datetime: "2024-06-30T10:15:00Z",
    satellite: "Sentinel-2A",
    sensor: "sentinel-2",
    bands: ["B04", "B08"],
    visibility: "public",
  });
  assert.deepEqual(
    [edited.datetime, edited.datetimeSource, edited.satellite, edited.sensor, edited.visibility, edited.revision],
    ["2024-06-30 10:15:00", "owner", "Sentinel-2A", "sentinel-2", "public", 1],
  );
  assert.deepEqual(edited.bands, [
    { names: ["Red", "red", "r", "B04"], role: "R" },
    { names: ["NIR", "near-ir", "B08"], role: "N" },
  ]);
  const extent = { type: "Polygon" as const, coordinates: [PLACE] };
  const found = await bench.imagery.search(
    {
      datasets: [{ provider: "local", dataset: "uploads" }],
      extent,
      minIntersection: 0,
      startDatetime: "2024-06-30",
      endDatetime: "2024-07-01",
    },
    idle,
    MALLORY,
  );
  assert.deepEqual(
    found.results.map((scene) => [scene.sceneId, scene.localDatetime]),
    [[sceneId, "2024-06-30 11:15:00 UTC+01:00"]],
  );
  const stored = await bench.imagery.stored(sceneId);
  assert.deepEqual(
    stored?.raster.bands.map(({ role, quantity }) => [role, quantity]),
    [
      ["R", "reflectance"],
      ["N", "reflectance"],
    ],
  );
  assert.equal(stored?.scene.bands[0]?.reflectanceMult, 0.0001, "the scale of Sentinel-2 products");
  const { rows: log } = await sql<{ action: string; actor_id: string; before: { satellite: string } }>`
    select action, actor_id, before from audit_log where target_id = ${sceneId}`.execute(bench.db);
  assert.deepEqual(
    log.map(({ action, actor_id: actor, before: was }) => [action, actor, was.satellite]),
    [["scene.edit", "alice", "unknown"]],
  );
});

test("a sensor alone names the bands in the order of its products; a band keeps its factors until others are stated", async () => {
  const filepath = await uploadAs(ALICE, geotiff(2, ["", "", "", ""]));
  const { ingestedScenes } = await bench.ingestion.ingestAndWait({ provider: "local", filepath }, contextOf(ALICE));
  const sceneId = ingestedScenes[0]?.sceneId ?? "";
  const { bands, sensor } = await edit({ sceneId, sensor: "planetscope-4" });
  assert.deepEqual([sensor, bands.map(({ role }) => role)], ["planetscope-4", ["B", "G", "R", "N"]]);
  await edit({ sceneId, bands: [{ id: "B1", reflectanceMult: 0.5 }, "B2", "B3", "B4"] });
  await edit({ sceneId, bands: ["blue", "green", "red", "nir"] });
  const stored = await bench.imagery.stored(sceneId);
  assert.deepEqual([stored?.scene.bands[0]?.reflectanceMult, stored?.revision], [0.5, 3]);
});

test("an edit that does not fit the scene is refused with its place", async () => {
  const { sceneId } = await ingest(3);
  const refused = async (request: Omit<EditSceneRequest, "sceneId">): Promise<string> => {
    try {
      await edit({ sceneId, ...request });
      return "accepted";
    } catch (error) {
      assert.ok(error instanceof ServiceError);
      return `${error.code}: ${error.message}`;
    }
  };
  assert.match(await refused({ bands: ["red"] }), /^VALIDATION-ERROR: \/bands has 1 entries, the scene has 2 bands/);
  assert.match(await refused({ sensor: "sentinell-2" }), /did you mean sentinel-2\?/);
  assert.match(await refused({ datetime: "2024-02-30" }), /^VALIDATION-ERROR: \/datetime/);
  assert.match(await refused({ bands: [{ role: "RED" }, "nir"] }), /^BAD-REQUEST: .*role is "RED"/);
  assert.equal((await list({ sceneId })).results[0]?.revision, 0);
});

test("a revision keeps the documents before it: what was released with them is drawn as before", async () => {
  const { sceneId } = await ingest(4);
  const former = await bench.imagery.stored(sceneId);
  await edit({ sceneId, bands: ["red", "nir"] });
  const latest = await bench.imagery.stored(sceneId);
  assert.notEqual(latest?.contentHash, former?.contentHash, "pictures are kept under another hash");
  assert.deepEqual(await bench.imagery.storedRevision(sceneId, 0), former);
  assert.deepEqual(await bench.imagery.storedRevision(sceneId, 1), latest);
  assert.equal(await bench.imagery.storedRevision(sceneId, 7), null);
});

test("only the owning group and administrators edit, delete and restore; to others the scene does not exist", async () => {
  const { sceneId } = await ingest(5);
  for (const refused of [
    () => edit({ sceneId, satellite: "x" }, MALLORY),
    () => remove(sceneId, MALLORY),
    () => restore(sceneId, MALLORY),
  ]) {
    assert.equal(await codeOf(refused()), "NON-EXISTING-SCENE");
  }
  await edit({ sceneId, visibility: "public" }, COLLEAGUE);
  assert.equal(await codeOf(edit({ sceneId, satellite: "x" }, MALLORY)), "NOT-AUTHORIZED");
  assert.equal(await codeOf(remove(sceneId, MALLORY)), "NOT-AUTHORIZED");
  await remove(sceneId, ADMIN);
  assert.equal(await codeOf(restore(sceneId, MALLORY)), "NON-EXISTING-SCENE", "a deleted public scene is hidden");
  assert.equal(await codeOf(edit({ sceneId, satellite: "x" }, COLLEAGUE)), "CONFLICT", "it is to be restored first");
  await restore(sceneId, COLLEAGUE);
  assert.deepEqual(await isFound(sceneId, MALLORY), [true, true]);
});

test("a deleted scene is found no more, can be restored for a day, and its pixels are removed after it", async () => {
  const { sceneId } = await ingest(6);
  const keys = (await bench.imagery.stored(sceneId))?.raster.bands.map(({ key }) => key) ?? [];
  assert.deepEqual(await isFound(sceneId), [true, true]);
  const deleted = await remove(sceneId);
  assert.deepEqual([deleted.deletedAt, deleted.restorableUntil], ["2026-06-01 00:00:00", "2026-06-02 00:00:00"]);
  assert.deepEqual(await isFound(sceneId), [false, false]);
  assert.deepEqual(await isFound(sceneId, ADMIN), [false, false]);
  assert.deepEqual(
    [(await list()).results, (await list({ deleted: true })).results].map((scenes) =>
      scenes.some((scene) => scene.sceneId === sceneId),
    ),
    [false, true],
  );

  nowMs += 23 * HOUR_MS;
  await bench.ingestion.sweepDeleted(idle);
  assert.equal((await restore(sceneId)).deletedAt, null);
  assert.deepEqual(await isFound(sceneId), [true, true]);

  await remove(sceneId);
  nowMs += 24 * HOUR_MS;
  assert.equal(await codeOf(restore(sceneId)), "CONFLICT");
  assert.equal(await bench.ingestion.sweepDeleted(idle), 1);
  assert.equal(await codeOf(restore(sceneId)), "NON-EXISTING-SCENE");
  nowMs += 2 * HOUR_MS;
  await bench.ingestion.sweep();
  for (const key of keys) assert.equal(await bench.blobs.head(key), null, key);
});

test("a deleted scene with a map or paid area keeps its pixels, and the group that paid keeps using it", async () => {
  const mapped = (await ingest(7)).sceneId;
  const paired = (await ingest(8)).sceneId;
  const paid = (await ingest(9, ALICE, "public")).sceneId;
  await sql`insert into map_geometries (geometry_id, geometry) values ('g', '{}')`.execute(bench.db);
  const map = (id: string, scene: string, scenes: readonly string[] | null) =>
    sql`
    insert into maps (map_id, scene_id, map_type, version, geometry_id, max_zoom, tiles, scene_ids, created_at)
    values (${id}, ${scene}, 'ndvi', 400, 'g', 14, '[]', ${scenes === null ? null : [...scenes]}::text[], now())`.execute(
      bench.db,
    );
  await map("one", mapped, null);
  await map("two", "later scene", [paired, "later scene"]);
  await sql`insert into credit_groups (group_id) values (${MALLORY.groupId})`.execute(bench.db);
  await sql`
    insert into credit_coverage (group_id, scene_key, area_cm2, chargeable_cm2, billed_m2, version)
    values (${MALLORY.groupId}, ${paid}, 100, 100, 1, 1)`.execute(bench.db);
  for (const sceneId of [mapped, paired, paid]) await remove(sceneId);
  assert.deepEqual(await isFound(paid, MALLORY), [false, true], "the paying group keeps its identifier");
  assert.deepEqual(await isFound(paid, ALICE), [false, false]);

  nowMs += 25 * HOUR_MS;
  assert.equal(await bench.ingestion.sweepDeleted(idle), 0);
  for (const sceneId of [mapped, paired, paid]) {
    const stored = await bench.imagery.storedRevision(sceneId, 0);
    assert.ok(stored !== null, "maps are drawn from it");
    for (const { key } of stored.raster.bands) assert.ok((await bench.blobs.head(key)) !== null, key);
  }
});

test("the same file again restores a deleted scene, and the answer says so", async () => {
  const { sceneId } = await ingest(10);
  await edit({ sceneId, satellite: "TESTSAT-1" });
  await remove(sceneId);
  const again = await ingest(10);
  assert.deepEqual([again.sceneId, again.duplicate, again.warnings?.[0]?.code], [sceneId, true, "SCENE-RESTORED"]);
  assert.equal(again.understood?.satellite, "TESTSAT-1");
  assert.deepEqual(await isFound(sceneId), [true, true]);
});
