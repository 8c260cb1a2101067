import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { boundsPolygon } from "../packages/kernel/src/geometry/bounds-polygon.ts";
import { testDatabase, type TestDatabase } from "../packages/service/src/platform/postgres/testing.ts";
import { RawClient } from "./raw-client.ts";
import { ADMIN, DEMO, ServiceProcess } from "./service-process.ts";
import { SMALL_SEARCH } from "./small-search.ts";
import { testProxy, type TestProxy } from "../packages/service/src/platform/postgres/testing-proxy.ts";

const MOST_STATEMENTS = 6;

let database: TestDatabase;
let counter: TestProxy;
let service: ServiceProcess;
let demo: RawClient;

before(async () => {
  database = await testDatabase();
  counter = await testProxy(database.url);
  // Without a worker: quick pipelines need none, and its polls are no statements of a search.
  service = await ServiceProcess.start({ DATABASE_URL: counter.url, SWATH_ROLES: "api" });
  demo = await new RawClient(service.baseUrl).login(DEMO);
  await demo.run("/imagery/search", SMALL_SEARCH);
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await counter[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** A client of the original protocol: reads `nextTry`, waits, asks. The number of status requests. */
async function followNextTry(waitSecondsOf: (nextTry: number) => number): Promise<number> {
  const { status, body } = await demo.post("/imagery/search/initiate", SMALL_SEARCH);
  assert.deepEqual([status, body.status, body.nextTry], [200, "NEW", 0]);
  let nextTry: number = body.nextTry;
  for (let asked = 1; asked < 100; asked += 1) {
    await wait(waitSecondsOf(nextTry) * 1_000);
    const answer = (await demo.post("/tasking/get-status", { pipelineId: body.pipelineId })).body;
    assert.notEqual(answer.status, "NEW", "after nextTry seconds a pipeline is no longer NEW");
    if (answer.status === "RESOLVED") {
      const result = await demo.post("/imagery/search/retrieve", { pipelineId: body.pipelineId });
      assert.deepEqual([result.status, result.body.results], [200, []]);
      return asked;
    }
    nextTry = answer.nextTry;
  }
  throw new Error("the search did not end");
}

test("a small search over HTTP takes at most 6 SQL statements in all", async () => {
  const counts: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    const earlier = counter.statements;
    const { status } = await demo.run("/imagery/search", SMALL_SEARCH);
    assert.equal(status, 200);
    counts.push(counter.statements - earlier);
  }
  // Periodic work of the process adds statements to single rounds.
  assert.ok(Math.min(...counts) <= MOST_STATEMENTS, `statements: ${counts.join(", ")}`);
  assert.ok(Math.min(...counts) >= 2, `fewer than the search and its row: ${counts.join(", ")}`);
});

test("a client that waits nextTry seconds asks for the status of a small search once", async () => {
  const asked: number[] = [];
  for (let round = 0; round < 10; round += 1) asked.push(await followNextTry((nextTry) => nextTry));
  // A search that takes longer than 100 ms on a busy machine is held in get-status, up to 250 ms each time.
  assert.equal(Math.min(...asked), 1);
  assert.ok(Math.max(...asked) <= 10, String(asked));
});

test("a client that waits at least a second each time still ends with its result", async () => {
  assert.ok((await followNextTry((nextTry) => Math.max(1, nextTry))) <= 3);
});

test("four hundred searches at once are all accepted and end, also those that had no place at once", async () => {
  const initiated = await Promise.all(
    Array.from({ length: 400 }, async () => demo.post("/imagery/search/initiate", SMALL_SEARCH)),
  );
  assert.deepEqual(new Set(initiated.map(({ status }) => status)), new Set([200]));
  const ended = await Promise.all(initiated.map(async ({ body }) => demo.settled(body.pipelineId)));
  assert.deepEqual(new Set(ended), new Set(["RESOLVED"]));
});

test("a result that the process still remembers is retrieved by its owner only, and at its own operation", async () => {
  const { body } = await demo.post("/imagery/search/initiate", SMALL_SEARCH);
  const admin = await new RawClient(service.baseUrl).login(ADMIN);
  const asked = { pipelineId: body.pipelineId };
  const foreign = await admin.post("/imagery/search/retrieve", asked);
  assert.deepEqual([foreign.status, foreign.body.error], [404, "NON-EXISTENT-PIPELINE"]);
  const elsewhere = await demo.post("/mapsvc/pairwise/retrieve", asked);
  assert.deepEqual([elsewhere.status, elsewhere.body.error], [400, "INVALID_PIPELINE_RESULT"]);
  const cancelled = await demo.post("/tasking/cancel", asked);
  assert.deepEqual([cancelled.status, cancelled.body.error], [409, "ILLEGAL-STATE-TRANSITION"]);
  assert.equal((await demo.post("/imagery/search/retrieve", asked)).status, 200);
});

test("a dry run, pairs, series and the price of a mosaic end without a worker", async () => {
  const extent = boundsPolygon([14, 50, 14.05, 50.05]);
  const found = await demo.run("/imagery/search", {
    datasets: [{ provider: "ee", dataset: "COPERNICUS/S2_SR_HARMONIZED" }],
    extent,
    startDatetime: "2023-04-01 00:00:00",
    endDatetime: "2023-06-01 00:00:00",
  });
  const sceneIds: readonly string[] = found.body.results.map(({ sceneId }: { sceneId: string }) => sceneId);
  assert.ok(sceneIds.length >= 2, JSON.stringify(found.body));
  const shared = { sceneIds, extent };
  const resultOf = async (path: string, request: object) => {
    const { body, status } = await demo.run(path, request);
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
    return body;
  };
  const price = await resultOf("/mapsvc/dry-run", { dryRuns: [{ mapTypes: ["ndvi"], scenes: [sceneIds] }], extent });
  assert.ok(price.analyzedKm2 > 0, JSON.stringify(price));
  const mosaic = await resultOf("/mapsvc/mosaic-dry-run", { ...shared, mapType: "imagery", rule: "newest" });
  assert.deepEqual(new Set(mosaic.sceneIds), new Set(sceneIds));
  const { pairs } = await resultOf("/mapsvc/pairwise", shared);
  assert.equal(pairs.length, sceneIds.length - 1);
  const { groups } = await resultOf("/mapsvc/nwise", shared);
  assert.deepEqual(new Set(groups.flat()), new Set(sceneIds));
});
