import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import * as fc from "fast-check";
import { sql } from "kysely";
import { geojsonBench, type Account, type Answer, type GeojsonBench } from "./testing.ts";

let bench: GeojsonBench;
let ann: Account;
let ben: Account;

before(async () => {
  bench = await geojsonBench();
  ann = await bench.addUser("ann@example.org");
  ben = await bench.addUser("ben@example.org");
});
after(async () => {
  await bench[Symbol.asyncDispose]();
});

const SQUARE = [
  [14.4, 50.1],
  [14.4, 50.2],
  [14.5, 50.2],
  [14.5, 50.1],
  [14.4, 50.1],
];
const POLYGON = { type: "Polygon", coordinates: [SQUARE] };
/** See docs/geojson-vectors.json. */
const SQUARE_ID = "PhQs-E7dJ8pDtsQcHD3Rm7zUZf9crS4WgNZ_fLf3JKk";

function point(lon: number, lat = 0) {
  return { type: "Point", coordinates: [lon, lat] };
}

function refusal({ status, json }: Answer): readonly [number, string] {
  return [status, json.error];
}

async function save(
  account: Account,
  feature: object,
  unknown: readonly string[] = [],
): Promise<{ featureId: string; geometryId: string }> {
  const { status, json } = await bench.post("/geojson/feature/save", { type: "Feature", ...feature }, account.token);
  assert.equal(status, 200, JSON.stringify(json));
  const { warnings = [], ...saved } = json;
  assert.deepEqual(Object.keys(saved).toSorted(), ["featureId", "geometryId"]);
  assert.deepEqual(
    warnings.map(({ path }: { path: string }) => path),
    unknown,
  );
  return saved;
}

async function get(account: Account, featureId: string): Promise<Answer> {
  return await bench.post("/geojson/feature/get", { featureId }, account.token);
}

async function listAll(account: Account): Promise<{ readonly ids: readonly string[]; readonly pages: number }> {
  const ids: string[] = [];
  let cursor: string | null = null;
  for (let pages = 1; ; pages += 1) {
    const { status, json } = await bench.post("/geojson/feature/list", { cursor }, account.token);
    assert.equal(status, 200, JSON.stringify(json));
    ids.push(...json.results.map(({ id }: { id: string }) => id));
    cursor = json.cursor;
    if (cursor === null) return { ids, pages };
  }
}

test("a saved geometry is answered in canonical form with its id, and got by anyone who knows it", async () => {
  const saved = await bench.post("/geojson/geometry/save", { ...POLYGON, id: "mine", note: 1, bbox: [] }, ann.token);
  assert.equal(saved.status, 200);
  assert.deepEqual(saved.json, { type: "Polygon", coordinates: [SQUARE.toReversed()], id: SQUARE_ID });
  const got = await bench.post("/geojson/geometry/get", { geometryId: SQUARE_ID }, ben.token);
  assert.deepEqual(got.json, saved.json);
  const again = await bench.post("/geojson/geometry/save", got.json, ben.token);
  assert.deepEqual(again.json, saved.json);
  assert.deepEqual(refusal(await bench.post("/geojson/geometry/get", { geometryId: "x".repeat(43) }, ann.token)), [
    404,
    "NON-EXISTENT-GEOMETRY",
  ]);
  assert.equal((await bench.post("/geojson/geometry/get", {}, ann.token)).status, 422);
});

test("a geometry that crosses itself is kept as it is, with a warning", async () => {
  const crossing = { type: "Polygon", coordinates: [[[0, 0], [4, 4], [4, 1], [0, 4], [0, 0]]] }; // prettier-ignore
  const saved = await bench.post("/geojson/geometry/save", crossing, ann.token);
  assert.equal(saved.status, 200);
  assert.deepEqual(
    saved.json.warnings.map(({ path, message }: Record<string, string>) => [path, message?.slice(0, 14)]),
    [["", "crosses itself"]],
  );
  const feature = { type: "Feature", properties: {}, geometry: crossing };
  const { json } = await bench.post("/geojson/feature/save", feature, ann.token);
  assert.deepEqual([json.geometryId, json.warnings[0].path], [saved.json.id, "/geometry"]);
});

test("what is no geometry is refused with the place of the fault", async () => {
  const cases: readonly (readonly [unknown, string])[] = [
    [{ type: "Polygon", coordinates: [SQUARE.slice(0, 4)] }, "/coordinates/0"],
    [{ type: "Polygon", coordinates: [SQUARE.map(([lon]) => [lon, 1])] }, "/coordinates/0"],
    [{ type: "Feature", geometry: POLYGON, properties: {} }, "/type"],
    [{ coordinates: [1, 2] }, "/type"],
    [point(0, 90.1), "/coordinates"],
    [{ type: "GeometryCollection", geometries: [{ type: "GeometryCollection", geometries: [{}] }] }, ""],
  ];
  for (const [geometry, path] of cases) {
    const { status, json } = await bench.post("/geojson/geometry/save", geometry, ann.token);
    assert.equal(status, 422, JSON.stringify(geometry));
    assert.ok(json.details[0].path.startsWith(path), JSON.stringify(json));
  }
  const inFeature = await bench.post("/geojson/feature/save", { type: "Feature", geometry: point(0, 91) }, ann.token);
  assert.deepEqual([inFeature.status, inFeature.json.details[0].path], [422, "/geometry/coordinates"]);
  const none = await bench.post("/geojson/feature/save", { type: "Feature", geometry: null }, ann.token);
  assert.equal(none.status, 422);
});

test("a feature is created without id, replaced as a whole with it, and deleted", async () => {
  const made = await save(ann, { geometry: POLYGON, properties: { a: 1, b: 2 }, foreign: true }, ["/foreign"]);
  assert.equal(made.geometryId, SQUARE_ID);
  assert.deepEqual((await get(ann, made.featureId)).json, {
    type: "Feature",
    id: made.featureId,
    geometry: { type: "Polygon", coordinates: [SQUARE.toReversed()], id: SQUARE_ID },
    properties: { a: 1, b: 2 },
  });
  const replaced = await save(ann, { id: made.featureId, geometry: point(1), properties: null });
  assert.equal(replaced.featureId, made.featureId);
  assert.notEqual(replaced.geometryId, made.geometryId);
  const { json } = await get(ann, made.featureId);
  assert.deepEqual(json.properties, {});
  assert.deepEqual(json.geometry, { ...point(1), id: replaced.geometryId });
  assert.deepEqual((await save(ann, json)).geometryId, replaced.geometryId);

  const gone = await bench.post("/geojson/feature/delete", { featureId: made.featureId }, ann.token);
  assert.deepEqual([gone.status, gone.json], [200, {}]);
  for (const path of ["/geojson/feature/delete", "/geojson/feature/get"]) {
    assert.deepEqual(refusal(await bench.post(path, { featureId: made.featureId }, ann.token)), [
      404,
      "NON-EXISTENT-FEATURE",
    ]);
  }
  const geometry = await bench.post("/geojson/geometry/get", { geometryId: replaced.geometryId }, ann.token);
  assert.equal(geometry.status, 200, "the geometry of a deleted feature stays");
});

test("a feature is its owner's alone: others cannot tell it from one that does not exist", async () => {
  const { featureId } = await save(ann, { geometry: point(2), properties: { secret: true } });
  const unknown = "00000000-0000-4000-8000-000000000000";
  for (const [path, body] of [
    ["/geojson/feature/get", {}],
    ["/geojson/feature/delete", {}],
    ["/geojson/feature/save", { type: "Feature", geometry: point(66, 6) }],
  ] as const) {
    const member = path.endsWith("save") ? "id" : "featureId";
    const other = await bench.post(path, { ...body, [member]: featureId }, ben.token);
    const none = await bench.post(path, { ...body, [member]: unknown }, ben.token);
    assert.deepEqual(refusal(other), [404, "NON-EXISTENT-FEATURE"]);
    assert.deepEqual(refusal(none), refusal(other));
    assert.equal(
      other.json.errorMessage.replace(featureId, ""),
      none.json.errorMessage.replace(unknown, ""),
      "same words",
    );
  }
  assert.deepEqual((await get(ann, featureId)).json.properties, { secret: true });
  assert.ok(!(await listAll(ben)).ids.includes(featureId));
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from geojson_geometries where geometry ->> 'coordinates' = '[66,6]'`.execute(bench.db);
  assert.equal(rows[0]?.count, 0, "a refused save keeps nothing");
});

test("a caller with an API key has the features of its user", async () => {
  const key = { ...ann.caller, kind: "api-key" } as const;
  const saved = await bench.service.saveFeature(key, {
    type: "Feature",
    geometry: { type: "Point", coordinates: [3, 3] },
  });
  assert.equal((await get(ann, saved.featureId)).status, 200);
  assert.equal((await get(ben, saved.featureId)).status, 404);
});

test("each operation needs its own permission", async () => {
  const paths = ["feature/delete", "feature/get", "feature/list", "feature/save", "geometry/get", "geometry/save"];
  const bodies: Readonly<Record<string, unknown>> = {
    "feature/list": {},
    "feature/save": { type: "Feature", geometry: point(0) },
    "geometry/get": { geometryId: SQUARE_ID },
    "geometry/save": POLYGON,
  };
  for (const held of paths) {
    const { token } = await bench.addUser(`${held.replace("/", ".")}@example.org`, [
      `geojson.${held.replace("/", ".")}`,
    ]);
    for (const path of paths) {
      const { status } = await bench.post(`/geojson/${path}`, bodies[path] ?? { featureId: "none" }, token);
      const allowed = bodies[path] === undefined ? 404 : 200;
      assert.equal(status, path === held ? allowed : 401, `${held} on ${path}`);
    }
  }
  for (const path of paths) assert.equal((await bench.post(`/geojson/${path}`, {})).status, 401, path);
});

test("features are listed newest first, page by page, whatever is made or deleted meanwhile", async () => {
  const cleo = await bench.addUser("cleo@example.org");
  assert.deepEqual((await bench.post("/geojson/feature/list", {}, cleo.token)).json, { results: [], cursor: null });
  const made: string[] = [];
  for (let i = 0; i < 250; i += 1)
    made.push((await save(cleo, { geometry: point(i % 7), properties: { i } })).featureId);
  const newestFirst = made.toReversed();
  assert.deepEqual(await listAll(cleo), { ids: newestFirst, pages: 3 });

  const first = await bench.post("/geojson/feature/list", {}, cleo.token);
  assert.equal(first.json.results.length, 100);
  assert.deepEqual(first.json.results[0].properties, { i: 249 });
  // The last of the page goes, one is made, one is replaced: the next page is what it would have been.
  await bench.post("/geojson/feature/delete", { featureId: newestFirst[99] }, cleo.token);
  await save(cleo, { geometry: point(0) });
  await save(cleo, { id: newestFirst[100], geometry: point(9), properties: { changed: true } });
  const second = await bench.post("/geojson/feature/list", { cursor: first.json.cursor }, cleo.token);
  assert.deepEqual(
    second.json.results.map(({ id }: { id: string }) => id),
    newestFirst.slice(100, 200),
  );
  assert.deepEqual(second.json.results[0].properties, { changed: true });
  assert.ok(second.json.results.every(({ geometry }: { geometry: { id: string } }) => geometry.id.length === 43));

  // A cursor says where, not whose.
  const others = await bench.post("/geojson/feature/list", { cursor: first.json.cursor }, ben.token);
  assert.deepEqual(others.json.results, []);
  for (const cursor of ["x", "MQ", `${first.json.cursor}A`]) {
    assert.deepEqual(refusal(await bench.post("/geojson/feature/list", { cursor }, cleo.token)), [
      400,
      "INVALID-CURSOR",
    ]);
  }
});

test("a page of large features is shorter, and none is lost", async () => {
  const dora = await bench.addUser("dora@example.org");
  const made: string[] = [];
  for (let i = 0; i < 12; i += 1) {
    made.push((await save(dora, { geometry: point(i), properties: { text: "x".repeat(1024 * 1024 - 20) } })).featureId);
  }
  const { ids, pages } = await listAll(dora);
  assert.deepEqual(ids, made.toReversed());
  assert.equal(pages, 2);
});

const jsonObject = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 }), { maxKeys: 6 });

test("properties of every JSON value come back as they were", async () => {
  await fc.assert(
    fc.asyncProperty(
      jsonObject,
      fc.array(fc.double({ noNaN: true, noDefaultInfinity: true })),
      async (members, numbers) => {
        // What JSON makes of them: no minus zero, and names like __proto__ are members like any other.
        const properties = JSON.parse(JSON.stringify({ ...members, numbers })) as object;
        const { featureId } = await save(ann, { geometry: point(4), properties });
        assert.deepEqual((await get(ann, featureId)).json.properties, properties);
      },
    ),
    { numRuns: 40 },
  );
});

test("members with names of the language's own are data, in the order they were sent", async () => {
  const properties =
    '{"z":1,"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}},"toString":null,"a":[]}';
  const body = `{"__proto__":{"id":"x"},"type":"Feature","geometry":{"type":"Point","coordinates":[5,5],"__proto__":[1]},"properties":${properties}}`;
  const saved = await bench.post("/geojson/feature/save", body, ann.token);
  assert.equal(saved.status, 200, JSON.stringify(saved.json));
  const { json } = await get(ann, saved.json.featureId);
  assert.equal(JSON.stringify(json.properties), properties);
  assert.equal("admin" in {}, false);
});

test("the geometry that one saves is the one that all its forms name", async () => {
  const lon = fc.double({ min: -170, max: 170, noNaN: true });
  const lat = fc.double({ min: -80, max: 80, noNaN: true });
  await fc.assert(
    fc.asyncProperty(lon, lat, fc.double({ min: 0.001, max: 5, noNaN: true }), async (west, south, size) => {
      const ring = [
        [west, south],
        [west + size, south],
        [west, south + size],
        [west, south],
      ];
      const saved = await bench.post("/geojson/geometry/save", { type: "Polygon", coordinates: [ring] }, ann.token);
      assert.equal(saved.status, 200, JSON.stringify(saved.json));
      const moved = saved.json.coordinates[0].map(([x, y]: [number, number]) => [x + 1e-8, y - 1e-8]).toReversed();
      const again = await save(ben, { geometry: { id: null, coordinates: [moved], type: "Polygon" } });
      assert.equal(again.geometryId, saved.json.id);
      const got = await bench.post("/geojson/geometry/get", { geometryId: saved.json.id }, ben.token);
      assert.deepEqual(got.json, saved.json);
    }),
    { numRuns: 25 },
  );
});

test("bodies up to 10 MiB are taken, larger and deeper ones refused", async () => {
  const count = 330_000;
  const line = Array.from({ length: count }, (_, i) => [(i * 1.5e-3) % 180, ((i * 7.77e-4) % 90) + 1e-7]);
  const big = JSON.stringify({ type: "LineString", coordinates: line });
  assert.ok(big.length > 7e6 && big.length < 10 * 1024 * 1024, `${big.length}`);
  const saved = await bench.post("/geojson/geometry/save", big, ann.token);
  assert.equal(saved.status, 200);
  const got = await bench.post("/geojson/geometry/get", { geometryId: saved.json.id }, ann.token);
  assert.equal(got.json.coordinates.length, count);
  const over = `{"type":"Point","coordinates":[0,0],"pad":"${"x".repeat(10 * 1024 * 1024)}"}`;
  assert.deepEqual(refusal(await bench.post("/geojson/geometry/save", over, ann.token)), [413, "PAYLOAD-TOO-LARGE"]);
  const many = JSON.stringify({ type: "MultiPoint", coordinates: Array.from({ length: 500_001 }, () => [1, 1]) });
  assert.equal((await bench.post("/geojson/geometry/save", many, ann.token)).status, 422);
  const collections = (depth: number): string =>
    depth === 0 ? JSON.stringify(point(0)) : `{"type":"GeometryCollection","geometries":[${collections(depth - 1)}]}`;
  assert.equal((await bench.post("/geojson/geometry/save", collections(8), ann.token)).status, 200);
  assert.equal((await bench.post("/geojson/geometry/save", collections(9), ann.token)).status, 422);
  assert.equal((await bench.post("/geojson/geometry/save", collections(40), ann.token)).status, 400);
  const deep = `{"type":"Feature","geometry":${JSON.stringify(point(0))},"properties":{"a":${"[".repeat(33)}${"]".repeat(33)}}}`;
  assert.deepEqual(refusal(await bench.post("/geojson/feature/save", deep, ann.token)), [422, "VALIDATION-ERROR"]);
});

test("of saves at once of one feature one stands, whole", async () => {
  const { featureId } = await save(ann, { geometry: point(0) });
  const saved = await Promise.all(
    Array.from({ length: 24 }, (_, i) => save(ann, { id: featureId, geometry: point(i % 3, 40), properties: { i } })),
  );
  const { json } = await get(ann, featureId);
  const winner = json.properties.i as number;
  assert.deepEqual(json.geometry, { ...point(winner % 3, 40), id: saved[winner]?.geometryId });
  const outcomes = await Promise.all([
    bench.post("/geojson/feature/delete", { featureId }, ann.token),
    bench.post("/geojson/feature/delete", { featureId }, ann.token),
  ]);
  assert.deepEqual(new Set(outcomes.map(({ status }) => status)), new Set([200, 404]));
});

test("a user who goes takes the features along", async () => {
  const eve = await bench.addUser("eve@example.org");
  const { featureId, geometryId } = await save(eve, { geometry: point(8, 8) });
  await sql`delete from users where id = ${eve.caller.userId}`.execute(bench.db);
  const { rows } = await sql`select 1 from geojson_features where feature_id = ${featureId}`.execute(bench.db);
  assert.equal(rows.length, 0);
  assert.equal((await bench.post("/geojson/geometry/get", { geometryId }, ann.token)).status, 200);
});
