import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DEFAULT_HTTP_CONFIG } from "../../http/http-config.ts";
import { createHttpServer, type HttpServer } from "../../http/server.ts";
import { testServer, type TestServer } from "../../http/testing.ts";
import { silentLog } from "@swath/base/log/log";
import { systemClock } from "@swath/base/clock";
import { featureStoreContract } from "@swath/contract/features/feature-store/contract";
import { featureStoreHandlers } from "./handlers.ts";
import { createAreas } from "../../platform/geometry/areas.ts";
import { createFeatureTests } from "../../platform/geometry/feature-tests.ts";
import { leastCpuMs, MAX_CPU_MS } from "../../platform/geometry/hostile-areas-testing.ts";
import { createFeatureStoreService } from "./service.ts";
import { ampleStorage } from "../../platform/storage/testing.ts";

let world: TestServer;
let server: HttpServer;

before(async () => {
  world = await testServer();
  const { db } = world.database;
  server = await createHttpServer({
    storage: ampleStorage(),
    contract: { featureStore: featureStoreContract },
    handlers: {
      featureStore: featureStoreHandlers(
        createFeatureStoreService({ areas: createAreas(), db, tests: createFeatureTests() }),
      ),
    },
    db,
    identity: world.identity,
    pipelines: { accept: () => Promise.reject(new Error("none")), retrieve: () => Promise.reject(new Error("none")) },
    config: { ...DEFAULT_HTTP_CONFIG, rateLimits: null, validateResponses: true },
    clock: systemClock,
    log: silentLog,
  });
});
after(async () => {
  await server.close();
  await world[Symbol.asyncDispose]();
});

let users = 0;
async function userWith(...permissions: string[]) {
  users += 1;
  const { token } = await world.addUser(`user${users}@example.org`, permissions);
  return async (path: string, body: unknown) => {
    const response = await server.app.inject({
      method: "POST",
      url: path,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      payload: typeof body === "string" ? body : JSON.stringify(body),
    });
    return { status: response.statusCode, body: response.json() };
  };
}

function collectionOf(...features: readonly unknown[]) {
  return { type: "FeatureCollection", features };
}
function feature(collection: string, n: number) {
  return { type: "Feature", geometry: { type: "Point", coordinates: [n, 1] }, properties: { collection, n } };
}

/** Features whose tests take 0.7 ms each. */
const FEATURES_NEAR = 500;
/** A line inside the bounding rectangle of the diagonal that is asked for, over 150 km from it. */
function lineNear(n: number) {
  const coordinates = Array.from({ length: 10 }, (_, i) => [103.5 + n / 1_000 + i / 100, 41]);
  return { type: "Feature", geometry: { type: "LineString", coordinates }, properties: { collection: "near", n } };
}

test("creating needs the right to every collection of the request", async () => {
  const post = await userWith("geojsondb.create.mine");
  const made = await post("/api/features/create", collectionOf(feature("mine", 1)));
  assert.equal(made.status, 200, JSON.stringify(made.body));
  for (const features of [[feature("yours", 1)], [feature("mine", 2), feature("yours", 2)], [feature("mine2", 1)]]) {
    const answer = await post("/api/features/create", collectionOf(...features));
    assert.equal(answer.status, 401);
    assert.match(answer.body.errorMessage, /geojsondb\.create\.(yours|mine2)$/);
  }
  const search = await userWith("geojsondb.search");
  assert.deepEqual((await search("/api/features/aggregate", { aggregation: "count", query: {} })).body, { count: 1 });
  assert.equal((await post("/api/features/search", {})).status, 401);
  assert.equal((await post("/api/features/aggregate", { aggregation: "count", query: {} })).status, 401);
  assert.equal((await post("/api/properties", { property: "n" })).status, 401);
});

test("modifying needs the right to both collections", async () => {
  const all = await userWith("geojsondb");
  const [id] = (await all("/api/features/create", collectionOf(feature("from", 5)))).body.created;
  const onlyFrom = await userWith("geojsondb.modify.from");
  const onlyTo = await userWith("geojsondb.modify.to");
  const both = await userWith("geojsondb.modify.from", "geojsondb.modify.to");
  assert.equal((await onlyFrom("/api/features/modify", { ...feature("to", 6), id })).status, 401);
  assert.equal((await onlyTo("/api/features/modify", { ...feature("to", 6), id })).status, 404);
  const changed = await both("/api/features/modify", { ...feature("to", 6), id });
  assert.equal(changed.status, 200);
  assert.equal((await all("/api/feature/get", { id: changed.body.modified })).body.properties.collection, "to");
});

test("malformed requests are answered 4xx with the place", async () => {
  const post = await userWith("geojsondb");
  const point = { type: "Point", coordinates: [0, 0] };
  const deep = `${'{"$and":['.repeat(40)}{"a":1}${"]}".repeat(40)}`;
  const cases: readonly [string, unknown, number, string?][] = [
    ["/api/features/create", {}, 422],
    ["/api/features/create", collectionOf(), 422, "/features"],
    ["/api/features/create", collectionOf({ ...feature("a", 1), id: "x" }), 422, "/features/0/id"],
    [
      "/api/features/create",
      collectionOf({ type: "Feature", geometry: point, properties: {} }),
      422,
      "/features/0/properties/collection",
    ],
    [
      "/api/features/create",
      collectionOf({ type: "Feature", geometry: point, properties: { collection: "a.b" } }),
      422,
      "/features/0/properties/collection",
    ],
    [
      "/api/features/create",
      collectionOf({ type: "Feature", properties: { collection: "a" } }),
      422,
      "/features/0/geometry",
    ],
    [
      "/api/features/create",
      collectionOf({ type: "Feature", geometry: { type: "Point" }, properties: { collection: "a" } }),
      422,
      "/features/0/geometry/coordinates",
    ],
    [
      "/api/features/create",
      JSON.stringify(collectionOf(feature("a", 1))).replace('"n":1', '"n":1e999'),
      422,
      "/features/0/properties/n",
    ],
    ["/api/features/create", collectionOf({ ...feature("a", 1), properties: { collection: "a", b: "\0" } }), 400],
    [
      "/api/features/create",
      collectionOf(...Array.from({ length: 10_001 }, (_, n) => feature("a", n % 180))),
      422,
      "/features",
    ],
    ["/api/features/search", { query: { a: { $gt: [] } } }, 422, "/query/a/$gt"],
    ["/api/features/search", { a: { $gt: {} } }, 422, "/a/$gt"],
    ["/api/features/search", { _limit: 1001 }, 422, "/_limit"],
    ["/api/features/search", { _sort: ["geometry"] }, 422, "/_sort/0"],
    ["/api/features/search", { cursor: "x" }, 400],
    ["/api/features/search", deep, 400],
    ["/api/features/search", `${'{"$and":['.repeat(9)}{"a":1}${"]}".repeat(9)}`, 422],
    ["/api/features/search", '{"a": 1e999}', 422, "/a"],
    ["/api/features/aggregate", { aggregation: "sum", query: {} }, 422, "/aggregation"],
    ["/api/properties", { property: "a'" }, 422, "/property"],
    ["/api/feature/get", { id: 1 }, 422, "/id"],
    ["/api/feature/get", { id: "x" }, 404],
  ];
  for (const [path, body, status, place] of cases) {
    const answer = await post(path, body);
    const told = `${path} ${JSON.stringify(body).slice(0, 150)}: ${JSON.stringify(answer.body)}`;
    assert.equal(answer.status, status, told);
    if (place !== undefined) assert.equal(answer.body.details?.[0]?.path, place, told);
  }
});

test("a search takes its query at the top level, and null for what is absent", async () => {
  const post = await userWith("geojsondb");
  await post("/api/features/create", collectionOf(feature("top", 1), feature("top", 2)));
  const found = await post("/api/features/search", {
    collection: "top",
    n: 2,
    cursor: null,
    _fields: null,
    query: null,
  });
  assert.deepEqual(
    found.body.results.map((one: { properties: object }) => one.properties),
    [{ collection: "top", n: 2 }],
  );
  const cql = {
    op: "and",
    args: [
      { op: "=", args: [{ property: "collection" }, "top"] },
      { op: ">", args: [{ property: "n" }, 1] },
    ],
  };
  assert.equal((await post("/api/features/search", cql)).body.results.length, 1);
});

test("values of a property near a line of 499 positions cost the thread that answers little", async () => {
  const post = await userWith("geojsondb");
  const created = await post(
    "/api/features/create",
    collectionOf(...Array.from({ length: FEATURES_NEAR }, (_, n) => lineNear(n))),
  );
  assert.equal(created.status, 200, JSON.stringify(created.body));
  // One position short of the limit. No feature is within the distance: each is compared with all positions.
  const coordinates = Array.from({ length: 499 }, (_, i) => [100 + i / 100, 40 + i / 100]);
  const query = { geometry: { $near: { $geometry: { type: "LineString", coordinates }, $maxDistance: 50_000 } } };
  const ask = () => post("/api/properties", { property: "n", query });
  // Starts the threads and compiles what a request takes.
  await ask();
  const least = await leastCpuMs(async () => {
    const answer = await ask();
    assert.deepEqual([answer.status, answer.body], [200, []]);
  });
  assert.ok(least < MAX_CPU_MS, `${least.toFixed(1)} ms of the thread that answers`);
});
