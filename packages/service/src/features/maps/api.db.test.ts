import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { systemClock } from "@swath/base/clock";
import { recordedEvents } from "../../platform/events/testing.ts";
import { boxPolygon, setPrice, testScene } from "../credits/testing.ts";
import { mapBench, type Answer, type MapBench } from "./testing.ts";

const priced = testScene("one");
const gray = testScene("gray", { provider: "ee", dataset: "LANDSAT/LE07/C02/T1", roles: [null] });
const pricedId = priced.scene.sceneId;
const grayId = gray.scene.sceneId;
const extent = boxPolygon([14.05, 50.05, 14.15, 50.1]);
const TILES = [
  [11, 1103, 693],
  [11, 1104, 693],
  [11, 1103, 694],
  [11, 1104, 694],
];
const RIGHTS = ["mapsvc.release", "credits", "imagery.images", "algorithms"];

async function bench(): Promise<MapBench> {
  const made = await mapBench([priced, gray], systemClock);
  await setPrice(made.db, "spot", 1_000_000n);
  return made;
}

/** A user with credit and the area allocated. */
async function payer(b: MapBench, permissions: readonly string[] = RIGHTS): Promise<string> {
  const { token, caller } = await b.addUser("payer@example.com", permissions);
  await b.db.transaction().execute((trx) => b.credits.grant(trx, caller.groupId, 1_000_000_000n, "start"));
  await b.credits.allocateArea(caller, { sceneIds: [pricedId], geojson: extent });
  return token;
}

function refusal(answer: Answer): readonly [number, string] {
  return [answer.status, answer.json?.error];
}

test("a release is refused with 402 until the area is allocated", async () => {
  await using b = await bench();
  const { token, caller } = await b.addUser("a@example.com", RIGHTS);
  const request = { mapTypes: ["imagery"], sceneIds: [pricedId], extent };
  assert.deepEqual(refusal(await b.run("/mapsvc/release", request, token)), [402, "CREDITS-ERROR"]);
  await b.db.transaction().execute((trx) => b.credits.grant(trx, caller.groupId, 1_000_000_000n, "start"));
  const paid = await b.post("/credits/area/allocate-geojson", { sceneIds: [pricedId], geojson: extent }, token);
  assert.equal(paid.status, 200);
  assert.ok(paid.json.cost > 0);
  assert.deepEqual((await b.post("/credits/get-remaining-credit", {}, token)).json, {
    remainingCredit: paid.json.remainingCredit,
  });
  const result = await b.run("/mapsvc/release", request, token);
  assert.equal(result.status, 200);
  assert.equal(result.json.maps.length, 1);
});

test("a map type with a price of its own is asked for on top of the scene, and then released", async () => {
  await using b = await bench();
  const token = await payer(b);
  await sql`
    insert into credit_price_rules (id, dataset, map_type, micro_per_km2) values ('ndvi', 'spot', 'ndvi', 1000)`.execute(
    b.db,
  );
  const request = { mapTypes: ["imagery", "ndvi"], sceneIds: [pricedId], extent };
  assert.equal((await b.run("/mapsvc/release", { ...request, mapTypes: ["imagery"] }, token)).status, 200);
  assert.deepEqual(refusal(await b.run("/mapsvc/release", request, token)), [402, "CREDITS-ERROR"]);
  const legacy = { sceneId: pricedId, extent };
  assert.deepEqual(refusal(await b.run("/mapsvc/release/ndvi/geojson", legacy, token)), [402, "CREDITS-ERROR"]);
  const wanted = { sceneIds: [pricedId], geojson: extent, mapTypes: ["imagery", "ndvi"] };
  const paid = await b.post("/credits/area/allocate-geojson", wanted, token);
  assert.ok(paid.json.cost > 0);
  assert.equal((await b.run("/mapsvc/release", request, token)).json.maps.length, 2);
});

function kinds(list: readonly { readonly mapType: string; readonly sceneId: string }[]) {
  return list.map(({ mapType, sceneId }) => [mapType, sceneId]);
}

test("a release answers maps and failures, in one list each and by map type", async () => {
  await using b = await bench();
  const token = await payer(b);
  const request = { mapTypes: ["imagery", "ndvi", "imagery"], sceneIds: [pricedId, grayId, pricedId], extent };
  const { status, json } = await b.run("/mapsvc/release", request, token);
  assert.equal(status, 200);
  const [event] = await recordedEvents(b.db, "map.released");
  assert.deepEqual(
    event?.data["maps"],
    json.maps.map(({ mapId, mapType, sceneId }: Record<string, unknown>) => ({ mapId, mapType, sceneId })),
  );
  assert.deepEqual(kinds(json.maps), [
    ["imagery", pricedId],
    ["ndvi", pricedId],
    ["imagery", grayId],
  ]);
  assert.deepEqual(kinds(json.failed), [["ndvi", grayId]]);
  assert.equal(json.failed[0].errorCode, "UNSUPPORTED-IMAGERY");
  assert.deepEqual(
    kinds(json.imagery),
    kinds(json.maps).filter(([type]) => type === "imagery"),
  );
  assert.deepEqual(
    json.ndvi.map((one: { status: string }) => one.status),
    ["succeeded", "failed"],
  );
  assert.deepEqual(json.maps[0].tiles, TILES);
  assert.equal(json.maps[0].maxZoom, 14);
});

test("a release in which nothing succeeds is RESOLVED with its failures; the legacy forms fail", async () => {
  await using b = await bench();
  const token = await payer(b);
  const beside = boxPolygon([20, 50, 20.1, 50.1]);
  const { status, json } = await b.run(
    "/mapsvc/release",
    { mapTypes: ["imagery"], sceneIds: [pricedId], extent: beside },
    token,
  );
  assert.equal(status, 200);
  assert.deepEqual(json.maps, []);
  assert.equal(json.failed[0].errorCode, "ZERO-TILES-AVAILABLE");
  const legacy = { mapType: "imagery", sceneIds: [pricedId], extent: beside };
  assert.deepEqual(refusal(await b.run("/mapsvc/release", legacy, token)), [424, "ZERO-TILES-AVAILABLE"]);
  const addressed = await b.run("/mapsvc/release/ndvi/geojson", { sceneId: grayId, extent }, token);
  assert.deepEqual(refusal(addressed), [424, "UNSUPPORTED-IMAGERY"]);
});

test("both legacy forms answer a flat map", async () => {
  await using b = await bench();
  const token = await payer(b);
  const one = await b.run("/mapsvc/release", { mapType: "imagery", sceneIds: [pricedId], extent }, token);
  assert.deepEqual(one.json.tiles, TILES);
  assert.equal(one.json.maxZoom, 14);
  assert.equal(one.json.mapId, one.json.maps[0].mapId);
  const two = await b.run("/mapsvc/release/imagery/geojson", { sceneId: pricedId, extent }, token);
  assert.deepEqual(Object.keys(two.json).toSorted(), ["mapId", "maxZoom", "tiles"]);
  assert.deepEqual(two.json.tiles, TILES);
});

test("rights are asked for by map type and dataset", async () => {
  await using b = await bench();
  const request = { mapTypes: ["imagery", "ndvi"], sceneIds: [grayId], extent };
  const initiate = async (email: string, permissions: readonly string[]) => {
    const { token } = await b.addUser(email, permissions);
    return refusal(await b.post("/mapsvc/release/initiate", request, token));
  };
  const missing = [401, "NOT-AUTHORIZED"];
  assert.deepEqual(await initiate("a@x.org", ["imagery.images", "algorithms"]), missing);
  assert.deepEqual(await initiate("b@x.org", ["mapsvc.release", "imagery.images"]), missing);
  assert.deepEqual(await initiate("c@x.org", ["mapsvc", "imagery.images.ab", "algorithms.ndvi"]), missing);
  assert.deepEqual(await initiate("d@x.org", ["mapsvc", "imagery.images.ee", "algorithms.ndvi.ee"]), [200, undefined]);
  const anonymous = await b.post("/mapsvc/release/initiate", request);
  assert.deepEqual(refusal(anonymous), [401, "INVALID-AUTHORIZATION-HEADER"]);
});

test("requests that name unknown things or no area are refused", async () => {
  await using b = await bench();
  const token = await payer(b);
  const initiate = async (change: object) => {
    const request = { mapTypes: ["imagery"], sceneIds: [pricedId], extent, ...change };
    return refusal(await b.post("/mapsvc/release/initiate", request, token));
  };
  assert.deepEqual(await initiate({ mapTypes: ["imagery", "nothing"] }), [422, "VALIDATION-ERROR"]);
  assert.deepEqual(await initiate({ mapTypes: undefined }), [422, "VALIDATION-ERROR"]);
  assert.deepEqual(await initiate({ mapTypes: [] }), [422, "VALIDATION-ERROR"]);
  assert.deepEqual(await initiate({ extent: { type: "Point", coordinates: [14, 50] } }), [422, "VALIDATION-ERROR"]);
  assert.deepEqual(await initiate({ extent: boxPolygon([14, 50, 14.1, 86]) }), [422, "VALIDATION-ERROR"]);
  assert.deepEqual(await initiate({ sceneIds: ["ab.spot.none"] }), [404, "NON-EXISTING-SCENE"]);
  assert.deepEqual(await initiate({ sceneIds: ["nonsense"] }), [404, "NON-EXISTING-SCENE"]);
  assert.deepEqual(await initiate({ subGeometry: boxPolygon([20, 50, 21, 51]) }), [400, "EXTENT-HAS-NO-INTERSECTION"]);
});

test("the same map is stored once, whoever releases it and however often a run is repeated", async () => {
  await using b = await bench();
  const token = await payer(b);
  const request = { mapTypes: ["imagery", "ndvi"], sceneIds: [pricedId], extent };
  await b.run("/mapsvc/release", request, token);
  await b.run("/mapsvc/release", request, token);
  // A worker that dies after its last statement leaves the pipeline to another: the run is repeated in full.
  const job = {
    pipelineId: "p".repeat(20),
    attempt: 2,
    failures: 0,
    caller: (await b.addUser("other@example.com", RIGHTS)).caller,
    baseUrl: "http://localhost",
    signal: new AbortController().signal,
    report: async () => {},
    savePartial: async () => {},
  };
  const first = await b.maps.release.run(request, job);
  const second = await b.maps.release.run(request, job);
  assert.equal(first.result.maps.length, 2);
  assert.deepEqual(
    second.result.maps.map(({ tiles }) => tiles),
    first.result.maps.map(({ tiles }) => tiles),
  );
  const { rows } = await sql<{ maps: number; geometries: number }>`
    select (select count(*)::int from maps) as maps, (select count(*)::int from map_geometries) as geometries`.execute(
    b.db,
  );
  assert.deepEqual(rows, [{ maps: 2, geometries: 1 }]);
  assert.equal(b.renderer.digests.length, 2, "a map that is kept is not drawn again");
});

test("a run that is stopped half-way leaves what was made as partial result", async () => {
  await using b = await bench();
  const { caller } = await b.addUser("a@example.com", RIGHTS);
  const stop = new AbortController();
  const partials: unknown[] = [];
  const run = b.maps.release.run(
    { mapTypes: ["imagery"], sceneIds: [pricedId, grayId], extent },
    {
      pipelineId: "p".repeat(20),
      attempt: 1,
      failures: 0,
      caller,
      baseUrl: "http://localhost",
      signal: stop.signal,
      report: async () => {},
      savePartial: async (partial) => {
        partials.push(partial);
        stop.abort(new Error("stopped"));
      },
    },
  );
  await assert.rejects(run, /stopped/u);
  assert.equal(partials.length, 1);
});

interface Released {
  readonly mapId: string;
  readonly maxZoom: number;
  readonly token: string;
}

async function released(b: MapBench, mapType = "imagery"): Promise<Released> {
  const token = await payer(b);
  const { json } = await b.run("/mapsvc/release", { mapTypes: [mapType], sceneIds: [pricedId], extent }, token);
  return { mapId: json.maps[0].mapId, maxZoom: json.maps[0].maxZoom, token };
}

test("a tile is answered with the map ID alone, and again from memory", async () => {
  await using b = await bench();
  const { mapId } = await released(b);
  const path = `/mapsvc/grid/${mapId}/-/11/1103/693/truecolor.png`;
  const first = await b.get(path);
  assert.equal(first.status, 200);
  assert.equal(first.headers.get("content-type"), "image/png");
  assert.equal(first.text, "truecolor.png");
  assert.match(String(first.headers.get("cache-control")), /^public, immutable, max-age=31\d{6}$/u);
  const [request] = b.renderer.requests;
  assert.deepEqual(request?.window, { kind: "tile", z: 11, x: 1103, y: 693, sizePx: 512 });
  assert.equal(request?.scene.sceneId, pricedId);
  assert.deepEqual(request?.clip?.coordinates.length, 1);

  assert.equal((await b.get(path)).text, "truecolor.png");
  assert.equal((await b.get(path, {}, "HEAD")).headers.get("content-length"), "13");
  assert.equal(b.renderer.requests.length, 1);
});

test("an entity tag saves reading pixels, and parameters change it", async () => {
  await using b = await bench();
  const { mapId } = await released(b, "ndvi");
  const path = `/mapsvc/grid/${mapId}/-/12/2206/1386/ndvi.png`;
  const { headers } = await b.get(path);
  const etag = String(headers.get("etag"));
  const drawn = b.renderer.requests.length;
  const same = await b.get(path, { "if-none-match": `"x", W/${etag}` });
  assert.equal(same.status, 304);
  assert.equal(same.text, "");
  assert.equal(same.headers.get("etag"), etag);
  assert.equal(b.renderer.requests.length, drawn);
  const tags = new Set([etag]);
  for (const query of ["user_threshold=0.5", "percentile_stretch=true", "force_download=1", "stretch=-0.2,0.8"]) {
    const other = await b.get(`${path}?${query}`, { "if-none-match": etag });
    assert.equal(other.status, 200);
    tags.add(String(other.headers.get("etag")));
  }
  assert.equal(tags.size, 5);
  for (const wrong of ["1", "0,x", "1,0", "0,1&percentile_stretch=1"]) {
    assert.equal((await b.get(`${path}?stretch=${wrong}`)).status, 422, wrong);
  }
  const asked = b.renderer.requests.slice(drawn);
  assert.deepEqual(
    asked.map(({ userThreshold, percentileStretch, forceDownload, stretch }) => [
      userThreshold,
      percentileStretch,
      forceDownload,
      stretch,
    ]),
    [
      [0.5, false, false, null],
      [null, true, false, null],
      [null, false, true, null],
      [null, false, false, { low: -0.2, high: 0.8 }],
    ],
  );
});

test("a tile without valid pixels is 204, one without data 404", async () => {
  await using b = await bench();
  const { mapId } = await released(b);
  b.renderer.answer = ({ window }) => ({ kind: window.kind === "tile" && window.x === 1103 ? "empty" : "outside" });
  const empty = await b.get(`/mapsvc/grid/${mapId}/-/11/1103/693/truecolor.png`);
  assert.deepEqual([empty.status, empty.text], [204, ""]);
  const outside = await b.get(`/mapsvc/grid/${mapId}/-/11/1104/693/truecolor.png`);
  assert.deepEqual(refusal(outside), [404, "TILE-NOT-FOUND"]);
});

test("what the map ID does not allow is 400, 401 or 404", async () => {
  await using b = await bench();
  const { mapId } = await released(b);
  const [header = "", payload = "", signature = ""] = mapId.split(".");
  const cases: readonly (readonly [string, number, string])[] = [
    [`${header}.${payload}.A${signature.slice(1)}x/-/11/1103/693/truecolor.png`, 400, "INVALID-MAP-ID"],
    ["nonsense/-/11/1103/693/truecolor.png", 400, "INVALID-MAP-ID"],
    [`${"a".repeat(5000)}/-/11/1103/693/truecolor.png`, 400, "INVALID-MAP-ID"],
    [`${mapId}/-/11/1102/693/truecolor.png`, 401, "TILE-NOT-INCLUDED"],
    [`${mapId}/-/10/551/346/truecolor.png`, 401, "TILE-NOT-INCLUDED"],
    [`${mapId}/-/2/9/9/truecolor.png`, 401, "TILE-NOT-INCLUDED"],
    // Past maxZoom 14, a descendant of a listed tile.
    [`${mapId}/-/15/${1103 * 16}/${693 * 16}/truecolor.png`, 404, "TILE-NOT-FOUND"],
    [`${mapId}/-/11/1103/693/ndvi.png`, 404, "TILE-NOT-FOUND"],
    [`${mapId}/unknown/11/1103/693/truecolor.png`, 404, "NON-EXISTENT-GEOMETRY"],
    [`${mapId}/-/11/x/693/truecolor.png`, 404, "NON-EXISTENT-ENDPOINT"],
    [`${mapId}/-/11/1103/693/truecolor.png?user_threshold=1.5`, 422, "VALIDATION-ERROR"],
    [`${mapId}/-/11/1103/693/truecolor.png?force_download=perhaps`, 400, "BAD-REQUEST"],
    [`${mapId}/-/11/1103/693/truecolor.png?download_unclipped=1`, 401, "NOT-AUTHORIZED"],
  ];
  for (const [path, status, code] of cases) {
    assert.deepEqual(refusal(await b.get(`/mapsvc/grid/${path}`)), [status, code], path);
  }
  assert.equal(b.renderer.requests.length, 0);
});

test("unclipped files need a token with the right, and are not for shared caches", async () => {
  await using b = await bench();
  const { mapId, token } = await released(b);
  const path = `/mapsvc/grid/${mapId}/-/11/1103/693/truecolor.png`;
  const url = `${path}?download_unclipped=True`;
  const denied = await b.get(url, { authorization: `Bearer ${token}` });
  assert.deepEqual(refusal(denied), [401, "NOT-AUTHORIZED"]);
  assert.deepEqual(refusal(await b.get(path, { authorization: "Bearer nonsense" })), [401, "INVALID-JWT"]);
  const { token: mighty } = await b.addUser("mighty@example.com", ["mapsvc.download-unclipped"]);
  const allowed = await b.get(url, { authorization: `Bearer ${mighty}` });
  assert.equal(allowed.status, 200);
  assert.match(String(allowed.headers.get("cache-control")), /^private/u);
  assert.equal(b.renderer.requests[0]?.clip, null);
});

test("a file of the whole area covers the released area", async () => {
  await using b = await bench();
  const { mapId } = await released(b);
  const { status } = await b.get(`/mapsvc/grid/${mapId}/-/truecolor.png`);
  assert.equal(status, 200);
  const window = b.renderer.requests[0]?.window;
  assert.deepEqual(window?.kind === "bounds" ? window.bounds : null, [14.05, 50.05, 14.15, 50.1]);
});

test("a sub-geometry is downloaded by the id of the initiate answer", async () => {
  await using b = await bench();
  const token = await payer(b);
  const subGeometry = boxPolygon([14.1, 50.06, 14.2, 50.08]);
  const request = { mapTypes: ["imagery"], sceneIds: [pricedId], extent, subGeometry };
  const initiated = await b.post("/mapsvc/release/initiate", request, token);
  const { subGeometryId } = initiated.json;
  assert.match(subGeometryId, /^[\w-]{32}$/u);
  const { json } = await b.run("/mapsvc/release", request, token);
  await b.get(`/mapsvc/grid/${json.maps[0].mapId}/${subGeometryId}/truecolor.png`);
  const window = b.renderer.requests[0]?.window;
  // Only what was released of it.
  assert.deepEqual(window?.kind === "bounds" ? window.bounds : null, [14.1, 50.06, 14.15, 50.08]);
});

test("a sub-geometry beside the map has no file of the whole area", async () => {
  await using b = await bench();
  const token = await payer(b);
  const west = {
    mapTypes: ["imagery"],
    sceneIds: [pricedId],
    extent,
    subGeometry: boxPolygon([14.06, 50.06, 14.07, 50.07]),
  };
  const { subGeometryId } = (await b.post("/mapsvc/release/initiate", west, token)).json;
  const east = { mapTypes: ["imagery"], sceneIds: [pricedId], extent: boxPolygon([14.1, 50.06, 14.14, 50.08]) };
  const { json } = await b.run("/mapsvc/release", east, token);
  const answer = await b.get(`/mapsvc/grid/${json.maps[0].mapId}/${subGeometryId}/truecolor.png`);
  assert.deepEqual(refusal(answer), [404, "TILE-NOT-FOUND"]);
});

test("map types are listed at both addresses and looked up by map ID", async () => {
  await using b = await bench();
  const { mapId, maxZoom, token } = await released(b, "ndvi");
  const list = await b.post("/mapsvc/map-types/list", {}, token);
  assert.equal(list.status, 200);
  assert.ok(list.json.some((entry: { mapType: string }) => entry.mapType === "ndvi"));
  const short = await b.post("/mapsvc/map-types", {}, token);
  assert.deepEqual([short.json, short.headers.get("etag")], [list.json, list.headers.get("etag")]);
  assert.deepEqual((await b.get(`/mapsvc/map-types/${mapId}`)).json, {
    mapType: "ndvi",
    deprecatedClasses: {},
    maxZoom,
  });
  assert.deepEqual(refusal(await b.get("/mapsvc/map-types/nonsense")), [400, "INVALID-MAP-ID"]);
});

test("a map that is being looked at needs no statement for its further tiles", async () => {
  await using b = await bench();
  const { mapId } = await released(b);
  assert.equal((await b.get(`/mapsvc/grid/${mapId}/-/11/1103/693/truecolor.png`)).status, 200);
  await sql`delete from maps`.execute(b.db);
  assert.equal((await b.get(`/mapsvc/grid/${mapId}/-/12/2207/1387/truecolor.png`)).status, 200);
});
