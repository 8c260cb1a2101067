import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { systemClock } from "@swath/base/clock";
import { boxPolygon, testScene } from "../credits/testing.ts";
import { mapBench, type MapBench } from "./testing.ts";

const scene = testScene("free", { provider: "ee", dataset: "COPERNICUS/S2_SR_HARMONIZED" });
const extent = boxPolygon([14.05, 50.05, 14.15, 50.1]);

async function bench(): Promise<MapBench & { readonly mapId: string }> {
  const made = await mapBench([scene], systemClock);
  const { token } = await made.addUser("a@example.com", ["mapsvc.release", "imagery.images", "algorithms"]);
  const request = { mapTypes: ["ndvi"], sceneIds: [scene.scene.sceneId], extent };
  const { json } = await made.run("/mapsvc/release", request, token);
  return Object.assign(made, { mapId: String(json.maps[0].mapId) });
}

test("maps of an old version are served with tiles of 256 pixels", async () => {
  await using b = await bench();
  await sql`update maps set version = 372`.execute(b.db);
  assert.equal((await b.get(`/mapsvc/grid/${b.mapId}/-/11/1103/693/ndvi.png`)).status, 200);
  assert.deepEqual(b.renderer.requests[0]?.window, { kind: "tile", z: 11, x: 1103, y: 693, sizePx: 256 });
  assert.equal(b.renderer.requests[0]?.version, 372);
});

test("own classes reach the renderer, and nonsense is refused before anything is drawn", async () => {
  await using b = await bench();
  const path = `/mapsvc/grid/${b.mapId}/-/11/1103/693`;
  const classes = encodeURIComponent("bare:-1:0.2:#b0903c\ngreen:0.2::#1a9641");
  assert.equal((await b.get(`${path}/ndvi.png?classification=${classes}`)).status, 200);
  assert.deepEqual(
    b.renderer.requests[0]?.classification?.ranges.map(({ name, high }) => [name, high]),
    [
      ["bare", 0.2],
      ["green", Infinity],
    ],
  );
  for (const query of ["classification=water", "user_threshold=2", "detection_filters=area%20about%205"]) {
    const { status, json } = await b.get(`${path}/ndvi.png?${query}`);
    assert.deepEqual([status, json.error], [422, "VALIDATION-ERROR"], query);
    assert.match(json.details[0].path, /^\/(?:classification|user_threshold|detection_filters)$/);
  }
  assert.equal(b.renderer.requests.length, 1);
});

test("groups of map types fit the scene of the map, without a token", async () => {
  await using b = await bench();
  const { status, json } = await b.get(`/mapsvc/map-groups/${b.mapId}`);
  assert.equal(status, 200);
  assert.ok(json.vegetation.mapTypes.includes("ndvi"));
  assert.ok(json.imagery.mapTypes.includes("imagery"));
  assert.ok(!("night" in json), "no optical scene shows lights at night");
  for (const group of Object.values<Record<string, unknown>>(json)) {
    for (const member of ["icon", "title", "description", "longDescription"])
      assert.equal(typeof group[member], "string");
    assert.equal("mapTypes" in group, !("types" in group));
  }
  assert.equal((await b.get("/mapsvc/map-groups/nonsense")).status, 400);
});
