import assert from "node:assert/strict";
import { test } from "node:test";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { sql } from "kysely";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import { systemClock } from "@swath/base/clock";
import { boxPolygon, setPrice } from "../credits/testing.ts";
import { rainScene } from "./analysis/rain-scene-testing.ts";
import { mapBench, type MapBench } from "./testing.ts";

const RIGHTS = ["mapsvc", "credits", "imagery.images", "algorithms"];
const extent = boxPolygon([9.001, 49.61, 9.05, 49.64]);
const HOURS = ["2024-05-01 01:00:00", "2024-05-01 02:00:00"];
const IDS = HOURS.map((_, i) => `ab.spot.rain${i}`);

async function hours(blobs: BlobStore): Promise<readonly StoredScene[]> {
  const { stored } = await rainScene(blobs, { widthPx: 600, heightPx: 600 });
  return HOURS.map((datetime, i) => ({
    ...stored,
    contentHash: `${stored.contentHash}${i}`,
    scene: { ...stored.scene, sceneId: IDS[i]!, provider: "ab", dataset: "spot", datetime },
  }));
}

async function resultCount(b: MapBench): Promise<number> {
  const { rows } = await sql<{ count: string }>`select count(*) from map_results`.execute(b.db);
  return Number(rows[0]?.count);
}

/** The map behind a signed ID. */
function mapIdIn(signed: string): string {
  return JSON.parse(Buffer.from(signed.split(".")[1] ?? "", "base64url").toString()).mapId;
}

test("equal requests of several users are computed once, and each user's rights and payment are asked for", async () => {
  await using b = await mapBench(hours, systemClock);
  await setPrice(b.db, "spot", 1_000_000n);
  const users = [];
  for (const name of ["first", "second"]) {
    const { token, caller } = await b.addUser(`${name}@example.com`, RIGHTS);
    await b.db.transaction().execute((trx) => b.credits.grant(trx, caller.groupId, 1_000_000_000n, "start"));
    await b.credits.allocateArea(caller, { sceneIds: IDS, geojson: extent });
    users.push(token);
  }
  const request = { mapTypes: ["precipitation", "precipitation-sum"], sceneIds: IDS, extent };
  const answers = await Promise.all(users.map((token) => b.run("/mapsvc/release", request, token)));
  const maps = answers.map(({ json, text }) => {
    assert.deepEqual(json.failed, [], text);
    return json.maps.map(({ mapId }: { mapId: string }) => mapIdIn(mapId));
  });
  assert.equal(maps[0]?.length, 3, "two hours and their sum");
  assert.deepEqual(maps[0], maps[1]);
  assert.equal(await resultCount(b), 3);

  const { token: unpaid } = await b.addUser("third@example.com", RIGHTS);
  const refused = await b.post("/mapsvc/release/initiate", request, unpaid);
  assert.deepEqual([refused.status, refused.json.error], [402, "CREDITS-ERROR"]);
  const { token: powerless } = await b.addUser("fourth@example.com", ["mapsvc", "algorithms.precipitation"]);
  const forbidden = await b.post("/mapsvc/release/initiate", request, powerless);
  assert.deepEqual([forbidden.status, forbidden.json.error], [401, "NOT-AUTHORIZED"], "the sum has a right of its own");
  assert.equal(await resultCount(b), 3);
});
