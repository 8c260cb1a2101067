import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "@swath/base/clock";
import { MAX_SCENES } from "@swath/contract/kit/schemas/scene";
import { boxPolygon, setPrice, testScene } from "../credits/testing.ts";
import { mapBench } from "./testing.ts";

const RIGHTS = ["mapsvc.release", "credits", "imagery.images", "algorithms"];
const extent = boxPolygon([14.05, 50.05, 14.15, 50.1]);
const scenes = Array.from({ length: MAX_SCENES }, (_, n) => testScene(`scene-${n}`));
const sceneIds = scenes.map(({ scene }) => scene.sceneId);

test("all scenes of the largest page of a search are paid for and released in one request each", async () => {
  await using b = await mapBench(scenes, systemClock);
  await setPrice(b.db, "spot", 1_000n);
  const { token, caller } = await b.addUser("payer@example.com", RIGHTS);
  await b.db.transaction().execute((trx) => b.credits.grant(trx, caller.groupId, 1_000_000_000n, "start"));
  const unpaid = await b.post("/mapsvc/release/initiate", { mapTypes: ["imagery"], sceneIds, extent }, token);
  assert.deepEqual([unpaid.status, unpaid.json.error], [402, "CREDITS-ERROR"]);
  const paid = await b.post("/credits/area/allocate-geojson", { sceneIds, geojson: extent }, token);
  assert.equal(paid.status, 200, paid.text);
  assert.equal(paid.json.transactionIds.length, MAX_SCENES);

  const released = await b.run("/mapsvc/release", { mapTypes: ["imagery"], sceneIds, extent }, token);
  assert.deepEqual(released.json.counts, { succeeded: MAX_SCENES, failed: 0 }, released.text.slice(0, 500));
  const legacy = await b.run("/mapsvc/release", { mapType: "imagery", sceneIds, extent }, token);
  assert.equal(legacy.json.mapId, legacy.json.maps[0].mapId);
  assert.equal(legacy.json.maps.length, MAX_SCENES);

  const tooMany = { mapTypes: ["imagery", "ndvi", "ndwi"], sceneIds, extent };
  const refused = await b.post("/mapsvc/release/initiate", tooMany, token);
  assert.deepEqual([refused.status, refused.json.error], [422, "VALIDATION-ERROR"]);
  assert.match(refused.text, /3000 maps, expected at most 2000/u);
});
