import assert from "node:assert/strict";
import { test } from "node:test";
import { boundsPolygon } from "../../packages/kernel/src/geometry/bounds-polygon.ts";
import {
  asAdvised,
  aSecond,
  follow,
  lastDays,
  type Pause,
  PLACE,
  recordedClient,
  withoutPause,
} from "./recorded-client.ts";

/** Some hundred pixels of ten metres across. */
const FIELD = boundsPolygon([153.11, -27.415, 153.12, -27.405]);
const PNG_SIZE_AT = 16;

const client = await recordedClient();

async function sceneIdsOf(request: object): Promise<readonly string[]> {
  const { result } = await follow(client, "/imagery/search", request, asAdvised);
  assert.equal(result.status, 200, JSON.stringify(result.body));
  return result.body.results.map(({ sceneId }: { sceneId: string }) => sceneId);
}

const SENTINEL = { provider: "ee", dataset: "COPERNICUS/S2_SR_HARMONIZED", extent: FIELD, minIntersection: 1 };

/** Width and height of a PNG. */
async function pngSize(url: string): Promise<readonly number[]> {
  const answer = await fetch(url);
  assert.equal(answer.status, 200, url);
  const header = Buffer.from(await answer.arrayBuffer()).subarray(PNG_SIZE_AT, PNG_SIZE_AT + 8);
  return [header.readUInt32BE(0), header.readUInt32BE(4)];
}

test("a release takes all scenes of the fullest page of a search, also in the flat form", async () => {
  const page = { provider: "pl", dataset: "PSScene4Band", extent: PLACE, ...lastDays(1200) };
  const sceneIds = await sceneIdsOf(page);
  assert.equal(sceneIds.length, 1000);
  for (const types of [{ mapTypes: ["imagery"] }, { mapType: "imagery" }]) {
    const { status, body } = await client.post("/mapsvc/release/initiate", { ...types, sceneIds, extent: PLACE });
    assert.equal(status, 200, JSON.stringify(body));
    const { pipelineId } = body;
    const partial = await client.post("/mapsvc/release/retrieve", { pipelineId, allowPartial: true });
    assert.equal(partial.status, 200, JSON.stringify(partial.body));
    assert.ok(Array.isArray(partial.body.maps));
    const early = await client.post("/mapsvc/release/retrieve", { pipelineId });
    assert.ok(early.status >= 400 && early.status < 500 && early.status !== 424, String(early.status));
    assert.equal((await client.post("/tasking/cancel", { pipelineId })).status, 200);
    const cancelled = await client.post("/mapsvc/release/retrieve", { pipelineId });
    assert.deepEqual([cancelled.status, cancelled.body.error], [424, "PIPELINE-CANCELLED"]);
  }
});

test("the page of five weeks is released to its end, followed by loops of 0 s, of 1 s and as advised", async () => {
  const sceneIds = await sceneIdsOf({ ...SENTINEL, ...lastDays(35) });
  assert.ok(sceneIds.length >= 3, `${sceneIds.length} scenes`);
  const released = (mapTypes: readonly string[], pause: Pause) =>
    follow(client, "/mapsvc/release", { mapTypes, sceneIds, extent: FIELD }, pause);
  const [first, second, third] = await Promise.all([
    released(["imagery"], withoutPause),
    released(["ndvi"], aSecond),
    released(["imagery", "ndvi"], asAdvised),
  ]);
  for (const { result } of [first, second, third]) {
    assert.equal(result.status, 200, JSON.stringify(result.body));
    assert.equal(result.body.counts.failed, 0, JSON.stringify(result.body.failed));
  }
  // Each question is held for 250 ms, or until the end.
  assert.ok(first.asked <= first.followedMs / 250 + 2, `${first.asked} questions in ${first.followedMs} ms`);
  assert.ok(second.asked <= second.followedMs / 1000 + 2, `${second.asked} questions in ${second.followedMs} ms`);
  assert.equal(first.result.body.imagery.length, sceneIds.length);
  assert.equal(third.result.body.maps.length, 2 * sceneIds.length);
});

test("the flat form answers a map whose files are read with its ID alone, with or without a token", async () => {
  const [sceneId] = await sceneIdsOf({ ...SENTINEL, ...lastDays(35) });
  assert.ok(sceneId !== undefined);
  const urls: string[] = [];
  for (const [mapType, file] of [
    ["imagery", "truecolor.png"],
    ["wrunc", "urban.png"],
  ] as const) {
    const { result } = await follow(
      client,
      `/mapsvc/release/${mapType}/geojson`,
      { sceneId, extent: FIELD },
      asAdvised,
    );
    assert.equal(result.status, 200, JSON.stringify(result.body));
    assert.deepEqual(Object.keys(result.body).toSorted(), ["mapId", "maxZoom", "tiles"]);
    const { mapId, maxZoom, tiles } = result.body;
    const [header, payload] = mapId.split(".").map((part: string) => Buffer.from(part, "base64url").toString());
    assert.equal(JSON.parse(header).alg, "HS256");
    const claims = JSON.parse(payload);
    assert.equal(claims.mapType, mapType);
    assert.deepEqual(
      claims.tiles.map(({ zoom, x, y }: Record<string, number>) => [zoom, x, y]),
      tiles,
    );
    assert.ok(claims.exp - Date.now() / 1000 > 364 * 86_400);
    assert.ok(tiles.length >= 1 && tiles.length <= 4);
    const [[zoom, x, y]] = tiles;
    assert.ok(tiles.every(([z]: readonly number[]) => z === zoom) && zoom <= maxZoom);
    const url = `${client.baseUrl}/mapsvc/grid/${mapId}/-/${zoom}/${x}/${y}/${file}`;
    urls.push(url);
    assert.equal((await client.get(url)).status, 200, "a token does no harm");
    const metadata = await fetch(url.replace(file, "metadata.json"));
    assert.equal(typeof ((await metadata.json()) as { algoVersion: unknown }).algoVersion, "string");
    const children = await Promise.all(
      [0, 1, 2, 3].map(async (n) => {
        const tile = `${zoom + 1}/${2 * x + (n % 2)}/${2 * y + (n >> 1)}`;
        return (await fetch(`${client.baseUrl}/mapsvc/grid/${mapId}/-/${tile}/${file}`)).status;
      }),
    );
    assert.ok(zoom === maxZoom || children.includes(200), `descendants of a listed tile: ${children.join(", ")}`);
    assert.ok(children.every((status) => status === 200 || status === 204 || status === 404));
    const stranger = await fetch(`${client.baseUrl}/mapsvc/grid/${mapId}/-/${zoom}/${x + 50}/${y}/${file}`);
    assert.equal(stranger.status, 401);
    assert.equal((await fetch(`${client.baseUrl}/mapsvc/map-types/${mapId}`)).status, 200);
  }
  const sizes = await Promise.all(urls.map(pngSize));
  assert.deepEqual(sizes[0], [512, 512]);
  assert.deepEqual(sizes[0], sizes[1]);
});

test("dry runs take lists and objects of scenes, and an image is exported as SKI at a plain address", async () => {
  const [sceneId] = await sceneIdsOf({ ...SENTINEL, ...lastDays(35) });
  for (const scenes of [[[sceneId]], [{ sceneId }]]) {
    const dryRuns = [{ mapTypes: ["imagery"], scenes }];
    const { result } = await follow(client, "/mapsvc/dry-run", { dryRuns, extent: FIELD }, asAdvised);
    assert.equal(result.status, 200, JSON.stringify(result.body));
    assert.equal(result.body.scenes[0].sceneId, sceneId);
  }
  const { result } = await follow(client, "/imagery/get-image", { sceneId, extent: FIELD }, asAdvised);
  assert.equal(result.status, 200, JSON.stringify(result.body));
  const file = await fetch(result.body.url);
  assert.equal(file.status, 200);
  assert.deepEqual([...Buffer.from(await file.arrayBuffer()).subarray(0, 2)], [0x1f, 0x8b], "a gzip-compressed tar");
});

test("a release whose every map fails is RESOLVED and says so at its top", async () => {
  const [sceneId] = await sceneIdsOf({ ...SENTINEL, ...lastDays(35) });
  const request = {
    mapTypes: ["ships", "imagery"],
    sceneIds: [sceneId],
    extent: boundsPolygon([10, 50, 10.01, 50.01]),
  };
  const { result } = await follow(client, "/mapsvc/release", request, asAdvised);
  assert.deepEqual([result.status, result.body.counts], [200, { succeeded: 0, failed: 2 }]);
  assert.ok(result.body.failed.every(({ errorCode }: { errorCode: string }) => errorCode === "ZERO-TILES-AVAILABLE"));
});
