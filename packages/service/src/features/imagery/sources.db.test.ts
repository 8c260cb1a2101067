import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { areaKm2, roundAreaKm2 } from "@swath/kernel/geometry/area";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import { extentArea } from "@swath/kernel/geometry/extent";
import type { GeoJson, MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { Scene } from "@swath/kernel/scenes/scene";
import { sceneId } from "@swath/kernel/scenes/scene-id";
import type { StoredRaster } from "@swath/kernel/scenes/stored-raster";
import { storeTileGrid, storeTilesArea } from "@swath/kernel/tiles/store-tile";
import { formatInstant } from "@swath/kernel/time/instant";
import { sql } from "kysely";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { createAreas } from "../../platform/geometry/areas.ts";
import type { Caller } from "../../platform/context.ts";
import { testDatabase, type TestDatabase } from "../../platform/postgres/testing.ts";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import type { SceneSource } from "@swath/raster/source/scene-source";
import type { SearchRequest, SearchResult } from "@swath/contract/features/imagery/contract";
import { bindSources, MemorySource } from "./memory-source-testing.ts";
import { runSearch } from "./run-search.ts";
import { createImageryService, type ImageryService } from "./service.ts";

const NOW = Date.UTC(2026, 5, 1);
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const raster: StoredRaster = { proj4: "+proj=longlat +datum=WGS84 +no_defs", controlGrid: null, bands: [] };
const idle = new AbortController().signal;
const EXTENT = box(10, 50, 10.5, 50.5);

let database: TestDatabase;
let nowMs = NOW;

before(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  nowMs = NOW;
  await sql`truncate scenes, scene_documents, maps, credit_coverage cascade`.execute(database.db);
});
after(async () => {
  await database[Symbol.asyncDispose]();
});

function box(west: number, south: number, east: number, north: number): GeoJson {
  return boundsPolygon([west, south, east, north]);
}

function area(geojson: GeoJson): MultiPolygon {
  const result = extentArea(geojson);
  assert.ok(result !== null);
  return result;
}

function makeScene(provider: string, dataset: string, local: string, atMs: number, footprint = EXTENT): Scene {
  const polygon = area(footprint);
  return {
    sceneId: sceneId(provider, dataset, local),
    foreignId: local,
    provider,
    dataset,
    satellite: "test",
    datetime: formatInstant(atMs),
    crsEpsg: 4326,
    footprint: polygon,
    areaKm2: roundAreaKm2(areaKm2(polygon)),
    bands: [],
  };
}

function serviceWith(bound: Readonly<Record<string, SceneSource>>, sourceTimeoutMs = 5_000): ImageryService {
  return createImageryService({
    areas: createAreas(),
    db: database.db,
    clock: { now: () => new Date(nowMs) },
    thumbnails: { render: () => Promise.resolve(new Uint8Array()) },
    sources: bindSources(bound),
    sourceTimeoutMs,
  });
}

const names = (result: SearchResult): readonly string[] => result.results.map(({ foreignId }) => foreignId);

function request(datasets: readonly string[], more: Partial<SearchRequest> = {}): SearchRequest {
  return {
    datasets: datasets.map((name) => {
      const [provider = "", dataset = ""] = name.split(" ");
      return { provider, dataset };
    }),
    extent: EXTENT,
    ...more,
  };
}

function caller(...permissions: string[]): Caller {
  return { kind: "user", userId: "u", groupId: "g", email: "u@example.org", permissions: new Set(permissions) };
}

async function codeOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    return error.code;
  }
  return "none";
}

/** Three datasets: two of sources, one of the table, with scenes an hour apart in turn. */
function mixture(count: number): { a: MemorySource; b: MemorySource; local: readonly Scene[] } {
  const of = (provider: string, dataset: string, letter: string, offset: number): Scene[] =>
    Array.from({ length: count }, (_, i) =>
      makeScene(provider, dataset, `${letter}${i}`, NOW - (3 * i + offset) * HOUR_MS),
    );
  return {
    a: new MemorySource(of("pl", "PSScene", "a", 1)),
    b: new MemorySource(of("ab", "spot", "b", 2)),
    local: of("local", "uploads", "c", 3),
  };
}

test("sources and the table are merged newest first, page by page, behind one cursor", async () => {
  const { a, b, local } = mixture(30);
  const service = serviceWith({ "pl PSScene": a, "ab spot": b });
  await service.insertScenes(local.map((scene) => ({ scene, raster, contentHash: null })));
  const search = request(["pl PSScene", "ab spot", "local uploads"]);
  const expected = Array.from({ length: 30 }, (_, i) => [`a${i}`, `b${i}`, `c${i}`]).flat();
  const whole = await service.search({ ...search, limit: 1000 }, idle);
  assert.deepEqual(names(whole), expected);
  assert.equal(whole.cursor, null);
  for (const limit of [1, 7, 45, 90]) {
    const joined: string[] = [];
    let cursor: number | null = null;
    do {
      const page: SearchResult = await service.search(
        { ...search, limit, ...(cursor === null ? {} : { cursor }) },
        idle,
      );
      assert.ok(page.results.length <= limit);
      joined.push(...names(page));
      cursor = page.cursor;
    } while (cursor !== null && joined.length < 200);
    assert.deepEqual(joined, expected, `limit ${limit}`);
  }
});

test("a scene found by search is known afterwards, whatever becomes of its source", async () => {
  const source = new MemorySource([makeScene("pl", "PSScene", "x", NOW - HOUR_MS)]);
  const service = serviceWith({ "pl PSScene": source });
  const { results } = await service.search(request(["pl PSScene"]), idle);
  const [found] = results;
  assert.ok(found !== undefined);
  assert.deepEqual([found.downloadable, found.clippedImagery, found.minArea], [true, false, 0]);
  source.scenes = [];
  const { downloadable: _d, clippedImagery: _c, minArea: _m, ...scene } = found;
  assert.deepEqual(await service.sceneInfo({ sceneId: found.sceneId }), scene);
  assert.deepEqual(await service.catalogueScene(found.sceneId), scene);
  assert.equal(await service.stored(found.sceneId), null);
});

test("a scene that was never found is fetched from its source by its identifier", async () => {
  const scene = makeScene("pl", "PSScene", "direct", NOW - HOUR_MS);
  const service = serviceWith({ "pl PSScene": new MemorySource([scene]) });
  assert.equal((await service.catalogueScene(scene.sceneId))?.foreignId, "direct");
  assert.equal(await service.catalogueScene(sceneId("pl", "PSScene", "nothing")), null);
  assert.equal(await service.catalogueScene("nonsense"), null);
  assert.equal(
    await codeOf(() => service.sceneInfo({ sceneId: sceneId("pl", "PSScene", "nothing") })),
    "NON-EXISTING-SCENE",
  );
});

test("what is stored of a dataset is merged with its source, and wins", async () => {
  const { a } = mixture(4);
  const service = serviceWith({ "pl PSScene": a });
  const [first, second] = a.scenes;
  assert.ok(first !== undefined && second !== undefined);
  await service.search(request(["pl PSScene"]), idle);
  await inTransaction(database.db, async (trx) => {
    // Its pixels came with a smaller footprint and better metadata.
    const pixels = { ...first, satellite: "stored", footprint: area(box(10, 50, 10.4, 50.5)) };
    await service.keepPixels(trx, { scene: pixels, raster, contentHash: "aa" }, true);
    // One that the source has lost since.
    const lost = makeScene("pl", "PSScene", "lost", NOW - 5 * HOUR_MS);
    await service.keepPixels(trx, { scene: lost, raster, contentHash: "bb" }, true);
    // One that does not reach the threshold any more.
    const shrunk = { ...second, footprint: area(box(10, 50, 10.1, 50.5)) };
    await service.keepPixels(trx, { scene: shrunk, raster, contentHash: "cc" }, true);
  });
  const { results } = await service.search(request(["pl PSScene"]), idle);
  assert.deepEqual(
    results.map(({ foreignId, satellite }) => [foreignId, satellite]),
    [
      ["a0", "stored"],
      ["lost", "test"],
      ["a2", "test"],
      ["a3", "test"],
    ],
  );
  assert.ok(results.every(({ downloadable }) => downloadable));
  const asked = a.queries.length;
  assert.deepEqual(names(await service.search(request(["pl PSScene"], { onlyIngested: true }), idle)), ["a0", "lost"]);
  assert.equal(a.queries.length, asked, "the source was asked for what only the store has");
});

test("cuttings are found in what is ingested only, by any extent within them", async () => {
  const whole = makeScene("ab", "spot", "whole", NOW - HOUR_MS, box(9, 49, 12, 52));
  const service = serviceWith({ "ab spot": new MemorySource([whole]) });
  await service.search(request(["ab spot"]), idle);
  const child = makeScene("ab", "spot", "child", NOW - HOUR_MS, box(10, 50, 10.6, 50.6));
  await inTransaction(database.db, (trx) =>
    service.register(trx, { scene: child, raster, contentHash: "dd", parentId: whole.sceneId }),
  );
  const all = await service.search(request(["ab spot"]), idle);
  assert.deepEqual(
    all.results.map(({ foreignId, clippedImagery, minArea }) => [foreignId, clippedImagery, minArea]),
    [["whole", false, 0.1]],
  );
  const ingested = await service.search(request(["ab spot"], { onlyIngested: true, minIntersection: 1 }), idle);
  assert.deepEqual(
    ingested.results.map(({ foreignId, clippedImagery }) => [foreignId, clippedImagery]),
    [["child", true]],
  );
  const beyond = request(["ab spot"], { onlyIngested: true, minIntersection: 1, extent: box(10, 50, 11, 51) });
  assert.deepEqual(names(await service.search(beyond, idle)), []);
});

test("a failing source leaves what the others found, and fails the search with its code", async () => {
  const { a, b, local } = mixture(5);
  b.fault = () => Promise.reject(new ServiceError("SERVICE-UNAVAILABLE", "the catalogue is down"));
  const service = serviceWith({ "pl PSScene": a, "ab spot": b });
  await service.insertScenes(local.map((scene) => ({ scene, raster, contentHash: null })));
  const search = request(["pl PSScene", "ab spot", "local uploads"], { limit: 6 });
  const partials: unknown[] = [];
  const steps: number[] = [];
  const job = {
    caller: caller("imagery"),
    signal: idle,
    report: ({ step }: { readonly step: number }) => {
      steps.push(step);
      return Promise.resolve();
    },
    savePartial: (partial: unknown) => {
      partials.push(partial);
      return Promise.resolve();
    },
  };
  await assert.rejects(runSearch(service, search, job), (error) => {
    assert.ok(error instanceof ServiceError);
    assert.deepEqual([error.code, error.isFinal], ["SERVICE-UNAVAILABLE", true]);
    assert.match(error.message, /ab spot: the catalogue is down/u);
    return true;
  });
  assert.deepEqual(steps, [1]);
  const [partial] = partials;
  const expected = await service.search(search, idle);
  assert.deepEqual(partial, expected);
  assert.deepEqual(names(expected), ["a0", "c0", "a1", "c1", "a2", "c2"]);
  assert.deepEqual(expected.failedDatasets, [
    { provider: "ab", dataset: "spot", errorCode: "SERVICE-UNAVAILABLE", errorMessage: "the catalogue is down" },
  ]);
  assert.ok(expected.cursor !== null);
  b.fault = () => Promise.resolve();
  const next = await service.search({ ...search, cursor: expected.cursor }, idle);
  assert.deepEqual(names(next).slice(0, 3), ["a3", "b3", "c3"]);
  assert.equal(next.failedDatasets, undefined);
});

test("a source that does not answer in time fails, one that is cancelled ends the search", async () => {
  const { a } = mixture(3);
  a.fault = () => new Promise(() => {});
  const impatient = serviceWith({ "pl PSScene": a }, 20);
  const { results, failedDatasets } = await impatient.search(request(["pl PSScene"]), idle);
  assert.deepEqual(results, []);
  assert.equal(failedDatasets?.[0]?.errorCode, "SERVICE-UNAVAILABLE");
  assert.match(failedDatasets[0].errorMessage, /did not answer within 0.02 s/u);
  const cancelled = AbortSignal.abort(new Error("cancelled by the caller"));
  await assert.rejects(serviceWith({ "pl PSScene": a }).search(request(["pl PSScene"]), cancelled), /cancelled by/u);
});

test("a source is asked for the explanation alone when no scene of its dataset is large enough", async () => {
  const { a } = mixture(3);
  const service = serviceWith({ "pl PSScene": a });
  const wide = request(["pl PSScene"], { extent: box(10, 50, 12, 52) });
  const none = await service.search(wide, idle);
  assert.deepEqual([names(none), none.empty?.code], [[], "BELOW-MIN-INTERSECTION"]);
  assert.equal(a.queries.length, 1);
  assert.equal((await service.search({ ...wide, minIntersection: 0.01 }, idle)).results.length, 3);
});

test("a source that goes on without finding anything is given up", async () => {
  const { a } = mixture(3);
  let atMs = NOW;
  a.search = async () => {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    atMs -= DAY_MS;
    return { scenes: [makeScene("pl", "PSScene", `far${atMs}`, atMs, box(40, 50, 41, 51))], end: false };
  };
  const { failedDatasets } = await serviceWith({ "pl PSScene": a }, 25).search(request(["pl PSScene"]), idle);
  assert.equal(failedDatasets?.[0]?.errorCode, "SERVICE-UNAVAILABLE");
  assert.match(failedDatasets[0].errorMessage, /too little in 0.1 s/u);
});

test("a source that answers nonsense does no harm", async () => {
  const good = makeScene("pl", "PSScene", "good", NOW - HOUR_MS);
  const stranger = makeScene("ab", "spot", "stranger", NOW - 2 * HOUR_MS);
  const flat = { ...makeScene("pl", "PSScene", "flat", NOW - 3 * HOUR_MS), datetime: "yesterday" };
  const odd = new MemorySource([]);
  odd.search = () => Promise.resolve({ scenes: [good, good, stranger, flat], end: true });
  const service = serviceWith({ "pl PSScene": odd });
  assert.deepEqual(names(await service.search(request(["pl PSScene"]), idle)), ["good"]);
  odd.search = () => Promise.resolve({ scenes: [good], end: false });
  const { failedDatasets } = await service.search(request(["pl PSScene"]), idle);
  assert.deepEqual(
    failedDatasets?.map(({ errorCode }) => errorCode),
    ["SCENE-UNREADABLE"],
  );
});

test("an interval includes both its ends, whoever answers", async () => {
  const { a, local } = mixture(6);
  const service = serviceWith({ "pl PSScene": a });
  await service.insertScenes(local.map((scene) => ({ scene, raster, contentHash: null })));
  const search = request(["pl PSScene", "local uploads"], {
    startDatetime: formatInstant(NOW - 7 * HOUR_MS),
    endDatetime: formatInstant(NOW - 3 * HOUR_MS),
  });
  assert.deepEqual(names(await service.search(search, idle)), ["c0", "a1", "c1", "a2"]);
});

test("scenes that cannot be fetched are shown but are not downloadable", async () => {
  const scene = makeScene("radar-gec", "spotlight_GEC", "archive", NOW - HOUR_MS);
  const source = new MemorySource([scene]);
  const service = serviceWith({ "radar-gec spotlight_GEC": source });
  const { results } = await service.search(request(["radar-gec spotlight_GEC"], { minIntersection: 0 }), idle);
  assert.deepEqual(
    results.map(({ downloadable }) => downloadable),
    [false],
  );
  const listed = service.listDatasets({ ...caller("imagery"), kind: "user" });
  assert.equal(listed.find(({ dataset }) => dataset === "spotlight_GEC")?.downloadable, false, "as its scenes");
  assert.equal(listed.find(({ dataset }) => dataset === "PSScene")?.downloadable, true);
  const only = request(["radar-gec spotlight_GEC"], { minIntersection: 0, onlyDownloadable: true });
  assert.deepEqual(names(await service.search(only, idle)), []);
});

test("a dataset without a catalogue is searched in the store only, and when that is asked for", async () => {
  const service = serviceWith({});
  const delivered = makeScene("radar-legacy", "Stripmap_GRD", "delivered", NOW - HOUR_MS);
  await service.insertScenes([{ scene: delivered, raster, contentHash: null }]);
  const search = request(["radar-legacy Stripmap_GRD"]);
  assert.equal(await codeOf(() => service.search(search, idle)), "DATASET-NOT-SUPPORTED-FOR-SEARCH");
  assert.deepEqual(names(await service.search({ ...search, onlyIngested: true }, idle)), ["delivered"]);
  // A deprecated provider's own catalogue is what was delivered.
  const legacy = makeScene("optical-legacy", "idaho-pansharpened", "old", NOW - HOUR_MS);
  await service.insertScenes([{ scene: legacy, raster, contentHash: null }]);
  const byAlias = await service.search(request(["gbdx idaho-pansharpened"]), idle);
  assert.deepEqual(names(byAlias), ["old"]);
  assert.equal(byAlias.results[0]?.provider, "gbdx", "an answer has the name that was asked for");
  // With a source bound to it there is a catalogue.
  const bound = serviceWith({ "radar-legacy Stripmap_GRD": new MemorySource([delivered]) });
  assert.deepEqual(names(await bound.search(search, idle)), ["delivered"]);
});

test("metadata that changed at the source are taken over after a day, or at once when asked", async () => {
  const source = new MemorySource([makeScene("pl", "PSScene", "moving", NOW - HOUR_MS)]);
  const service = serviceWith({ "pl PSScene": source });
  const id = source.scenes[0]?.sceneId ?? "";
  const stored = async () => (await service.catalogueScene(id))?.cloudCover;
  const revise = (cloudCover: number) => {
    source.scenes = source.scenes.map((scene) => ({ ...scene, cloudCover }));
  };
  revise(0.1);
  await service.search(request(["pl PSScene"]), idle);
  revise(0.2);
  await service.search(request(["pl PSScene"]), idle);
  assert.equal(await stored(), 0.1);
  await service.search(request(["pl PSScene"], { forceRefresh: true }), idle);
  assert.equal(await stored(), 0.1, "a row of this very moment is as new as can be");
  nowMs += 1;
  await service.search(request(["pl PSScene"], { forceRefresh: true }), idle);
  assert.equal(await stored(), 0.2);
  revise(0.3);
  nowMs += DAY_MS + 1;
  await service.search(request(["pl PSScene"]), idle);
  assert.equal(await stored(), 0.3);
});

test("scenes nobody asked for are forgotten, unless something here needs them", async () => {
  const scenes = ["idle", "mapped", "paid", "cut", "pixels", "recent"].map((local, i) =>
    makeScene("pl", "PSScene", local, NOW - i * HOUR_MS),
  );
  const [, mapped, paid, cut, pixels] = scenes;
  assert.ok(mapped !== undefined && paid !== undefined && cut !== undefined && pixels !== undefined);
  const source = new MemorySource(scenes.slice(0, 5));
  const service = serviceWith({ "pl PSScene": source });
  await service.search(request(["pl PSScene"]), idle);
  const imported = makeScene("local", "uploads", "imported", NOW);
  await service.insertScenes([{ scene: imported, raster: null, contentHash: null }]);
  await inTransaction(database.db, async (trx) => {
    await service.keepPixels(trx, { scene: pixels, raster, contentHash: "ee" }, true);
    const child = makeScene("pl", "PSScene", "child", NOW);
    await service.register(trx, { scene: child, raster, contentHash: "ff", parentId: cut.sceneId });
    await sql`insert into map_geometries values ('g', '{}') on conflict do nothing`.execute(trx);
    await sql`
      insert into maps (map_id, scene_id, map_type, version, geometry_id, max_zoom, tiles, created_at)
      values ('m', ${mapped.sceneId}, 'imagery', 1, 'g', 10, '[]', now())
    `.execute(trx);
    await sql`insert into credit_groups (group_id) values ('g') on conflict do nothing`.execute(trx);
    await sql`
      insert into credit_coverage (group_id, scene_key, area_cm2, chargeable_cm2, billed_m2, version)
      values ('g', ${paid.sceneId}, 0, 0, 0, 1)
    `.execute(trx);
  });
  nowMs = NOW + 31 * DAY_MS;
  source.scenes = scenes.slice(5);
  await service.search(request(["pl PSScene"]), idle);
  assert.equal(await service.forget(), 1);
  source.scenes = [];
  const known = await Promise.all(
    [...scenes, imported].map(async ({ sceneId: id, foreignId }) =>
      (await service.catalogueScene(id)) === null ? null : foreignId,
    ),
  );
  assert.deepEqual(known, [null, "mapped", "paid", "cut", "pixels", "recent", "imported"]);
});

test("what a source said of a dataset goes when the dataset has no source any more", async () => {
  const source = new MemorySource(["a", "b"].map((local) => makeScene("pl", "PSScene", local, NOW - HOUR_MS)));
  const service = serviceWith({ "pl PSScene": source });
  const { results } = await service.search(request(["pl PSScene"]), idle);
  const [first] = source.scenes;
  assert.ok(first !== undefined && results.length === 2);
  await inTransaction(database.db, (trx) => service.keepPixels(trx, { scene: first, raster, contentHash: "22" }, true));
  assert.equal(await service.forget(), 0);
  const unbound = serviceWith({});
  assert.equal(await unbound.forget(), 1);
  assert.deepEqual(names(await unbound.search(request(["pl PSScene"]), idle)), ["a"]);
});

test("scene info narrows the footprint to what is stored and to store tiles", async () => {
  const source = new MemorySource([
    makeScene("pl", "PSScene_tile", "tiled", NOW - HOUR_MS, box(10, 50, 10.2, 50.1)),
    makeScene("pl", "PSScene", "whole", NOW - HOUR_MS),
  ]);
  const service = serviceWith({ "pl PSScene_tile": source, "pl PSScene": source });
  const id = sceneId("pl", "PSScene_tile", "tiled");
  const wholeId = sceneId("pl", "PSScene", "whole");
  const offline = { sceneId: id, forceOffline: true };
  assert.equal(await codeOf(() => service.sceneInfo(offline)), "DATA-NOT-AVAILABLE");
  // The scene is in longitude and latitude: a tile has 0.05 degrees, [200, 1000] starts at its south-west corner.
  const one = await service.sceneInfo({ sceneId: id, tiles: [[200, 1000]] });
  const expected = areaKm2(area(box(10, 50, 10.05, 50.05)));
  assert.ok(Math.abs(one.areaKm2 - expected) < 1e-6 * expected, `${one.areaKm2} ${expected}`);
  const both = await service.sceneInfo({
    sceneId: id,
    tiles: [
      [200, 1000],
      [199, 1000],
      [203, 1001],
    ],
  });
  assert.equal(both.footprint.coordinates.length, 2);
  assert.equal(await codeOf(() => service.sceneInfo({ sceneId: id, tiles: [[0, 0]] })), "EXTENT-HAS-NO-INTERSECTION");
  assert.equal(await codeOf(() => service.sceneInfo({ sceneId: wholeId, tiles: [[200, 1000]] })), "VALIDATION-ERROR");

  const scene = await service.catalogueScene(id);
  assert.ok(scene !== null);
  const storedArea = storeTilesArea(
    [
      [200, 1000],
      [201, 1000],
    ],
    storeTileGrid(scene.crsEpsg),
  );
  await inTransaction(database.db, (trx) =>
    service.keepPixels(trx, { scene, raster, contentHash: "11", storedArea }, false),
  );
  const stored = await service.sceneInfo(offline);
  assert.ok(Math.abs(stored.areaKm2 - areaKm2(area(box(10, 50, 10.1, 50.05)))) < 1e-3);
  const part = await service.sceneInfo({ ...offline, tiles: [[201, 1000]] });
  assert.ok(Math.abs(part.areaKm2 - areaKm2(area(box(10.05, 50, 10.1, 50.05)))) < 1e-3);
  // Not all of it: a search for what is stored leaves it out, and one for everything has it whole.
  const search = request(["pl PSScene_tile"], { extent: box(10, 50, 10.2, 50.1) });
  assert.deepEqual(names(await service.search({ ...search, onlyIngested: true }, idle)), []);
  assert.deepEqual(names(await service.search(search, idle)), ["tiled"]);
});
