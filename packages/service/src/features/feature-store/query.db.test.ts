import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import * as fc from "fast-check";
import type { Geometry } from "@swath/kernel/geometry/geojson";
import { parseQuery } from "@swath/kernel/query/parse-query";
import { queryPredicate } from "@swath/kernel/query/predicate";
import { gridGeometry } from "@swath/kernel/query/spatial/grid-geometry";
import { sql } from "kysely";
import { testDatabase, type TestDatabase } from "../../platform/postgres/testing.ts";
import { accessPaths, accessSql } from "./access-path.ts";
import type { NewFeature, StoredFeature } from "@swath/contract/features/feature-store/contract";
import { distinctOf } from "./distinct-values.ts";
import { createFeatureStoreService, type FeatureStoreService } from "./service.ts";
import { createAreas } from "../../platform/geometry/areas.ts";
import { createFeatureTests } from "../../platform/geometry/feature-tests.ts";
import { readCandidates, readInOrder } from "./store.ts";

let database: TestDatabase;
let service: FeatureStoreService;
let stored: readonly StoredFeature[];
const signal = new AbortController().signal;

const number = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(0.1, -0.1, 1e21, -1e300, 5e-324, 1.7976931348623157e308, 123456789.123),
);
const text = fc.constantFrom(
  "",
  "a",
  "ab",
  "abc",
  "B",
  "b%",
  "_",
  "ž",
  "\u{1F600}",
  "\uFFFD",
  "2024-01-01T00:00:00Z",
  "x".repeat(60),
  `${"x".repeat(60)}y`,
  "null",
  "1",
  "' or 1=1 --",
);
const scalar = fc.oneof(number, text, fc.boolean(), fc.constant(null));
const json = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.dictionary(fc.constantFrom("d", "e"), scalar, { maxKeys: 2 }) },
);
const properties = fc
  .tuple(
    fc.constantFrom("one", "two"),
    fc.dictionary(fc.constantFrom("a", "b", "c", "__proto__", "0"), json, { maxKeys: 4 }),
  )
  .map(([collection, rest]) => Object.assign(Object.create(null) as Record<string, unknown>, rest, { collection }));

const lon = fc.oneof(
  fc.integer({ min: -180, max: 180 }),
  fc.integer({ min: 170, max: 190 }),
  fc.integer({ min: 0, max: 5 }),
);
const lat = fc.oneof(fc.integer({ min: -90, max: 90 }), fc.integer({ min: 0, max: 5 }));
const geometry = fc.oneof(
  fc.tuple(lon, lat).map((coordinates): Geometry => ({ type: "Point", coordinates })),
  fc.tuple(lon, lat, lon, lat).map(([x1, y1, x2, y2]): Geometry => ({
    type: "LineString",
    coordinates: [
      [x1, y1],
      [x2, y2],
    ],
  })),
  fc.tuple(lon, lat, fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 9 })).map(([x, y, w, h]): Geometry => {
    const top = Math.min(90, y + h);
    return {
      type: "Polygon",
      coordinates: [
        [
          [x, y - 1],
          [x + w, y - 1],
          [x + w, top],
          [x, top],
          [x, y - 1],
        ].map(([u = 0, v = 0]) => [u, Math.max(-90, v)] as const),
      ],
    };
  }),
);

const path = fc.constantFrom("a", "b", "c", "a.d", "properties.b.e", "collection", "0", "a.0", "id");
const operator = fc.oneof(
  json.filter((value) => typeof value !== "object" || value === null || Array.isArray(value)),
  json.map((value) => ({ $eq: value })),
  json.map((value) => ({ $ne: value })),
  fc
    .tuple(fc.constantFrom("$gt", "$gte", "$lt", "$lte"), fc.oneof(number, text))
    .map(([name, value]) => ({ [name]: value })),
  fc.array(json, { maxLength: 3 }).map((values) => ({ $in: values })),
  fc.array(json, { maxLength: 3 }).map((values) => ({ $nin: values })),
  fc.boolean().map((value) => ({ $exists: value })),
  fc.constantFrom("a%", "%b", "_", "\\%", "%", "x%y", "\\_").map((value) => ({ $like: value })),
  text.map((value) => ({ $prefix: value })),
  scalar.map((value) => ({ $contains: value })),
  fc.array(scalar, { minLength: 1, maxLength: 2 }).map((values) => ({ $all: values })),
  fc.tuple(number, number).map((bounds) => ({ $between: bounds })),
);
const spatial = fc.oneof(
  fc.tuple(fc.constantFrom("$geoIntersects", "$geoWithin", "$geoContains"), geometry).map(([name, value]) => ({
    geometry: { [name]: value },
  })),
  fc.tuple(geometry, fc.constantFrom(0, 1000, 300_000, 1_000_000)).map(([$geometry, $maxDistance]) => ({
    geometry: { $near: { $geometry, $maxDistance } },
  })),
  fc.boolean().map((value) => ({ geometry: { $exists: value } })),
);
const { query } = fc.letrec<{ query: Record<string, unknown> }>((tie) => ({
  query: fc.oneof(
    { depthSize: "small", maxDepth: 3 },
    fc.tuple(path, operator).map(([name, value]) => ({ [name]: value })),
    spatial,
    fc
      .tuple(fc.constantFrom("$and", "$or", "$nor"), fc.array(tie("query"), { minLength: 1, maxLength: 3 }))
      .map(([name, of]) => ({ [name]: of })),
    tie("query").map((of) => ({ $not: of })),
    fc.tuple(path, operator).map(([name, value]) => ({
      [name]: { $not: typeof value === "object" && value !== null && !Array.isArray(value) ? value : { $eq: value } },
    })),
  ),
}));

before(async () => {
  database = await testDatabase();
  service = createFeatureStoreService({ areas: createAreas(), db: database.db, tests: createFeatureTests() });
  const features = fc
    .sample(fc.tuple(properties, fc.option(geometry, { freq: 8 })), { numRuns: 400, seed: 3 })
    .map(([own, place]): NewFeature => ({
      type: "Feature",
      geometry: place,
      properties: own as NewFeature["properties"],
    }));
  await service.create(features);
  const all = await service.search({ query: {}, _limit: 1000 }, signal);
  assert.equal(all.cursor, null);
  stored = all.results as StoredFeature[];
  assert.ok(stored.length > 300);
});
after(async () => {
  await database[Symbol.asyncDispose]();
});

/** Ids that the definition of the language has. */
function expectedIds(given: unknown): string[] {
  const holds = queryPredicate(parseQuery(given, ""));
  return stored
    .filter(({ id, properties: own, geometry: place }) =>
      holds({ id, properties: own, geometry: place === null ? null : gridGeometry(place) }),
    )
    .map(({ id }) => id);
}

async function pagedIds(request: Record<string, unknown>): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof service.search>> = await service.search(
      { ...request, ...(cursor === null ? {} : { cursor }) },
      signal,
    );
    ids.push(...page.results.map(({ id }) => id));
    ({ cursor } = page);
  } while (cursor !== null);
  return ids;
}

test("what is stored is what was given, numbers and names included", async () => {
  const features = fc.sample(properties, { numRuns: 20, seed: 9 }).map((own): NewFeature => ({
    type: "Feature",
    geometry: null,
    properties: { ...own, collection: "kept" },
  }));
  const ids = await service.create(features);
  for (const [index, id] of ids.entries()) {
    const { results } = await service.search({ query: { id } }, signal);
    assert.deepEqual(
      JSON.parse(JSON.stringify(results[0]?.properties)),
      JSON.parse(JSON.stringify(features[index]?.properties)),
    );
  }
  await database.db.deleteFrom("features").where("collection", "=", "kept").execute();
});

test("the database finds and counts what the definition of the language has, page by page and in any order", async () => {
  await fc.assert(
    fc.asyncProperty(query, fc.integer({ min: 1, max: 200 }), async (given, limit) => {
      const expected = expectedIds(given);
      assert.deepEqual(await pagedIds({ query: given, _limit: Math.max(limit, 40) }), expected, JSON.stringify(given));
      assert.equal(await service.count(given, signal), expected.length);
      const sorted = await pagedIds({ query: given, _limit: 100, _sort: ["-a", "b"] });
      assert.deepEqual(sorted.toSorted(), expected.toSorted());
    }),
    { numRuns: 80 },
  );
});

test("every index alone leads to all features that match, and reading in order to the same", async () => {
  await fc.assert(
    fc.asyncProperty(query, async (given) => {
      const node = parseQuery(given, "");
      const expected = expectedIds(given);
      const page = { after: 0, limit: 1000, withGeometry: false };
      const selection = { query: node, collection: null };
      const inOrder = await readInOrder(database.db, { ...selection, access: null }, page);
      const superset = new Set(inOrder.map(({ feature_id: id }) => id));
      assert.ok(expected.every((id) => superset.has(id)));
      for (const access of accessPaths(node)) {
        const { rows } = await readCandidates(database.db, { ...selection, access }, { ...page, candidates: 1000 });
        assert.deepEqual(
          rows.map(({ feature_id: id }) => id),
          inOrder.map(({ feature_id: id }) => id),
          JSON.stringify([given, access]),
        );
      }
    }),
    { numRuns: 100 },
  );
});

function scalars(values: readonly unknown[]): readonly unknown[] {
  return values.filter((value) => typeof value !== "object");
}

test("values of a property come once each, typed and in order, with and without a condition on the place", async () => {
  const everywhere = { op: "s_intersects", args: [{ property: "geometry" }, { bbox: [-180, -90, 180, 90] }] };
  for (const property of ["a", "b", "a.d", "collection", "nothing"]) {
    for (const given of [{}, everywhere, { b: { $exists: true } }]) {
      const holding = new Set(expectedIds(given));
      const distinct = distinctOf();
      for (const { id, properties: own } of stored) {
        if (!holding.has(id)) continue;
        const value = property
          .split(".")
          .reduce<unknown>(
            (at, name) =>
              typeof at === "object" && at !== null && !Array.isArray(at) && Object.hasOwn(at, name)
                ? Reflect.get(at, name)
                : undefined,
            own,
          );
        distinct.add(value);
      }
      const values = await service.distinctValues(property, given, signal);
      assert.deepEqual(scalars(values), scalars(distinct.values(10_000)), property);
      assert.equal(values.length, distinct.values(10_000).length);
    }
  }
});

/** The plan of a statement as text. */
async function explained(statement: ReturnType<typeof accessSql>): Promise<string> {
  const { rows } = await sql<{ "QUERY PLAN": string }>`explain ${statement}`.execute(database.db);
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}

test("equality, ranges, prefixes, boxes, distances and ids are answered by indexes", async () => {
  await sql`
    insert into feature_values (entry, feature_key) select 'filler' || g, g from generate_series(1, 20000) as g
  `.execute(database.db);
  await sql`
    insert into features (feature_id, collection, properties, bbox)
    select 'filler' || g, 'filler', '{"collection": "filler"}', box(point(g % 360 - 180, 0), point(g % 360 - 180, 1))
    from generate_series(1, 20000) as g
  `.execute(database.db);
  await sql`analyze features, feature_values`.execute(database.db);
  const point = { type: "Point", coordinates: [0.5, 50] };
  const cases: readonly [unknown, RegExp][] = [
    [{ a: 1 }, /feature_values_pkey/],
    [{ a: { $in: [1, "x"] } }, /feature_values_pkey/],
    [{ a: { $gt: 1 } }, /feature_values_pkey/],
    [{ a: { $lte: "b" } }, /feature_values_pkey/],
    [{ a: { $between: [1, 2] } }, /feature_values_pkey/],
    [{ a: { $prefix: "ab" } }, /feature_values_pkey/],
    [{ a: { $like: "ab%c" } }, /feature_values_pkey/],
    [{ $or: [{ a: 1 }, { id: "x" }] }, /feature_values_pkey[^]*features_feature_id_unique/],
    [{ id: "x" }, /features_feature_id_unique/],
    [{ geometry: { $geoIntersects: point } }, /features_bbox/],
    [{ geometry: { $geoWithin: point } }, /features_bbox/],
    [{ geometry: { $near: { $geometry: point, $maxDistance: 10 } } }, /features_bbox/],
  ];
  for (const [given, index] of cases) {
    const [access] = accessPaths(parseQuery(given, ""));
    assert.ok(access !== undefined, JSON.stringify(given));
    const plan = await explained(accessSql(access));
    assert.match(plan, index, JSON.stringify(given));
    assert.doesNotMatch(plan, /Seq Scan/, JSON.stringify(given));
  }
  await sql`delete from features where collection = 'filler'`.execute(database.db);
});
