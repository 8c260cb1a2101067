import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { postHead, rawConnection, type RawConnection } from "../packages/service/src/http/traffic/raw-connection.ts";
import { testDatabase, type TestDatabase } from "../packages/service/src/platform/postgres/testing.ts";
import { upload } from "./main-job.ts";
import { coastGeotiff } from "./make-geotiff.ts";
import { RawClient } from "./raw-client.ts";
import { ADMIN, DEMO, ServiceProcess } from "./service-process.ts";

let database: TestDatabase;
let service: ServiceProcess;
let demo: RawClient;
let admin: RawClient;

before(async () => {
  database = await testDatabase();
  // Without a worker heavy pipelines stay NEW: a long poll lasts for the time that it asks for.
  service = await ServiceProcess.start({
    DATABASE_URL: database.url,
    SWATH_ROLES: "api",
    SWATH_LONG_POLLS_PER_CALLER: "2",
    SWATH_REQUESTS_PER_CALLER: "2",
    SWATH_QUEUED_REQUESTS_PER_CALLER: "2",
    SWATH_MAX_CONNECTIONS: "200",
  });
  demo = await new RawClient(service.baseUrl).login(DEMO);
  admin = await new RawClient(service.baseUrl).login(ADMIN);
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

test("500 half-sent requests with and without a token refuse no user and no login", async () => {
  const halfSent: RawConnection[] = [];
  for (let i = 0; i < 500; i += 1) {
    const connection = await rawConnection(service.baseUrl);
    if (i % 3 === 0) connection.write(`${postHead("/imagery/search/initiate", 1_000, demo.token ?? "")}{`);
    if (i % 3 === 1) connection.write(`${postHead("/imagery/search/initiate", 1_000, "no.valid.token")}{`);
    if (i % 3 === 2) connection.write(`${postHead("/oauth/ro", 1_000)}{`);
    halfSent.push(connection);
  }
  assert.equal((await admin.post("/user/info")).status, 200);
  assert.equal((await demo.post("/user/info")).status, 200, "the other requests of the abused token");
  await new RawClient(service.baseUrl).login(ADMIN);
  for (const connection of halfSent) connection[Symbol.dispose]();
});

test("long polls of one user beyond the bound are answered at once, and its other requests have places", async () => {
  const filepath = await upload(demo, coastGeotiff());
  const { pipelineId } = (await demo.post("/imagery/ingest-scene/initiate", { provider: "local", filepath })).body;
  const pollMs = async (): Promise<number> => {
    const startedMs = performance.now();
    const { body } = await demo.post("/tasking/get-status", { pipelineId, waitSeconds: 8 });
    assert.match(body.status, /^(NEW|PROCESSING)$/);
    return performance.now() - startedMs;
  };
  const polls = Promise.all([pollMs(), pollMs(), pollMs()]);
  assert.equal((await demo.post("/user/info")).status, 200);
  const [first = 0, ...held] = (await polls).toSorted((a, b) => a - b);
  assert.ok(first < 7_000, `the one beyond the bound took ${first} ms`);
  for (const heldMs of held) assert.ok(heldMs >= 7_900, `${heldMs} ms`);
});
