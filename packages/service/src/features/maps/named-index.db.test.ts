import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { systemClock } from "@swath/base/clock";
import { boxPolygon, setPrice, testScene } from "../credits/testing.ts";
import { mapBench } from "./testing.ts";

const scene = testScene("one");
const { sceneId } = scene.scene;
const extent = boxPolygon([14.05, 50.05, 14.15, 50.1]);
const RIGHTS = ["mapsvc", "credits", "imagery.images", "algorithms.savi"];

test("index:<name> is released, described and drawn like its index, with the constants asked for", async () => {
  await using b = await mapBench([scene], systemClock);
  await setPrice(b.db, "spot", 0n);
  const { token } = await b.addUser("a@example.com", RIGHTS);
  const mapTypes = ["savi", "index:SAVI", "index:savi:L=0.25"];
  const released = await b.run("/mapsvc/release", { mapTypes, sceneIds: [sceneId], extent }, token);
  assert.equal(released.status, 200, released.text);
  const maps: readonly { mapType: string; mapId: string; tiles: readonly number[][] }[] = released.json.maps;
  assert.deepEqual(
    maps.map(({ mapType }) => mapType),
    mapTypes,
  );
  assert.equal(released.json["index:savi:L=0.25"].length, 1);
  const [, , own] = maps;
  assert.equal((await b.get(`/mapsvc/map-types/${own!.mapId}`)).json.mapType, "index:savi:L=0.25");
  assert.equal((await b.get(`/mapsvc/grid/${own!.mapId}/-/${own!.tiles[0]!.join("/")}/savi.png`)).status, 200);
  const { rendering } = b.renderer.requests.at(-1)!;
  assert.ok(rendering.kind === "index");
  assert.deepEqual(rendering.index.parameters, { L: 0.25 });
  const legacy = await b.run("/mapsvc/release/index:savi/geojson", { sceneId, extent }, token);
  assert.equal(legacy.status, 200, legacy.text);
  const listed = await b.post("/mapsvc/map-types/list", {}, token);
  assert.deepEqual(listed.json.find(({ mapType }: { mapType: string }) => mapType === "savi").parameters, { L: 0.5 });
});

test("its permission and its price are those of the index", async () => {
  await using b = await mapBench([scene], systemClock);
  await setPrice(b.db, "spot", 1_000_000n);
  await sql`
    insert into credit_price_rules (id, dataset, map_type, micro_per_km2)
    values ('savi', 'spot', 'savi', 500000)`.execute(b.db);
  const request = { mapTypes: ["index:ndvi"], sceneIds: [sceneId], extent };
  const { token, caller } = await b.addUser("a@example.com", RIGHTS);
  const refused = await b.post("/mapsvc/release/initiate", request, token);
  assert.deepEqual([refused.status, refused.json.error], [401, "NOT-AUTHORIZED"], "algorithms.savi is not ndvi");
  await b.db.transaction().execute((trx) => b.credits.grant(trx, caller.groupId, 1_000_000_000n, "start"));
  await b.credits.allocateArea(caller, { sceneIds: [sceneId], geojson: extent });
  const named = { ...request, mapTypes: ["index:savi:L=1"] };
  const unpaid = await b.post("/mapsvc/release/initiate", named, token);
  assert.deepEqual([unpaid.status, unpaid.json.error], [402, "CREDITS-ERROR"]);
  const dryRuns = [{ mapTypes: ["index:savi:L=1", "index:savi:L=2"], scenes: [[sceneId]] }];
  const dry = await b.run("/mapsvc/dry-run", { dryRuns, extent, allocate: true }, token);
  assert.ok(dry.json.allocatedCredits > 0, dry.text);
  assert.equal((await b.run("/mapsvc/release", named, token)).status, 200);
  const again = await b.run(
    "/mapsvc/dry-run",
    { dryRuns: [{ mapTypes: ["savi"], scenes: [[sceneId]] }], extent },
    token,
  );
  assert.equal(again.json.allocatedCredits, 0, "it is paid for under its one name");
});
