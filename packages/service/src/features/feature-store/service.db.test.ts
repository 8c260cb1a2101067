import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import canonicalize from "canonicalize";
import * as fc from "fast-check";
import type { ErrorCode } from "@swath/kernel/errors/error-code";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller } from "../../platform/context.ts";
import { createAreas } from "../../platform/geometry/areas.ts";
import { createFeatureTests } from "../../platform/geometry/feature-tests.ts";
import { testDatabase, type TestDatabase } from "../../platform/postgres/testing.ts";
import type { NewFeature } from "@swath/contract/features/feature-store/contract";
import { createFeatureStoreService, type FeatureStoreService } from "./service.ts";

let database: TestDatabase;
let service: FeatureStoreService;
const signal = new AbortController().signal;

before(async () => {
  database = await testDatabase();
  service = createFeatureStoreService({ areas: createAreas(), db: database.db, tests: createFeatureTests() });
});
after(async () => {
  await database[Symbol.asyncDispose]();
});

function callerWith(...permissions: string[]): Caller {
  return { kind: "user", userId: "u", groupId: "g", email: "u@example.org", permissions: new Set(permissions) };
}
const anyone = callerWith("geojsondb");

function feature(collection: string, properties: Record<string, unknown> = {}): NewFeature {
  return {
    type: "Feature",
    geometry: { type: "Point", coordinates: [14, 50] },
    properties: { ...properties, collection },
  };
}

function refused(code: ErrorCode, path?: string) {
  return (error: unknown): boolean =>
    error instanceof ServiceError && error.code === code && (path === undefined || error.details?.[0]?.path === path);
}

async function rowCount(table: "features" | "feature_values"): Promise<number> {
  const query = database.db.selectFrom(table).select((one) => one.fn.countAll<number>().as("n"));
  return (await query.executeTakeFirstOrThrow()).n;
}

async function rowCounts(): Promise<readonly [features: number, values: number]> {
  return [await rowCount("features"), await rowCount("feature_values")];
}

test("an id is the hash of canonical geometry and properties after a prefix of its own", async () => {
  const clockwise = [
    [0, 0],
    [0, 1],
    [1, 1],
    [1, 0],
    [0, 0],
  ] as const;
  const [id] = await service.create([
    {
      type: "Feature",
      geometry: { type: "Polygon", coordinates: [clockwise.map(([x, y]) => [x + 1e-9, y] as const)] },
      properties: { b: 1e21, a: "ž", collection: "ids" },
    },
  ]);
  const document = canonicalize({
    type: "Feature",
    geometry: { type: "Polygon", coordinates: [clockwise.toReversed()] },
    properties: { collection: "ids", a: "ž", b: 1e21 },
  });
  assert.equal(id, createHash("sha256").update(`feature:v1|${document}`).digest("base64url"));
  assert.deepEqual((await service.get(id ?? "", anyone)).geometry, {
    type: "Polygon",
    coordinates: [clockwise.toReversed()],
  });
});

test("the id is the one any SHA-256 tool makes of the published bytes", async () => {
  // printf 'feature:v1|{"geometry":…,"properties":…,"type":"Feature"}' | sha256sum, in base64url.
  const ids = await service.create([feature("test")]);
  assert.deepEqual(ids, ["2dqRYiZ3r8RF785xlm-t4B1rk55y4idE_d1jcw43SE4"]);
});

test("more candidates than one batch holds are all looked at, by values, by boxes, in order and sorted", async () => {
  const spread = Array.from({ length: 9000 }, (_, n): NewFeature => ({
    type: "Feature",
    geometry: { type: "Point", coordinates: [(n % 100) / 10, Math.floor(n / 100) / 10] },
    properties: { collection: "many", n, marks: n % 1000 === 999 ? ["rare"] : [] },
  }));
  for (let from = 0; from < spread.length; from += 3000) await service.create(spread.slice(from, from + 3000));
  const triangle = {
    type: "Polygon",
    coordinates: [
      [
        [0, 0],
        [20, 0],
        [0, 20],
        [0, 0],
      ],
    ],
  };
  const corner = {
    type: "Polygon",
    coordinates: [
      [
        [-1, -1],
        [9, -1],
        [-1, 9],
        [-1, -1],
      ],
    ],
  };
  const marked = { marks: { $contains: "rare" } };
  const sums = spread.map((_, n) => (n % 100) + Math.floor(n / 100));
  const cases: readonly [Record<string, unknown>, number][] = [
    [{ n: { $gte: 0 }, ...marked }, 9],
    [{ n: { $gte: 5000 }, ...marked }, 4],
    [{ collection: "many", ...marked }, 9],
    [{ collection: "many", geometry: { $geoIntersects: triangle }, ...marked }, 9],
    [{ collection: "many", geometry: { $geoWithin: corner } }, sums.filter((sum) => sum < 80).length],
    [{ collection: "many", geometry: { $geoIntersects: corner } }, sums.filter((sum) => sum <= 80).length],
  ];
  for (const [query, expected] of cases) {
    assert.equal(await service.count(query, signal), expected, JSON.stringify(query));
    for (const sort of [[], ["-n"]]) {
      const ids = new Set<string>();
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof service.search>> = await service.search(
          { query, _sort: sort, _limit: 1000, ...(cursor === null ? {} : { cursor }) },
          signal,
        );
        for (const { id } of page.results) ids.add(id);
        ({ cursor } = page);
      } while (cursor !== null);
      assert.equal(ids.size, expected, JSON.stringify([query, sort]));
    }
  }
});

test("creating again changes nothing, in one request, in another, and in many at once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 30 }), async (numbers) => {
      const features = numbers.map((n) => feature("again", { n }));
      const ids = await service.create(features);
      const counts = await rowCounts();
      const rivals = await Promise.all(
        Array.from({ length: 4 }, (_, i) => service.create(i % 2 === 0 ? features : features.toReversed())),
      );
      assert.deepEqual(rivals[0], ids);
      assert.deepEqual(rivals[1], ids.toReversed());
      assert.deepEqual(await rowCounts(), counts);
      assert.equal(new Set(ids).size, new Set(numbers).size);
    }),
    { numRuns: 15 },
  );
});

test("a feature with an id or with what cannot be kept is refused with its place, and nothing is stored", async () => {
  const counts = await rowCounts();
  const good = feature("refused");
  const deep = (depth: number): unknown => (depth === 0 ? 1 : [deep(depth - 1)]);
  const cases: readonly [unknown, string][] = [
    [{ ...good, id: "x" }, "/features/1/id"],
    [feature("refused", { a: { b: ["x\0"] } }), "/features/1/properties/a/b/0"],
    [feature("refused", { a: "\uDC00" }), "/features/1/properties/a"],
    [feature("refused", { "a\0": 1 }), "/features/1/properties"],
    [feature("refused", { a: Number.POSITIVE_INFINITY }), "/features/1/properties/a"],
    [feature("refused", { a: Number.NaN }), "/features/1/properties/a"],
    [feature("refused", { a: "x".repeat(1024 * 1024) }), "/features/1/properties"],
    [
      feature("refused", Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`p${i}`, i]))),
      "/features/1/properties",
    ],
    [{ ...good, geometry: { type: "Point", coordinates: [0, 91] } }, "/features/1/geometry/coordinates"],
    [
      {
        ...good,
        geometry: {
          type: "Polygon",
          coordinates: [
            [
              [0, 0],
              [1, 0],
              [1, 1],
              [0, 1],
            ],
          ],
        },
      },
      "/features/1/geometry/coordinates/0",
    ],
  ];
  for (const [one, path] of cases) {
    await assert.rejects(service.create([good, one as NewFeature]), refused("VALIDATION-ERROR", path), path);
  }
  await assert.rejects(service.create([feature("refused", { a: deep(40) })]), refused("VALIDATION-ERROR"));
  assert.deepEqual(await rowCounts(), counts);
});

test("long texts, huge numbers and strange names are kept as they came", async () => {
  const properties = JSON.parse(
    `{"__proto__": {"polluted": 1}, "constructor": 2, "a.b": 3, "name with space": 4, "huge": 1.7976931348623157e308,
      "tiny": 5e-324, "long": "${"ž".repeat(500_000)}", "'; drop table features; --": "\\u0001\\u{}"}`.replace(
      "\\u{}",
      "\\ud83d\\ude00",
    ),
  );
  const [id = ""] = await service.create([feature("strange", properties)]);
  const found = await service.get(id, anyone);
  assert.deepEqual(JSON.stringify(found.properties["__proto__"]), '{"polluted":1}');
  assert.equal(canonicalize(found.properties), canonicalize(feature("strange", properties).properties));
  assert.equal(Reflect.get({}, "polluted"), undefined);
  assert.equal((await service.search({ query: { huge: 1.7976931348623157e308 } }, signal)).results.length, 1);
  assert.equal((await service.search({ query: { long: { $prefix: "ž".repeat(1000) } } }, signal)).results.length, 1);
  assert.equal((await service.search({ query: { "__proto__.polluted": 1 } }, signal)).results.length, 1);
});

test("literals are data, whatever they look like", async () => {
  const counts = await rowCounts();
  for (const text of ["'; drop table features; --", "\"}'::jsonb); select 1; --", "$1", "${1}", "\\", "%_", "\u2028"]) {
    for (const query of [
      { unused: text },
      { unused: { $in: [text, { [text]: text }] } },
      { unused: { $gt: text } },
      { unused: { $prefix: text } },
      { unused: { $contains: text } },
      { id: text },
      { collection: text },
    ]) {
      assert.deepEqual((await service.search({ query, _sort: ["unused"] }, signal)).results, [], JSON.stringify(query));
      assert.equal(await service.count(query, signal), 0);
    }
  }
  for (const name of ["a'b", 'a"b', "a;b", "a b", "a->b", "", "a$1"]) {
    const place = name === "" ? "/" : `/${name}`;
    await assert.rejects(
      service.search({ query: { [name]: 1 } }, signal),
      refused("VALIDATION-ERROR", `/query${place}`),
    );
    await assert.rejects(service.search({ _sort: [name] }, signal), refused("VALIDATION-ERROR", "/_sort/0"));
    await assert.rejects(service.search({ _fields: [name] }, signal), refused("VALIDATION-ERROR", "/_fields/0"));
    await assert.rejects(service.distinctValues(name, {}, signal), refused("VALIDATION-ERROR", "/property"));
  }
  assert.deepEqual(await rowCounts(), counts);
});

test("what a caller has no right to does not exist for it", async () => {
  const [id = ""] = await service.create([feature("secret", { v: 1 })]);
  const replacement = { ...feature("open", { v: 2 }), id };
  const uses: readonly [string, (id: string, caller: Caller) => Promise<unknown>][] = [
    ["get", (one, caller) => service.get(one, caller)],
    ["delete", (one, caller) => service.remove(one, caller)],
    ["modify", (one, caller) => service.modify({ ...replacement, id: one }, caller)],
  ];
  for (const [action, use] of uses) {
    for (const existing of [id, "nothing"]) {
      await assert.rejects(
        use(existing, callerWith("geojsondb.search", `geojson.${action}`)),
        refused("NOT-AUTHORIZED"),
      );
      await assert.rejects(use(existing, callerWith(`geojsondb.${action}.open`)), refused("NON-EXISTENT-FEATURE"));
      await assert.rejects(use(existing, callerWith(`geojsondb.${action}.secre`)), refused("NON-EXISTENT-FEATURE"));
    }
    await assert.rejects(use("nothing", anyone), refused("NON-EXISTENT-FEATURE"));
  }
  assert.equal((await service.get(id, callerWith("geojsondb.get.secret"))).id, id);
  await service.remove(id, callerWith("geojsondb.delete.secret"));
  await assert.rejects(service.get(id, anyone), refused("NON-EXISTENT-FEATURE"));
});

test("modifying replaces the id and removes the old feature with its values, once however many try", async () => {
  const [old = ""] = await service.create([feature("modified", { v: 1, w: { x: "y" } })]);
  const counts = await rowCounts();
  assert.equal(await service.modify({ ...feature("modified", { v: 1, w: { x: "y" } }), id: old }, anyone), old);
  const rivals = await Promise.allSettled(
    Array.from({ length: 6 }, (_, v) =>
      service.modify({ ...feature("modified", { v: v + 10, w: { x: "y" } }), id: old }, anyone),
    ),
  );
  const done = rivals.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  assert.equal(done.length, 1);
  assert.ok(rivals.every((one) => one.status === "fulfilled" || refused("NON-EXISTENT-FEATURE")(one.reason)));
  assert.deepEqual(await rowCounts(), counts);
  assert.equal(await service.count({ collection: "modified" }, signal), 1);
  await assert.rejects(
    service.modify({ ...feature("modified", { v: "\0" }), id: done[0] ?? "" }, anyone),
    refused("VALIDATION-ERROR", "/properties/v"),
  );
  await service.remove(done[0] ?? "", anyone);
  const [features, values] = await rowCounts();
  assert.deepEqual([features, values], [counts[0] - 1, counts[1] - 2]);
});

test("fields keep what they name, and sorting puts what has no order last", async () => {
  await service.create([
    feature("fields", { n: 2, s: { t: 1, u: 2 } }),
    feature("fields", { n: "x" }),
    feature("fields", { n: -1 }),
    feature("fields", { n: null }),
    feature("fields", { n: true }),
    feature("fields", { m: 1 }),
  ]);
  const names = async (sort: string[], more: object = {}) => {
    const { results } = await service.search({ collection: "fields", _fields: ["n"], _sort: sort, ...more }, signal);
    return results.map(({ properties }) => properties["n"]);
  };
  assert.deepEqual((await names(["n"])).slice(0, 4), [-1, 2, "x", true]);
  assert.deepEqual((await names(["-n"])).slice(0, 4), [true, "x", 2, -1]);
  const { results } = await service.search(
    { query: { n: 2, collection: "fields" }, _fields: ["s.t", "geometry", "nothing"] },
    signal,
  );
  assert.deepEqual(results, [
    {
      type: "Feature",
      id: results[0]?.id,
      geometry: { type: "Point", coordinates: [14, 50] },
      properties: { s: { t: 1 } },
    },
  ]);
});

test("a cursor belongs to its query", async () => {
  await service.create(Array.from({ length: 5 }, (_, n) => feature("paged", { n })));
  const first = await service.search({ query: { collection: "paged" }, _limit: 2, _sort: ["-n"] }, signal);
  assert.deepEqual(
    first.results.map(({ properties }) => properties["n"]),
    [4, 3],
  );
  const cursor = first.cursor ?? "";
  const second = await service.search({ query: { collection: "paged" }, _limit: 3, _sort: ["-n"], cursor }, signal);
  assert.deepEqual(
    second.results.map(({ properties }) => properties["n"]),
    [2, 1, 0],
  );
  assert.equal(second.cursor, null);
  for (const request of [
    { query: { collection: "other" }, _sort: ["-n"], cursor },
    { query: { collection: "paged" }, cursor },
    { query: { collection: "paged" }, _sort: ["-n"], cursor: `${cursor}x` },
    { query: { collection: "paged" }, _sort: ["-n"], cursor: Buffer.from('["a",1]').toString("base64url") },
    { query: { collection: "paged" }, _sort: ["-n"], cursor: "null" },
  ]) {
    await assert.rejects(service.search(request, signal), refused("INVALID-CURSOR"), JSON.stringify(request));
  }
});
