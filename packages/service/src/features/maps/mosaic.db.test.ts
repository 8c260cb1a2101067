import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "@swath/base/clock";
import type { MosaicRequest } from "@swath/contract/features/maps/mosaic-contract";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import type { GridRequest } from "@swath/maps/render/grid-renderer";
import { boxPolygon, setPrice, testScene } from "../credits/testing.ts";
import { mapBench, type Answer, type MapBench } from "./testing.ts";

const RIGHTS = ["mapsvc", "credits", "imagery", "algorithms"];
const extent = boxPolygon([14.05, 50.05, 14.15, 50.1]);
const START = 1000;

function sceneOf(
  local: string,
  day: number,
  cloudCover: number,
  more: Parameters<typeof testScene>[1] = {},
): StoredScene {
  const stored = testScene(local, more);
  return { ...stored, scene: { ...stored.scene, datetime: `2024-06-0${day} 10:15:00`, cloudCover } };
}

const old = sceneOf("old", 1, 0.1);
const cloudy = sceneOf("cloudy", 3, 0.9);
const recent = sceneOf("recent", 5, 0.3);
/** Half of the extent only. */
const half = sceneOf("half", 7, 0, { bounds: [14, 50, 14.1, 50.2] });
const gray = sceneOf("gray", 2, 0, { roles: [null] });
const ids = [old, cloudy, recent, half].map(({ scene }) => scene.sceneId);

interface World extends AsyncDisposable {
  readonly b: MapBench;
  readonly token: string;
}

async function world(permissions: readonly string[] = RIGHTS): Promise<World> {
  const b = await mapBench([old, cloudy, recent, half, gray], systemClock);
  await setPrice(b.db, "spot", 1_000_000n);
  const { token, caller } = await b.addUser("mosaic@example.com", permissions);
  await b.db.transaction().execute((trx) => b.credits.grant(trx, caller.groupId, BigInt(START) * 1_000_000n, "start"));
  return { b, token, [Symbol.asyncDispose]: () => b[Symbol.asyncDispose]() };
}

function mosaic({ b, token }: World, request: Partial<MosaicRequest> & object): Promise<Answer> {
  return b.run(
    "/mapsvc/mosaic",
    { mapType: "imagery", rule: "first", sceneIds: ids, extent, cloudFree: false, allocate: true, ...request },
    token,
  );
}

function namesOf(scenes: readonly { readonly sceneId: string }[]): readonly string[] {
  return scenes.map(({ sceneId }) => sceneId.slice(sceneId.lastIndexOf(".") + 1));
}

/** Names of the members of the drawn tile, in order of choice. */
async function drawnMembers({ b }: World, { mapId, tiles }: Answer["json"]): Promise<readonly string[]> {
  const [[z, x, y]] = tiles;
  const file = await b.get(`/mapsvc/grid/${mapId}/-/${z}/${x}/${y}/truecolor.png`);
  assert.equal(file.status, 200, file.text);
  const request = b.renderer.requests.at(-1) as GridRequest;
  return namesOf(request.mosaic?.members.map(({ scene }) => scene) ?? []);
}

test("a mosaic is one map of its scenes in the order of the rule, at the price of their release", async () => {
  await using w = await world();
  const price = (
    await w.b.run("/mapsvc/mosaic-dry-run", { mapType: "imagery", rule: "newest", sceneIds: ids, extent }, w.token)
  ).json;
  const release = await w.b.run(
    "/mapsvc/dry-run",
    { dryRuns: [{ mapTypes: ["imagery"], scenes: ids.map((id) => [id]) }], extent },
    w.token,
  );
  assert.equal(price.allocatedCredits, release.json.allocatedCredits);
  assert.ok(price.allocatedCredits > 0);
  const refused = await w.b.post(
    "/mapsvc/mosaic/initiate",
    { mapType: "imagery", rule: "newest", sceneIds: ids, extent, allocate: true, expectedCost: 1 },
    w.token,
  );
  assert.deepEqual([refused.status, refused.json.error], [409, "PRICE-CHANGED"]);

  const { json, text } = await mosaic(w, { rule: "newest", expectedCost: price.allocatedCredits });
  assert.deepEqual(namesOf(json.scenes), ["half", "recent", "cloudy", "old"], text);
  assert.ok(Math.abs(json.payment.chargedCredits - price.allocatedCredits) < 1e-5, text);
  assert.equal(
    (await w.b.post("/credits/get-remaining-credit", {}, w.token)).json.remainingCredit,
    json.payment.remainingCredit,
  );
  assert.deepEqual(await drawnMembers(w, json), ["half", "recent", "cloudy", "old"]);

  const least = await mosaic(w, { rule: "least-cloudy" });
  assert.equal(least.json.payment.chargedCredits, 0);
  assert.deepEqual(await drawnMembers(w, least.json), ["half", "old", "recent", "cloudy"]);
  const first = await mosaic(w, { rule: "first" });
  assert.deepEqual(await drawnMembers(w, first.json), ["old", "cloudy", "recent", "half"]);
  assert.equal(new Set([json.mapId, least.json.mapId, first.json.mapId]).size, 3);

  const wmts = await w.b.get(`/mapsvc/map/${first.json.mapId}/wmts.xml`);
  assert.equal(wmts.status, 200, wmts.text.slice(0, 200));
  const provenance = (await w.b.post("/mapsvc/provenance/get", { mapId: first.json.mapId })).json;
  assert.deepEqual(namesOf(provenance.scenes), ["old", "cloudy", "recent", "half"]);
  assert.equal(provenance.algorithm.parameters.mosaic.rule, "first");
  const point = await w.b.post("/mapsvc/point/get", { mapId: first.json.mapId, points: [[14.1, 50.07]] });
  assert.deepEqual([point.status, point.json.error], [422, "VALIDATION-ERROR"], point.text);
});

test("a scene without the bands fails alone, and is not paid for", async () => {
  await using w = await world();
  const { json, text } = await mosaic(w, {
    mapType: "ndvi",
    rule: "max",
    sceneIds: [old.scene.sceneId, gray.scene.sceneId],
  });
  assert.deepEqual(namesOf(json.scenes), ["old"], text);
  assert.deepEqual(
    json.failed.map(({ sceneId, errorCode }: Record<string, unknown>) => [sceneId, errorCode]),
    [[gray.scene.sceneId, "UNSUPPORTED-IMAGERY"]],
  );
  const paid = new Set(json.payment.scenes.map(({ sceneId }: Record<string, unknown>) => sceneId));
  assert.deepEqual([...paid], [old.scene.sceneId]);
});

test("what is not paid, not allowed or makes no sense is refused before anything is kept", async () => {
  await using w = await world();
  const refusal = async (request: object, token = w.token): Promise<readonly unknown[]> => {
    const base = { mapType: "imagery", rule: "first", sceneIds: ids, extent };
    const { status, json } = await w.b.post("/mapsvc/mosaic/initiate", { ...base, ...request }, token);
    return [status, json.error];
  };
  assert.deepEqual(await refusal({}), [402, "CREDITS-ERROR"]);
  assert.deepEqual(await refusal({ expectedCost: 1 }), [422, "VALIDATION-ERROR"]);
  assert.deepEqual(await refusal({ alocate: true }), [422, "VALIDATION-ERROR"]);
  assert.deepEqual(await refusal({ leftOut: [] }), [422, "VALIDATION-ERROR"]);
  assert.deepEqual(await refusal({ rule: "max" }), [422, "VALIDATION-ERROR"]);
  assert.deepEqual(await refusal({ index: "ndvi" }), [422, "VALIDATION-ERROR"]);
  assert.deepEqual(await refusal({ mapType: "trees" }), [422, "VALIDATION-ERROR"]);
  assert.deepEqual(await refusal({ limit: 3 }), [422, "VALIDATION-ERROR"]);
  assert.deepEqual(await refusal({ sceneIds: undefined }), [422, "VALIDATION-ERROR"]);
  assert.deepEqual(await refusal({ sceneIds: Array.from({ length: 101 }, (_, i) => `ab.spot.${i}`) }), [
    422,
    "VALIDATION-ERROR",
  ]);
  assert.deepEqual(await refusal({ extent: boxPolygon([0, 40, 10, 50]) }), [422, "VALIDATION-ERROR"]);
  assert.deepEqual(await refusal({ sceneIds: ["ab.spot.none"], allocate: true }), [404, "NON-EXISTING-SCENE"]);
  const { token } = await w.b.addUser("guest@example.com", ["mapsvc"]);
  assert.deepEqual(await refusal({}, token), [401, "NOT-AUTHORIZED"]);
});
