import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { systemClock } from "@swath/base/clock";
import { boxPolygon, setPrice, testScene } from "../../credits/testing.ts";
import { mapBench, type Answer, type MapBench } from "../testing.ts";

const RIGHTS = ["mapsvc", "credits", "imagery.images", "algorithms", "store.ingested"];
const one = testScene("one");
const two = testScene("two", { bounds: [14.1, 50, 14.3, 50.2] });
const far = testScene("far", { bounds: [40, 10, 40.2, 10.2] });
const [oneId, twoId, farId] = [one, two, far].map(({ scene }) => scene.sceneId);
const extent = boxPolygon([14.05, 50.05, 14.15, 50.1]);
/** Of the interface's own credits example: price times area. */
const PRICE_MICRO = 100_000n;

async function bench(): Promise<MapBench> {
  const made = await mapBench([one, two, far], systemClock);
  await setPrice(made.db, "spot", PRICE_MICRO);
  return made;
}

async function rich(b: MapBench, permissions: readonly string[] = RIGHTS): Promise<string> {
  const { token, caller } = await b.addUser("payer@example.com", permissions);
  await b.db.transaction().execute((trx) => b.credits.grant(trx, caller.groupId, 1_000_000_000n, "start"));
  return token;
}

function dryRun(b: MapBench, token: string, body: object): Promise<Answer> {
  return b.run("/mapsvc/dry-run", { extent, ...body }, token);
}

/** One map type of one scene. */
function runs(mapType: string, sceneId: string): readonly object[] {
  return [{ mapTypes: [mapType], scenes: [[sceneId]] }];
}

test("a dry run answers areas and the very cost that allocating charges, and changes nothing", async () => {
  await using b = await bench();
  const token = await rich(b);
  const dryRuns = [
    { mapTypes: ["imagery", "ndvi"], scenes: [[oneId], [twoId]] },
    { mapTypes: ["ndvi"], scenes: [{ sceneId: oneId }] },
  ];
  const { status, json, text } = await dryRun(b, token, { dryRuns });
  assert.equal(status, 200, text);
  const before = (await b.post("/credits/get-remaining-credit", {}, token)).json.remainingCredit;
  assert.equal(before, 1000);
  const wanted = { sceneIds: [oneId, twoId], geojson: extent };
  const check = await b.post("/credits/area/check-geojson", wanted, token);
  assert.ok(Math.abs(json.allocatedCredits - check.json.cost) < 1e-6);
  assert.ok(Math.abs(json.allocatedKm2 - check.json.km2) < 1e-5);
  const paid = await b.post("/credits/area/allocate-geojson", wanted, token);
  assert.ok(Math.abs(paid.json.cost - json.allocatedCredits) < 1e-6, `${paid.json.cost} ${json.allocatedCredits}`);

  const [a, c] = json.scenes;
  assert.deepEqual([a.sceneId, a.provider, a.dataset, a.costPerKm2], [oneId, "ab", "spot", 0.1]);
  assert.ok(Math.abs(a.cost - a.km2 * 0.1) < 1e-5);
  assert.ok(Math.abs(c.km2 - a.km2 / 2) < 0.01 * a.km2, "half of the extent lies in the second scene");
  assert.equal(json.ingestedKm2, 0);
  assert.ok(Math.abs(json.mapsvcKm2 - (3 * a.km2 + 2 * c.km2)) < 1e-3, "every map is counted");
  assert.ok(Math.abs(json.analyzedKm2 - (2 * a.km2 + c.km2)) < 1e-3, "imagery is no analysis");
  assert.equal("allocatedExtent" in a, false);
  const again = await dryRun(b, token, { dryRuns, includeGeometries: true });
  assert.equal(again.json.allocatedCredits, 0);
  assert.equal(again.json.scenes[0].allocatedExtent.type, "MultiPolygon");
});

test("with allocate it pays, and then releases are possible", async () => {
  await using b = await bench();
  const token = await rich(b);
  await sql`
    insert into credit_price_rules (id, dataset, map_type, micro_per_km2)
    values ('ndvi', 'spot', 'ndvi', 50000)`.execute(b.db);
  const dryRuns = [{ mapTypes: ["imagery", "ndvi"], scenes: [[oneId]] }];
  const { json } = await dryRun(b, token, { dryRuns, allocate: true });
  const left = (await b.post("/credits/get-remaining-credit", {}, token)).json.remainingCredit;
  assert.ok(Math.abs(1000 - left - json.allocatedCredits) < 1e-6);
  assert.ok(Math.abs(json.allocatedCredits - json.allocatedKm2 * 0.15) < 1e-4, "the map type's own price included");
  const released = await b.run("/mapsvc/release", { mapTypes: ["imagery", "ndvi"], sceneIds: [oneId], extent }, token);
  assert.equal(released.json.maps.length, 2, released.text);
});

test("scenes beside the extent cost nothing, unknown ones and missing rights are refused", async () => {
  await using b = await bench();
  const token = await rich(b);
  const beside = await dryRun(b, token, { dryRuns: [{ mapTypes: ["imagery"], scenes: [[farId]] }] });
  assert.deepEqual([beside.json.allocatedCredits, beside.json.scenes], [0, []]);
  const pair = await dryRun(b, token, { dryRuns: [{ mapTypes: ["imagery"], scenes: [[oneId, twoId]] }] });
  const single = pair.json.scenes.map(({ sceneId }: { sceneId: string }) => sceneId);
  assert.deepEqual(single, [oneId, twoId]);
  const refused = async (body: object, by = token): Promise<unknown> => {
    const { status, json } = await b.post("/mapsvc/dry-run/initiate", { extent, ...body }, by);
    return [status, json.error];
  };
  assert.deepEqual(await refused({ dryRuns: runs("imagery", "ab.spot.none") }), [404, "NON-EXISTING-SCENE"]);
  assert.deepEqual(await refused({ dryRuns: runs("moonbase", oneId!) }), [422, "VALIDATION-ERROR"]);
  assert.deepEqual(await refused({ dryRuns: [] }), [422, "VALIDATION-ERROR"]);
  const { token: poor } = await b.addUser("b@example.com", ["mapsvc.dry-run"]);
  assert.deepEqual(await refused({ dryRuns: runs("imagery", oneId!), allocate: true }, poor), [401, "NOT-AUTHORIZED"]);
  assert.deepEqual(await refused({ dryRuns: runs("imagery", oneId!), onlyIngested: true }, poor), [
    401,
    "NOT-AUTHORIZED",
  ]);
  assert.equal((await dryRun(b, poor, { dryRuns: runs("imagery", oneId!) })).status, 200, "looking is free");
  const broke = await b.addUser("c@example.com", RIGHTS);
  const failed = await dryRun(b, broke.token, { dryRuns: runs("imagery", oneId!), allocate: true });
  assert.deepEqual([failed.status, failed.json.error], [424, "INSUFFICIENT-CREDIT"]);
});
