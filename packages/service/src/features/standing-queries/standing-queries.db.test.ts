import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import * as fc from "fast-check";
import { sql } from "kysely";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { overlapsEnough, prepareArea } from "@swath/kernel/geometry/intersection-ratio";
import type { Caller } from "../../platform/context.ts";
import { ownerKey } from "../imagery/visibility.ts";
import { box, DATASET, sceneOver, standingBench, type StandingBench } from "./testing.ts";

const NEVER = new AbortController().signal;
const FIELD = box(14, 50, 14.1, 50.1);
const QUERY = { name: "North field", areas: FIELD, datasets: [DATASET] };

let bench: StandingBench;
let kim: Caller;
let lee: Caller;
before(async () => {
  bench = await standingBench();
  kim = await bench.addUser("kim");
  lee = await bench.addUser("lee");
});
after(() => bench[Symbol.asyncDispose]());
beforeEach(async () => {
  await sql`truncate standing_queries, scene_arrivals, events, scenes cascade`.execute(bench.db);
});

function create(more: object = {}, caller = kim) {
  return bench.standing.create(caller, { ...QUERY, ...more }, NEVER);
}

async function seen(caller = kim): Promise<readonly unknown[]> {
  return (await bench.events(caller)).map(({ data }) => data["sceneId"]);
}

const idOf = (local: string): string => sceneOver(local, FIELD).scene.sceneId;

test("a scene over the area is told once, with the features that it meets", async () => {
  const { id } = await create();
  await bench.register(
    sceneOver("near", box(13, 49, 15, 51), { cloudCover: 0.1 }),
    sceneOver("far", box(20, 49, 22, 51)),
  );
  assert.equal(await bench.match(), 1);
  assert.equal(await bench.match(), 0);
  const [event, ...others] = await bench.events(kim);
  assert.deepEqual(others, []);
  assert.equal(event?.subject, `standing-query:${id}`);
  assert.deepEqual(event.data, {
    queryId: id,
    name: "North field",
    sceneId: idOf("near"),
    ...DATASET,
    datetime: "2026-06-01 00:00:00",
    cloudCover: 0.1,
    featureIds: ["0"],
    featureCount: 1,
  });
  assert.deepEqual(await seen(lee), []);
  const { matches } = await bench.standing.get(kim, id);
  assert.deepEqual(
    matches.map(({ sceneId }) => sceneId),
    [idOf("near")],
  );
});

test("features of a collection are extents of their own, and name themselves", async () => {
  const features = [FIELD, box(30, 10, 30.1, 10.1), box(14.2, 50, 14.3, 50.1)].map((geometry, index) => ({
    type: "Feature" as const,
    id: `field-${index}`,
    geometry,
    properties: {},
  }));
  const { areaCount } = await create({ areas: { type: "FeatureCollection", features } });
  assert.equal(areaCount, 3);
  await bench.register(sceneOver("both", box(13, 49, 15, 51)));
  await bench.match();
  assert.deepEqual((await bench.events(kim))[0]?.data["featureIds"], ["field-0", "field-2"]);
});

test("time, overlap and filter decide as in a search, and a scene without the member does not meet a comparison", async () => {
  await create({
    startDatetime: "2026-05-01 00:00:00",
    endDatetime: "2026-07-01 00:00:00",
    filter: { cloudCover: { $lte: 0.2 } },
  });
  const wide = box(13, 49, 15, 51);
  await bench.register(
    sceneOver("clear", wide, { cloudCover: 0.2 }),
    sceneOver("cloudy", wide, { cloudCover: 0.3 }),
    sceneOver("unknown", wide),
    sceneOver("early", wide, { cloudCover: 0, atMs: Date.UTC(2026, 3, 1) }),
    sceneOver("late", wide, { cloudCover: 0, atMs: Date.UTC(2026, 7, 1) }),
    sceneOver("third", box(13, 49, 14.03, 51), { cloudCover: 0 }),
  );
  await bench.match();
  assert.deepEqual(await seen(), [idOf("clear")]);
});

test("the owner hears of a scene that it may not see only when the scene is shared", async () => {
  await create();
  await create({}, lee);
  const owner = ownerKey(lee);
  const secret = sceneOver("secret", box(13, 49, 15, 51), { rights: { owner, audience: owner } });
  await bench.register(secret);
  await bench.match();
  assert.deepEqual(await seen(), []);
  assert.deepEqual(await seen(lee), [idOf("secret")]);
  const { sceneId } = secret.scene;
  await bench.db.transaction().execute((trx) => bench.imagery.share(trx, lee, { sceneId, visibility: "public" }));
  await bench.match();
  assert.deepEqual(await seen(), [idOf("secret")]);
  assert.deepEqual(await seen(lee), [idOf("secret")]);
});

test("a blocked owner, and one without the permission of the dataset, hear of nothing", async () => {
  const blocked = await bench.addUser("blocked");
  const reduced = await bench.addUser("reduced");
  for (const caller of [blocked, reduced]) await create({}, caller);
  await sql`update users set blocked = true where id = ${blocked.userId}`.execute(bench.db);
  await sql`update groups set permissions = '{imagery.availability}' where id = ${reduced.groupId}`.execute(bench.db);
  await bench.register(sceneOver("one", box(13, 49, 15, 51)));
  assert.equal(await bench.match(), 0);
  assert.deepEqual([await seen(blocked), await seen(reduced)], [[], []]);
});

test("a query for pixels waits until they are in the store", async () => {
  await create({ onlyIngested: true });
  const known = sceneOver("order", box(13, 49, 15, 51), { raster: null });
  await bench.register(known);
  assert.equal(await bench.match(), 0);
  const stored = sceneOver("order", box(13, 49, 15, 51));
  await bench.db.transaction().execute((trx) => bench.imagery.keepPixels(trx, stored, true));
  assert.equal(await bench.match(), 1);
});

test("a registration that is rolled back leaves nothing to match, and a match that fails leaves the scene waiting", async () => {
  await create();
  const record = sceneOver("one", box(13, 49, 15, 51));
  const failed = bench.db.transaction().execute(async (trx) => {
    await bench.imagery.register(trx, record);
    throw new Error("the upload broke");
  });
  await assert.rejects(failed, { message: "the upload broke" });
  assert.equal(await bench.match(), 0);
  await bench.register(record);
  const aborted = AbortSignal.abort(new Error("the service stops"));
  assert.equal(await bench.standing.matchArrivals(aborted), 0);
  await sql`alter table events add constraint nothing check (type <> 'search.matched') not valid`.execute(bench.db);
  await assert.rejects(bench.match(), /nothing/u);
  await sql`alter table events drop constraint nothing`.execute(bench.db);
  assert.equal(await bench.match(), 1);
});

test("processes that match at the same time tell each scene once", async () => {
  await create();
  await create({}, lee);
  const count = 60;
  await bench.register(...Array.from({ length: count }, (_, n) => sceneOver(`scene-${n}`, box(13, 49, 15, 51))));
  await Promise.all(Array.from({ length: 4 }, () => bench.match()));
  for (const caller of [kim, lee]) {
    const told = await seen(caller);
    assert.equal(told.length, count);
    assert.equal(new Set(told).size, count);
  }
});

test("a paused query is not matched, and goes on with scenes that come later", async () => {
  const { id } = await create();
  const paused = await bench.standing.update(kim, { queryId: id, enabled: false, name: "South field" });
  assert.deepEqual([paused.enabled, paused.name], [false, "South field"]);
  await bench.register(sceneOver("missed", box(13, 49, 15, 51)));
  await bench.match();
  await bench.standing.update(kim, { queryId: id, enabled: true, filter: { satellite: "test" } });
  await bench.register(sceneOver("seen", box(13, 49, 15, 51)));
  await bench.match();
  assert.deepEqual(await seen(), [idOf("seen")]);
});

function isUnknown(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "NON-EXISTENT-STANDING-QUERY";
}

test("queries of others do not exist, and a deleted one neither", async () => {
  const { id } = await create();
  await assert.rejects(bench.standing.get(lee, id), isUnknown);
  await assert.rejects(bench.standing.update(lee, { queryId: id, enabled: false }), isUnknown);
  await assert.rejects(bench.standing.delete(lee, id), isUnknown);
  assert.deepEqual((await bench.standing.list(lee, undefined)).results, []);
  assert.deepEqual(
    (await bench.standing.list(kim, undefined)).results.map((one) => one.id),
    [id],
  );
  await bench.standing.delete(kim, id);
  await assert.rejects(bench.standing.get(kim, id), isUnknown);
});

test("faults name their place", async () => {
  const cases: readonly (readonly [object, RegExp])[] = [
    [{ filter: { cloudCover: { $near: 3 } } }, /\/filter\/cloudCover/u],
    [{ filter: { geometry: { $geoIntersects: box(0, 0, 1, 1) } } }, /\/filter/u],
    [{ areas: { type: "FeatureCollection", features: [] } }, /no feature/u],
    [{ minIntersection: 1, minAoiIntersection: 1 }, /exclude each other/u],
    [{ areas: box(0, 0, 80, 60) }, /km long/u],
    [{ datasets: [{ provider: "ee", dataset: "NONE" }] }, /no dataset/u],
  ];
  for (const [more, message] of cases) await assert.rejects(create(more), message);
});

test("a user has a bounded number of watched areas, also when requests come together", async () => {
  await create();
  await sql`update standing_queries set box_count = 99998`.execute(bench.db);
  const tries = await Promise.allSettled([create(), create(), create()]);
  assert.equal(tries.filter(({ status }) => status === "fulfilled").length, 2);
  await create({}, lee);
});

test("areas of one user beyond a page of candidates delay nobody's scene, and all are matched in the end", async () => {
  const { id } = await create();
  await sql`
    insert into standing_query_areas (query_id, position, members, areas)
    select ${id}, n, members, areas from standing_query_areas, generate_series(1, 2500) n where query_id = ${id}`.execute(
    bench.db,
  );
  await sql`
    insert into standing_query_boxes (query_id, position, dataset_key, bbox)
    select ${id}, n, dataset_key, bbox from standing_query_boxes, generate_series(1, 2500) n where query_id = ${id}`.execute(
    bench.db,
  );
  await create({}, lee);
  await bench.register(sceneOver("one", box(13, 49, 15, 51)));
  await bench.match();
  assert.deepEqual([(await seen()).length, (await seen(lee)).length], [1, 1]);
});

test("matches of a monitor's query are taken once, without events, and its owner does not see the query", async () => {
  const { db, standing } = bench;
  const { name, areas, ...conditions } = QUERY;
  const plan = await standing.plan(areas, conditions, NEVER);
  const query = { owner: kim, name, enabled: true, geojson: areas, conditions, plan };
  const id = await db.transaction().execute((trx) => standing.createForMonitor(trx, query));
  await bench.register(sceneOver("one", box(13, 49, 15, 51)), sceneOver("two", box(13, 49, 15, 51)));
  assert.equal(await bench.match(), 2);
  const take = () => db.transaction().execute((trx) => standing.takeForMonitors(trx, 1));
  const taken = [...(await take()), ...(await take()), ...(await take())];
  assert.deepEqual(taken, [
    { queryId: id, sceneId: idOf("one") },
    { queryId: id, sceneId: idOf("two") },
  ]);
  assert.deepEqual(await seen(), []);
  await assert.rejects(standing.get(kim, id), isUnknown);
  await db.transaction().execute((trx) => standing.changeForMonitor(trx, kim.userId, { id, enabled: false }));
  await bench.register(sceneOver("three", box(13, 49, 15, 51)));
  assert.equal(await bench.match(), 0);
  await db.transaction().execute((trx) => standing.deleteForMonitor(trx, kim.userId, id));
  assert.deepEqual(await db.selectFrom("standing_queries").select("id").execute(), []);
});

test("old matches are removed, and newer ones stay", async () => {
  const { id } = await create();
  await bench.register(sceneOver("old", box(13, 49, 15, 51)), sceneOver("new", box(13, 49, 15, 51)));
  await bench.match();
  await sql`
    update standing_query_matches m set matched_at = now() - interval '401 days'
    from scenes s where s.scene_key = m.scene_key and s.scene_id = ${idOf("old")}`.execute(bench.db);
  await bench.standing.forgetMatches(NEVER);
  assert.deepEqual(
    (await bench.standing.get(kim, id)).matches.map(({ sceneId }) => sceneId),
    [idOf("new")],
  );
});

test("matches agree with the exact search for any areas and scenes, also across the antimeridian", async () => {
  const rectangle = fc
    .tuple(
      fc.integer({ min: -180, max: 179 }),
      fc.integer({ min: -80, max: 76 }),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 3 }),
    )
    .map(([west, south, width, height]) => {
      const east = west + width;
      const north = south + height;
      if (east <= 180) return box(west, south, east, north);
      const parts = [...box(west, south, 180, north).coordinates, ...box(-180, south, east - 360, north).coordinates];
      return { type: "MultiPolygon" as const, coordinates: parts };
    });
  const near = fc.tuple(rectangle, fc.constantFrom("same", "other"), rectangle);
  await fc.assert(
    fc.asyncProperty(near, fc.double({ min: 0, max: 1, noNaN: true }), async ([area, kind, other], minIntersection) => {
      await sql`truncate standing_queries, scene_arrivals, events, scenes cascade`.execute(bench.db);
      await create({ areas: area, minIntersection });
      const footprint = kind === "same" ? area : other;
      await bench.register(sceneOver("one", footprint));
      const request = { datasets: [DATASET], extent: area, minIntersection, onlyIngested: true };
      const { results } = await bench.imagery.search(request, NEVER, kim);
      assert.equal(await bench.match(), results.length);
    }),
    { numRuns: 40, endOnFailure: true },
  );
});

test("features of a collection are met as each alone, however they lie to each other", async () => {
  const size = fc.integer({ min: 1, max: 60 });
  const corner = fc.tuple(fc.integer({ min: 1300, max: 1500 }), fc.integer({ min: 4900, max: 5100 }), size, size);
  const fields = fc.array(
    corner.map(([west, south, width, height]) =>
      box(west / 100, south / 100, (west + width) / 100, (south + height) / 100),
    ),
    { minLength: 30, maxLength: 120 },
  );
  const shares = fc.constantFrom(
    { asked: { minIntersection: 0 }, threshold: { of: "extent", ratio: 0 } as const },
    { asked: { minIntersection: 0.5 }, threshold: { of: "extent", ratio: 0.5 } as const },
    { asked: { minAoiIntersection: 0.01 }, threshold: { of: "scene", ratio: 0.01 } as const },
  );
  await fc.assert(
    fc.asyncProperty(fields, shares, async (areas, { asked, threshold }) => {
      await sql`truncate standing_queries, scene_arrivals, events, scenes cascade`.execute(bench.db);
      const features = areas.map((geometry, id) => ({ type: "Feature" as const, id, geometry, properties: {} }));
      await create({ areas: { type: "FeatureCollection", features }, ...asked });
      const footprint = box(13.5, 49.5, 14.6, 50.4);
      await bench.register(sceneOver("one", footprint));
      await bench.match();
      const scene = prepareArea(footprint);
      const met = features.filter(({ geometry }) => overlapsEnough(prepareArea(geometry), scene, threshold));
      const [event] = await bench.events(kim);
      assert.equal(event?.data["featureCount"] ?? 0, met.length);
      assert.deepEqual(
        event?.data["featureIds"] ?? [],
        met.slice(0, 100).map(({ id }) => String(id)),
      );
    }),
    { numRuns: 25, endOnFailure: true },
  );
});
