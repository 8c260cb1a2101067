import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { MAX_LINKS_PER_USER } from "@swath/contract/features/maps/links-contract";
import { boxPolygon } from "../../credits/testing.ts";
import { exportBench, type ExportBench } from "../export/testing.ts";
import { deleteExpiredLinks } from "./link-store.ts";

const AREA = boxPolygon([9.02, 49.6, 9.05, 49.62]);
const RIGHTS = ["mapsvc", "analytics", "imagery.images", "algorithms"];
const INVALID = [400, "INVALID-MAP-ID"];

interface Link {
  readonly linkId: string;
  readonly mapId: string;
  readonly mapType: string;
  readonly name: string | null;
  readonly createdAt: string;
  readonly expiresAt: string;
}

describe("links to maps", () => {
  let bench: ExportBench;
  let mapId = "";
  let token = "";
  let tile = "";
  let now = new Date("2026-03-01T12:00:00.400Z");
  before(async () => {
    bench = await exportBench(undefined, { now: () => now });
    const map = bench.byType.get("ndvi")!;
    ({ mapId } = map);
    tile = map.tiles[0]!.join("/");
    ({ token } = await bench.maps.addUser("sharer@example.com", RIGHTS));
  });
  after(() => bench[Symbol.asyncDispose]());

  const create = (body: object, as = token) => bench.maps.post("/mapsvc/link/create", { mapId, ...body }, as);
  async function link(body: object = {}, as = token): Promise<Link> {
    const { status, json, text } = await create(body, as);
    assert.equal(status, 200, text);
    return json;
  }
  const list = async (as = token): Promise<readonly Link[]> =>
    (await bench.maps.post("/mapsvc/link/list", {}, as)).json.results;
  const revoke = (linkId: string, as = token) => bench.maps.post("/mapsvc/link/revoke", { linkId }, as);

  /** Status and error code of every operation that takes a map ID. */
  async function everywhere(id: string): Promise<ReadonlyMap<string, readonly unknown[]>> {
    const answers = new Map<string, readonly unknown[]>();
    for (const path of [
      `/mapsvc/grid/${id}/-/${tile}/ndvi.png`,
      `/mapsvc/grid/${id}/-/metadata.json`,
      `/mapsvc/map-types/${id}`,
      `/mapsvc/map-groups/${id}`,
    ]) {
      const { status, json } = await bench.maps.get(path);
      answers.set(path.replace(id, "<id>"), [status, json?.error]);
    }
    for (const [path, body] of [
      ["/mapsvc/point/get", { mapId: id, points: [[9.03, 49.61]] }],
      ["/mapsvc/provenance/get", { mapId: id }],
      ["/mapsvc/link/create", { mapId: id }],
      ["/mapsvc/export/initiate", { mapId: id, gridFile: "png" }],
      ["/mapsvc/statistics/initiate", { areas: AREA, mapIds: [id] }],
      ["/mapsvc/timelapse/initiate", { mapIds: [id] }],
      ["/mapsvc/reproduce/initiate", { mapId: id }],
      ["/mapsvc/pdf-report/initiate", { maps: [id] }],
    ] as const) {
      const { status, json } = await bench.maps.post(path, body, token);
      answers.set(path, [status, json.error]);
    }
    return answers;
  }

  test("the map ID of a link draws the same tiles and values as the map ID of the release, without an account", async () => {
    const { mapId: linked } = await link();
    assert.notEqual(linked, mapId);
    for (const file of [`${tile}/ndvi.png`, "metadata.json"]) {
      const [own, shared] = [
        await bench.maps.get(`/mapsvc/grid/${mapId}/-/${file}`),
        await bench.maps.get(`/mapsvc/grid/${linked}/-/${file}`),
      ];
      assert.equal(shared.status, 200, shared.text);
      assert.equal(shared.text, own.text);
      assert.equal(shared.headers.get("etag"), own.headers.get("etag"));
      assert.match(own.headers.get("cache-control")!, /immutable/);
      // Browsers would keep the tiles of a revoked link for a year.
      assert.equal(shared.headers.get("cache-control"), "public, max-age=60");
    }
  });

  test("a link states its expiry: 30 days unless requested, at most the expiry of the map ID", async () => {
    assert.equal((await link()).expiresAt, "2026-03-31T12:00:00.000Z");
    assert.equal((await link({ expiresInSeconds: 3600 })).expiresAt, "2026-03-01T13:00:00.000Z");
    const year = 365 * 24 * 3600;
    assert.equal((await link({ expiresInSeconds: year })).expiresAt, "2027-03-01T12:00:00.000Z");
    for (const expiresInSeconds of [59, year + 1, 90.5, "60"]) {
      assert.deepEqual([(await create({ expiresInSeconds })).status], [422], String(expiresInSeconds));
    }
    now = new Date(now.getTime() + 10_000);
    const { status, json } = await create({ expiresInSeconds: year });
    assert.equal(status, 422);
    assert.match(json.errorMessage, new RegExp(`at most ${year - 10}, .* got ${year}`));
  });

  test("an expired link is INVALID-MAP-ID wherever a map ID is taken; the map ID of the release works on", async () => {
    const { linkId, mapId: linked } = await link({ expiresInSeconds: 60 });
    for (const [place, [status]] of await everywhere(linked)) {
      if (place !== "/mapsvc/link/create") assert.ok(status !== 400, place);
    }
    now = new Date(now.getTime() + 61_000);
    for (const [place, answer] of await everywhere(linked)) assert.deepEqual(answer, INVALID, place);
    assert.equal((await bench.maps.get(`/mapsvc/grid/${mapId}/-/${tile}/ndvi.png`)).status, 200);
    assert.ok(!(await list()).some((one) => one.linkId === linkId));
    assert.equal(
      (await bench.maps.db.selectFrom("map_links").select("id").execute()).some(({ id }) => id === linkId),
      true,
    );
    await deleteExpiredLinks(bench.maps.db, now);
    assert.equal(
      (await bench.maps.db.selectFrom("map_links").select("id").execute()).some(({ id }) => id === linkId),
      false,
    );
  });

  test("a revoked link is INVALID-MAP-ID at once wherever a map ID is taken; other links and the map work on", async () => {
    const [revoked, other] = [await link(), await link()];
    assert.equal((await bench.maps.get(`/mapsvc/grid/${revoked.mapId}/-/${tile}/ndvi.png`)).status, 200);
    assert.deepEqual((await revoke(revoked.linkId)).json, {});
    for (const [place, answer] of await everywhere(revoked.mapId)) assert.deepEqual(answer, INVALID, place);
    for (const id of [other.mapId, mapId]) {
      assert.equal((await bench.maps.get(`/mapsvc/grid/${id}/-/${tile}/ndvi.png`)).status, 200);
    }
    assert.deepEqual([(await revoke(revoked.linkId)).json.error], ["NON-EXISTENT-LINK"]);
  });

  test("a map ID of a link within an analysis ends with the link", async () => {
    const { linkId, mapId: linked } = await link();
    const bound = await bench.maps.maps.bindMap(linked, "some-analysis");
    await revoke(linkId);
    assert.deepEqual((await bench.maps.get(`/mapsvc/map-types/${bound}`)).json.error, "INVALID-MAP-ID");
  });

  test("users list and revoke only their own links, newest first", async () => {
    const { token: otherToken } = await bench.maps.addUser("other@example.com", RIGHTS);
    const first = await link({ name: "for the harbour" }, otherToken);
    now = new Date(now.getTime() + 1_000);
    const second = await link({}, otherToken);
    assert.deepEqual(await list(otherToken), [second, first]);
    assert.deepEqual([first.name, second.name, first.mapType], ["for the harbour", null, "ndvi"]);
    const { status, json } = await revoke(first.linkId);
    assert.deepEqual([status, json.error], [404, "NON-EXISTENT-LINK"]);
    assert.equal((await list(otherToken)).length, 2);
    assert.equal((await bench.maps.post("/mapsvc/link/list", {})).status, 401);
  });

  test("links of links, foreign map IDs and unknown members are refused", async () => {
    const { mapId: linked } = await link();
    const { status, json } = await create({ mapId: linked });
    assert.deepEqual([status, json.error, json.details[0].path], [422, "VALIDATION-ERROR", "/mapId"]);
    const { json: foreign } = await create({ mapId: "a.b.c" });
    assert.equal(foreign.error, "INVALID-MAP-ID");
    assert.equal((await create({ expires: 60 })).status, 422);
  });

  test("a user has a bounded number of links, counted under concurrency; expired ones do not count", async () => {
    const { token: busy } = await bench.maps.addUser("busy@example.com", RIGHTS);
    for (let made = 0; made < MAX_LINKS_PER_USER - 5; made += 1) await link({ expiresInSeconds: 60 }, busy);
    const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await create({}, busy)).status));
    assert.deepEqual(
      statuses.toSorted((a, b) => a - b),
      [200, 200, 200, 200, 200, 409, 409, 409, 409, 409],
    );
    assert.equal((await list(busy)).length, MAX_LINKS_PER_USER);
    now = new Date(now.getTime() + 61_000);
    assert.equal((await list(busy)).length, 5);
    assert.equal((await create({}, busy)).status, 200);
  });

  test("links end with the account of their owner", async () => {
    const { token: leaving, caller } = await bench.maps.addUser("leaving@example.com", RIGHTS);
    const { mapId: linked } = await link({}, leaving);
    await bench.maps.db.deleteFrom("users").where("id", "=", caller.userId).execute();
    assert.deepEqual((await bench.maps.get(`/mapsvc/map-types/${linked}`)).json.error, "INVALID-MAP-ID");
  });
});
