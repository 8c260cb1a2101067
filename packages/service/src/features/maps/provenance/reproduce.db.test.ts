import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { systemClock } from "@swath/base/clock";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { renderInProcess } from "@swath/maps/render/render-in-process";
import { boxPolygon, setPrice } from "../../credits/testing.ts";
import { rainScene } from "../analysis/rain-scene-testing.ts";
import { exportBench } from "../export/testing.ts";
import { mapBench, type MapBench } from "../testing.ts";

/** Replaces a part of the record of every map. */
async function rewrite({ db }: MapBench, path: readonly string[], value: unknown): Promise<void> {
  await sql`
    update maps set provenance = jsonb_set(provenance, ${[...path]}::text[], ${JSON.stringify(value)}::text::jsonb)`.execute(
    db,
  );
}

test("imagery and an index come out equal, until an input is gone or another one", async () => {
  await using bench = await exportBench();
  const { maps, token, byType, stored } = bench;
  const again = async (mapType: string): Promise<Awaited<ReturnType<MapBench["run"]>>["json"]> => {
    const { status, json, text } = await maps.run("/mapsvc/reproduce", { mapId: byType.get(mapType)?.mapId }, token);
    assert.equal(status, 200, text);
    return json;
  };
  for (const mapType of ["imagery", "ndvi"]) {
    const { outcome, sha256, expectedSha256, changes } = await again(mapType);
    assert.deepEqual([outcome, sha256, changes], ["equal", expectedSha256, []]);
  }
  const { sceneId } = stored.scene;
  await rewrite(maps, ["pixels", "sha256"], "0".repeat(64));
  assert.equal((await again("ndvi")).outcome, "different");

  await rewrite(maps, ["scenes", "0", "contentHash"], "1".repeat(64));
  const changed = await again("ndvi");
  assert.deepEqual([changed.outcome, changed.sha256], ["inputs-changed", null]);
  assert.deepEqual(changed.changes, [
    { input: "scene", id: sceneId, expected: "1".repeat(64), got: stored.contentHash },
  ]);

  await rewrite(maps, ["scenes", "0", "sceneId"], "ee.COPERNICUS_S2_SR_HARMONIZED.gone");
  const [gone] = (await again("imagery")).changes;
  assert.deepEqual([gone.input, gone.id, gone.got], ["scene", "ee.COPERNICUS_S2_SR_HARMONIZED.gone", null]);

  await rewrite(maps, ["models"], [{ id: "boats", version: "1", sha256: "2".repeat(64) }]);
  await rewrite(maps, ["scenes", "0", "sceneId"], sceneId);
  await rewrite(maps, ["scenes", "0", "contentHash"], stored.contentHash);
  const other = await again("imagery");
  assert.deepEqual(other.changes, [{ input: "model", id: "boats", expected: "2".repeat(64), got: null }]);
});

test("a result of an analysis is computed beside the kept one, and leaves nothing behind", async () => {
  let blobs: BlobStore | null = null;
  const scenes = async (store: BlobStore): Promise<readonly StoredScene[]> => {
    blobs = store;
    const { stored } = await rainScene(store, { widthPx: 600, heightPx: 600 });
    const scene = { ...stored.scene, sceneId: "ab.spot.rain", provider: "ab", dataset: "spot" };
    return [{ ...stored, scene }];
  };
  await using bench = await mapBench(scenes, systemClock);
  using renderer = renderInProcess(blobs!, 2 ** 24);
  bench.renderer.render = async (request) => await renderer.render(request);
  const { token, caller } = await bench.addUser("a@example.com", ["mapsvc", "credits", "imagery.images", "algorithms"]);
  const extent = boxPolygon([9.001, 49.61, 9.05, 49.64]);
  await setPrice(bench.db, "spot", 1_000_000n);
  await bench.db.transaction().execute((trx) => bench.credits.grant(trx, caller.groupId, 1_000_000_000n, "start"));
  await bench.credits.allocateArea(caller, { sceneIds: ["ab.spot.rain"], geojson: extent });
  const request = { mapTypes: ["precipitation"], sceneIds: ["ab.spot.rain"], extent };
  const released = await bench.run("/mapsvc/release", request, token);
  assert.equal(released.json.maps?.length, 1, released.text);
  const { mapId } = released.json.maps[0];
  const keys = async (): Promise<readonly string[]> => {
    const found: string[] = [];
    for await (const { key } of blobs!.list("")) found.push(key);
    return found;
  };
  const before = await keys();
  const { json, text } = await bench.run("/mapsvc/reproduce", { mapId }, token);
  assert.deepEqual([json.outcome, json.sha256], ["equal", json.expectedSha256], text);
  assert.deepEqual(await keys(), before);

  await rewrite(bench, ["algorithm", "version"], 99_999);
  const changed = await bench.run("/mapsvc/reproduce", { mapId }, token);
  assert.deepEqual([changed.json.outcome, changed.json.changes[0].input], ["inputs-changed", "algorithm"]);
});
