import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Visibility } from "@swath/contract/kit/schemas/visibility";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Bounds } from "@swath/kernel/geometry/geojson";
import { mbr } from "@swath/kernel/geometry/mbr";
import { writeGeoTiff } from "@swath/simulator/write-geotiff";
import type { Caller } from "../../platform/context.ts";
import { ALICE, contextOf, ingestionBench, MALLORY, type IngestionBench } from "./testing.ts";

const ANNE: Caller = { ...ALICE, organizationId: "acme" };
const COLLEAGUE: Caller = { ...ANNE, userId: "colleague" };
const SIBLING: Caller = { ...MALLORY, userId: "sibling", groupId: "sister", organizationId: "acme" };
const ADMIN: Caller = { ...MALLORY, userId: "root", groupId: "admins", permissions: new Set(["admin"]) };
const PEOPLE = { ANNE, COLLEAGUE, SIBLING, MALLORY, ADMIN } as const;
const idle = new AbortController().signal;

let bench: IngestionBench;

before(async () => {
  bench = await ingestionBench();
  const now = new Date();
  await bench.db
    .insertInto("organizations")
    .values({ id: "acme", name: "acme", created_at: now, updated_at: now })
    .execute();
  const group = { permissions: [], license_expires_at: null, created_at: now, updated_at: now };
  await bench.db
    .insertInto("groups")
    .values([
      { ...group, id: ANNE.groupId, name: "anne", organization_id: "acme" },
      { ...group, id: MALLORY.groupId, name: "mallory" },
    ])
    .execute();
});
after(() => bench[Symbol.asyncDispose]());

function geotiff(seed: number): Uint8Array {
  const options = {
    widthPx: 40,
    heightPx: 40,
    resolutionM: 10,
    epsg: 32_632,
    originX: 600_000,
    originY: 5_600_000,
    bandNames: ["Red"],
  };
  const chunks = writeGeoTiff(options, (row, bands) => {
    bands.forEach((band) => {
      for (let x = 0; x < band.length; x++) band[x] = 100 + ((x * 3 + row * 5 + seed) % 4000);
    });
  });
  return new Uint8Array(Buffer.concat(chunks));
}

async function ingest(caller: Caller, seed: number, visibility?: Visibility) {
  const bytes = geotiff(seed);
  const announced = { uploadSuffix: ".geotiff", size: bytes.byteLength, filename: `scene_${seed}` } as const;
  const { filepath, url } = await bench.ingestion.requestUpload(announced, contextOf(caller));
  await bench.put(url, bytes);
  const request = { provider: "local", filepath, ...(visibility === undefined ? {} : { visibility }) };
  const { ingestedScenes } = await bench.ingestion.ingestAndWait(request, contextOf(caller));
  const [scene] = ingestedScenes;
  assert.ok(scene !== undefined);
  return scene;
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "none";
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    return error.code;
  }
}

/** Names of those to whom every way to the scene is open; to all others every way must be closed. */
async function audience(sceneId: string): Promise<readonly string[]> {
  const { footprint } = await bench.imagery.sceneInfo({ sceneId });
  const [west, south, east, north]: Bounds = mbr(footprint);
  const extent = {
    type: "Polygon" as const,
    coordinates: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ] as [number, number][],
    ],
  };
  const search = { datasets: [{ provider: "local", dataset: "uploads" }], extent, minIntersection: 0, limit: 1000 };
  const seeing: string[] = [];
  for (const [name, caller] of Object.entries(PEOPLE)) {
    const view = bench.imagery.seenBy(caller);
    const { results } = await bench.imagery.search(search, idle, caller);
    const job = { caller, signal: idle, report: async () => {} };
    const ways = [
      results.some((scene) => scene.sceneId === sceneId),
      (await codeOf(view.sceneInfo({ sceneId }))) !== "NON-EXISTING-SCENE",
      (await codeOf(view.thumbnail(sceneId, {}))) !== "NON-EXISTING-SCENE",
      (await view.stored(sceneId)) !== null,
      (await view.known(sceneId)) !== null,
      (await view.unknown([sceneId], idle)).length === 0,
      (await view.catalogueScene(sceneId)) !== null,
      (await codeOf(bench.ingestion.ensureStored({ sceneId, extent: null, tiles: null }, job))) !==
        "NON-EXISTING-SCENE",
    ];
    assert.equal(new Set(ways).size, 1, `${name}: ${ways.join()}`);
    if (ways[0] === true) seeing.push(name);
  }
  return seeing;
}

const set = (caller: Caller, sceneId: string, visibility: Visibility, groupId?: string) =>
  bench.ingestion.setVisibility(
    { sceneId, visibility, ...(groupId === undefined ? {} : { groupId }) },
    contextOf(caller),
  );

test("an ingested scene is seen by the group that ingested it and by administrators, until it is shared", async () => {
  const { sceneId } = await ingest(ANNE, 1);
  assert.deepEqual(await audience(sceneId), ["ANNE", "COLLEAGUE", "ADMIN"]);
  assert.deepEqual(await set(COLLEAGUE, sceneId, "organization"), { sceneId, visibility: "organization" });
  assert.deepEqual(await audience(sceneId), ["ANNE", "COLLEAGUE", "SIBLING", "ADMIN"]);
  await set(ADMIN, sceneId, "public");
  assert.deepEqual(await audience(sceneId), Object.keys(PEOPLE));
  await set(ANNE, sceneId, "group");
  assert.deepEqual(await audience(sceneId), ["ANNE", "COLLEAGUE", "ADMIN"]);
  const { rows } = {
    rows: await bench.db.selectFrom("audit_log").selectAll().where("target_id", "=", sceneId).execute(),
  };
  assert.deepEqual(
    rows.map(({ action, actor_id: actor }) => [action, actor]),
    [
      ["scene.set-visibility", "colleague"],
      ["scene.set-visibility", "root"],
      ["scene.set-visibility", "alice"],
    ],
  );
});

test("the visibility of the request holds from the start", async () => {
  assert.deepEqual(await audience((await ingest(ANNE, 2, "public")).sceneId), Object.keys(PEOPLE));
  const shared = await ingest(ANNE, 3, "organization");
  assert.deepEqual(await audience(shared.sceneId), ["ANNE", "COLLEAGUE", "SIBLING", "ADMIN"]);
  assert.equal(await codeOf(ingest(MALLORY, 4, "organization")), "VALIDATION-ERROR", "a group of no organization");
});

test("only the owning group and administrators change the audience; to others the scene does not exist", async () => {
  const { sceneId } = await ingest(ANNE, 5);
  assert.equal(await codeOf(set(MALLORY, sceneId, "public")), "NON-EXISTING-SCENE");
  assert.equal(await codeOf(set(ANNE, sceneId, "public", MALLORY.groupId)), "NOT-AUTHORIZED");
  await set(ANNE, sceneId, "public");
  assert.equal(await codeOf(set(MALLORY, sceneId, "group")), "NOT-AUTHORIZED");
  assert.equal(await codeOf(set(ADMIN, sceneId, "group", "nobody")), "NON-EXISTENT-GROUP");
  await set(ADMIN, sceneId, "group", MALLORY.groupId);
  assert.deepEqual(await audience(sceneId), ["MALLORY", "ADMIN"], "an administrator gives the scene to a group");
  assert.equal(await codeOf(set(MALLORY, sceneId, "organization")), "CONFLICT");
});

test("two groups that ingest the same bytes have a scene each, and learn nothing of one another", async () => {
  const first = await ingest(ANNE, 6);
  const second = await ingest(MALLORY, 6);
  assert.deepEqual([first.duplicate, second.duplicate], [false, false]);
  assert.notEqual(first.sceneId, second.sceneId);
  const again = await ingest(COLLEAGUE, 6);
  assert.deepEqual([again.sceneId, again.duplicate], [first.sceneId, true]);
  assert.deepEqual(await audience(second.sceneId), ["MALLORY", "ADMIN"]);
});

test("a scene of before owners were kept stays public until an administrator names its group", async () => {
  const { sceneId } = await ingest(ANNE, 7);
  await bench.db.updateTable("scenes").set({ owner: null, audience: null }).where("scene_id", "=", sceneId).execute();
  assert.deepEqual(await audience(sceneId), Object.keys(PEOPLE));
  const again = await ingest(MALLORY, 7);
  assert.deepEqual([again.sceneId, again.duplicate], [sceneId, true]);
  assert.equal(await codeOf(set(ANNE, sceneId, "group")), "NOT-AUTHORIZED");
  assert.equal(await codeOf(set(ADMIN, sceneId, "group")), "CONFLICT");
  await set(ADMIN, sceneId, "group", ANNE.groupId);
  assert.deepEqual(await audience(sceneId), ["ANNE", "COLLEAGUE", "ADMIN"]);
});

test("a cursor of a scene that the caller does not see is no cursor", async () => {
  const { sceneId } = await ingest(ANNE, 8);
  const [row] = await bench.db.selectFrom("scenes").select("scene_key").where("scene_id", "=", sceneId).execute();
  const { footprint } = await bench.imagery.sceneInfo({ sceneId });
  const search = {
    datasets: [{ provider: "local", dataset: "uploads" }],
    extent: footprint,
    cursor: Number(row?.scene_key),
  };
  assert.equal(await codeOf(bench.imagery.admitSearch(search, new AbortController().signal, ANNE)), "none");
  assert.equal(
    await codeOf(bench.imagery.admitSearch(search, new AbortController().signal, MALLORY)),
    "INVALID-CURSOR",
  );
  assert.equal(await codeOf(bench.imagery.search(search, idle, MALLORY)), "INVALID-CURSOR");
});

test("a scene that is cut from a private one has the audience of that one, and follows it", async () => {
  const { sceneId } = await ingest(ANNE, 9);
  const { scene } = (await bench.imagery.stored(sceneId)) ?? assert.fail();
  const child = { ...scene, sceneId: `${sceneId}.1-cut` };
  await bench.db
    .transaction()
    .execute((trx) =>
      bench.imagery.register(trx, { scene: child, raster: null, contentHash: null, parentId: sceneId }),
    );
  const rights = () =>
    bench.db.selectFrom("scenes").select(["owner", "audience"]).where("parent_id", "=", sceneId).execute();
  const owner = `group:${ANNE.groupId}`;
  assert.deepEqual(await rights(), [{ owner, audience: owner }]);
  await set(ANNE, sceneId, "organization");
  assert.deepEqual(await rights(), [{ owner, audience: "organization:acme" }]);
});
