import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { Log } from "@swath/base/log/log";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { sceneId } from "@swath/kernel/scenes/scene-id";
import { ManualTime } from "@swath/raster/remote/testing";
import { conformsToSource } from "@swath/raster/source/scene-source.conformance";
import type { SourceQuery } from "@swath/raster/source/scene-source";
import { forgetScenes } from "../../features/imagery/forget-scenes.ts";
import { testDatabase, type TestDatabase } from "../../platform/postgres/testing.ts";
import type { StaticSettings } from "./settings.ts";
import { createStaticSource } from "./static-source.ts";
import { itemId, itemTimeMs, writeStaticCatalogue } from "./testing/static-catalogue.ts";
import { startStaticServer, type StaticServer } from "./testing/static-server.ts";

const never = new AbortController().signal;
const HOUR_MS = 3_600_000;
const DATASET = { provider: "acme", dataset: "flights" };
const [WEST, SOUTH, EAST, NORTH] = [13, 49, 16, 52];
const EXTENT: MultiPolygon = {
  type: "MultiPolygon",
  coordinates: [
    [
      [
        [WEST, SOUTH],
        [EAST, SOUTH],
        [EAST, NORTH],
        [WEST, NORTH],
        [WEST, SOUTH],
      ],
    ],
  ],
};

let database: TestDatabase;
let server: StaticServer;
const sources: AsyncDisposable[] = [];
before(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  for (const source of sources.splice(0)) await source[Symbol.asyncDispose]();
  await database.db.deleteFrom("crawls").execute();
  await server?.[Symbol.asyncDispose]();
  server = await startStaticServer();
});
after(async () => {
  for (const source of sources.splice(0)) await source[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

interface Told {
  readonly level: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

function bench(settings: Partial<StaticSettings> = {}) {
  const time = new ManualTime(Date.UTC(2026, 5, 1));
  const told: Told[] = [];
  const tell = (level: string) => (fields: object, message: string) =>
    void told.push({ level, fields: { ...fields }, message });
  const log: Log = { debug: () => {}, info: tell("info"), warn: tell("warn"), error: tell("error") };
  const source = createStaticSource({ url: `${server.url}/catalog.json`, ...settings }, DATASET, {
    db: database.db,
    clock: time,
    log,
    random: () => 0.5,
  });
  sources.push(source);
  return { source, time, told };
}

function query(more: Partial<SourceQuery> = {}): SourceQuery {
  const boxes = [[WEST, SOUTH, EAST, NORTH]] as const;
  return { ...DATASET, extent: EXTENT, boxes, fromMs: null, toMs: null, after: null, limit: 1000, ...more };
}

async function foundBy(source: ReturnType<typeof createStaticSource>): Promise<readonly string[]> {
  const { scenes } = await source.search(query(), never);
  return scenes.map(({ foreignId }) => foreignId);
}

const newestFirst = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => itemId(count - 1 - i));

function failure(pattern: RegExp) {
  return (error: unknown) =>
    error instanceof ServiceError && error.code === "SERVICE-UNAVAILABLE" && pattern.test(error.message);
}

for (const version of ["1.0.0", "1.1.0"] as const) {
  for (const links of ["relative", "absolute"] as const) {
    test(`a catalogue of version ${version} with ${links} links is found whole, newest first`, async () => {
      writeStaticCatalogue(server, { version, links });
      const { source, told } = bench();
      await source.upkeep(never);
      const { scenes, end } = await source.search(query(), never);
      assert.equal(end, true);
      assert.deepEqual(
        scenes.map(({ foreignId }) => foreignId),
        newestFirst(12),
      );
      const [newest] = scenes;
      assert.equal(newest?.sceneId, sceneId("acme", "flights", `flights:${itemId(11)}`));
      assert.equal(Date.parse(newest.datetime.replace(" ", "T") + "Z"), itemTimeMs(11));
      assert.deepEqual(
        newest.bands.map(({ names }) => names[0]),
        ["Red", "NIR"],
      );
      assert.deepEqual([told.length, told[0]?.level, told[0]?.fields["items"]], [1, "info", 12]);
      const asked = server.requests.length;
      await source.search(query(), never);
      assert.equal(server.requests.length, asked, "a search asks no host");
    });
  }
}

test("pixels and thumbnails are read from assets beside the item", async () => {
  writeStaticCatalogue(server);
  const { source } = bench();
  await source.upkeep(never);
  const scene = await source.scene(sceneId("acme", "flights", `flights:${itemId(3)}`), never);
  assert.ok(scene !== null);
  await using opened = await source.open(scene, null, never);
  const [band] = (await opened.rasters[0]?.raster.readRows(0, 1, never)) ?? [];
  assert.deepEqual([...(band ?? [])].slice(0, 3), [1000, 1001, 1002]);
  const thumbnail = await source.thumbnail(scene, never);
  assert.match(thumbnail?.mediaType ?? "", /^image\//u);
  assert.ok(server.requests.some(({ path }) => path === `/flights/2026/${itemId(3)}/red.tif`));
});

test("a refresh asks for changes only, follows new items and forgets removed ones", async () => {
  writeStaticCatalogue(server, { items: 5 });
  const { source, time, told } = bench({ refreshHours: 2 });
  await source.upkeep(never);
  const first = server.requests.length;
  assert.equal(first, 8);
  await source.upkeep(never);
  assert.equal(server.requests.length, first, "nothing is due");

  time.nowMs += 2 * HOUR_MS;
  await source.upkeep(never);
  assert.equal(server.requests.length, 2 * first);
  assert.ok(server.statuses.slice(first).every((status) => status === 304));
  assert.equal(told.at(-1)?.fields["unchanged"], first);
  assert.deepEqual(await foundBy(source), newestFirst(5));

  writeStaticCatalogue(server, { items: 6 });
  const year = "/flights/2026/catalog.json";
  const present = server.files.get(year);
  assert.ok(present !== undefined && "links" in present && Array.isArray(present.links));
  const links = present.links.filter((link: { href: string }) => !link.href.includes(itemId(0)));
  assert.equal(links.length, present.links.length - 1);
  server.files.set(year, Object.assign({}, present, { links }));
  time.nowMs += 2 * HOUR_MS;
  await source.upkeep(never);
  assert.deepEqual(await foundBy(source), newestFirst(6).slice(0, 5));
  assert.equal(await source.scene(sceneId("acme", "flights", `flights:${itemId(0)}`), never), null);
});

test("before the first crawl a search fails with the state, and a root that is none is named", async () => {
  const { source, time } = bench({ attempts: 1 });
  await assert.rejects(source.search(query(), never), failure(/is read for the first time, 0 documents so far/u));
  await source.upkeep(never);
  await assert.rejects(source.search(query(), never), failure(/could not be read: .*catalog\.json answered 404/u));
  server.files.set("/catalog.json", { type: "Feature", id: "x", links: [] });
  time.nowMs += HOUR_MS;
  await source.upkeep(never);
  await assert.rejects(source.search(query(), never), failure(/the root is an item, expected a Catalog/u));
  server.files.set("/catalog.json", { type: "Catalog", id: "x", links: [{ rel: "search", href: "./search" }] });
  time.nowMs += HOUR_MS;
  await source.upkeep(never);
  await assert.rejects(source.search(query(), never), failure(/a STAC API has "kind": "stac"/u));
  writeStaticCatalogue(server, { items: 2 });
  time.nowMs += HOUR_MS;
  await source.upkeep(never);
  assert.deepEqual(await foundBy(source), newestFirst(2));
});

test("a host that is down leaves the index as it was", async () => {
  writeStaticCatalogue(server, { items: 3 });
  const { source, time, told } = bench({ attempts: 1, refreshHours: 1 });
  await source.upkeep(never);
  server.intercept = (_path, response) => {
    response.writeHead(503).end();
    return true;
  };
  time.nowMs += HOUR_MS;
  await source.upkeep(never);
  assert.equal(told.at(-1)?.message, "a static catalogue could not be read; the index stays as it was");
  assert.deepEqual(await foundBy(source), newestFirst(3));
  // Only the folder of one item is down.
  server.intercept = (path, response) => {
    if (!path.includes(itemId(1))) return false;
    response.writeHead(503).end();
    return true;
  };
  time.nowMs += HOUR_MS;
  await source.upkeep(never);
  assert.deepEqual(await foundBy(source), newestFirst(3));
});

test("one process crawls at a time, and a process that died is replaced", async () => {
  writeStaticCatalogue(server, { items: 3 });
  const one = bench();
  const other = bench();
  await Promise.all([one.source.upkeep(never), other.source.upkeep(never)]);
  assert.equal(server.requests.length, 6);
  assert.deepEqual(await foundBy(other.source), newestFirst(3));
  const claimed = new Date(other.time.nowMs + 180_000);
  const due = new Date(other.time.nowMs);
  await database.db.updateTable("crawls").set({ due_at: due, claimed_until: claimed }).execute();
  await other.source.upkeep(never);
  assert.equal(server.requests.length, 6);
  other.time.nowMs += 181_000;
  await other.source.upkeep(never);
  assert.equal(server.requests.length, 12);
});

test("a crawl that is interrupted is due again", async () => {
  writeStaticCatalogue(server);
  const stopping = new AbortController();
  server.intercept = (path) => {
    if (path.includes("/flights/2026/")) stopping.abort(new Error("the service stops"));
    return false;
  };
  const { source } = bench();
  await source.upkeep(stopping.signal);
  await assert.rejects(source.search(query(), never), failure(/for the first time/u));
  server.intercept = null;
  await source.upkeep(never);
  assert.deepEqual(await foundBy(source), newestFirst(12));
});

test("other settings begin the index anew", async () => {
  writeStaticCatalogue(server, { items: 4 });
  const one = bench();
  await one.source.upkeep(never);
  const other = bench({ collections: ["flights"], where: { platform: "acme-2" } });
  await assert.rejects(other.source.search(query(), never), failure(/for the first time/u));
  await other.source.upkeep(never);
  assert.deepEqual(await foundBy(other.source), []);
  assert.deepEqual(other.told.at(-1)?.fields["skipped"], { "not wanted": 4 });
});

test("collections that are not wanted are not read", async () => {
  writeStaticCatalogue(server, { items: 4 });
  const { source } = bench({ collections: ["other"] });
  await source.upkeep(never);
  assert.deepEqual(
    server.requests.map(({ path }) => path),
    ["/catalog.json", "/flights/collection.json"],
  );
  assert.deepEqual(await foundBy(source), []);
});

test("the index of a dataset that is bound to another source is forgotten after the days of the catalogue", async () => {
  writeStaticCatalogue(server, { items: 3 });
  const { source, time } = bench({ refreshHours: 1 });
  await source.upkeep(never);
  const forget = (): Promise<number> =>
    forgetScenes({
      db: database.db,
      clock: time,
      catalog: { providers: [] },
      sources: { sourceOf: () => null },
      keys: { db: database.db, seen: new Map() },
      catalogueDays: 30,
    });
  const crawls = async (): Promise<number> =>
    (await database.db.selectFrom("crawls").select("crawl_key").execute()).length;
  time.nowMs += 30 * 24 * HOUR_MS;
  await forget();
  assert.equal(await crawls(), 1);
  time.nowMs += 2 * HOUR_MS;
  await forget();
  assert.equal(await crawls(), 0);
  assert.equal((await database.db.selectFrom("crawled_items").select("url").execute()).length, 0);
});

conformsToSource({
  name: "static STAC catalogue",
  ...DATASET,
  extent: EXTENT,
  fromMs: itemTimeMs(0),
  toMs: itemTimeMs(11) + 1,
  absentSceneId: sceneId("acme", "flights", "flights:none"),
  open: async () => {
    const own = await startStaticServer();
    writeStaticCatalogue(own);
    const rows = await testDatabase();
    const source = createStaticSource({ url: `${own.url}/catalog.json` }, DATASET, {
      db: rows.db,
      clock: { now: () => new Date() },
    });
    await source.upkeep(never);
    return {
      ...source,
      [Symbol.asyncDispose]: async () => {
        await source[Symbol.asyncDispose]();
        await rows[Symbol.asyncDispose]();
        await own[Symbol.asyncDispose]();
      },
    };
  },
});
