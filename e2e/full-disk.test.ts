import assert from "node:assert/strict";
import { after, before, describe, test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { mountSmallDisk, NO_MOUNT, type SmallDisk } from "../packages/base/src/testing/small-disk.ts";
import { testDatabase } from "../packages/service/src/platform/postgres/testing.ts";
import { coastGeotiff } from "./make-geotiff.ts";
import { upload } from "./main-job.ts";
import { RawClient } from "./raw-client.ts";
import { DEMO, ServiceProcess } from "./service-process.ts";
import { SMALL_SEARCH } from "./small-search.ts";

const MIB = 1024 * 1024;

/* The real service with its files on a disk of 64 MiB, of which it leaves 8. */
describe("a service on a small disk", () => {
  const stack = new AsyncDisposableStack();
  let disk: SmallDisk | null = null;
  let demo: RawClient;

  before(async () => {
    disk = await mountSmallDisk(64 * MIB);
    if (disk === null) return;
    stack.use(disk);
    const database = stack.use(await testDatabase());
    const settings = { DATABASE_URL: database.url, SWATH_DATA: disk.folder, SWATH_DISK_RESERVE_MB: "8" };
    const service = stack.use(await ServiceProcess.start(settings));
    demo = await new RawClient(service.baseUrl).login(DEMO);
  });
  after(() => stack.disposeAsync());

  async function readiness(): Promise<string> {
    const response = await demo.get("/health/ready");
    const { status } = (await response.json()) as { readonly status: string };
    return `${response.status} ${status}`;
  }

  /** Waits for a state that the service notices within seconds. */
  async function becomes(expected: string): Promise<void> {
    const deadlineMs = performance.now() + 30_000;
    let state = await readiness();
    while (state !== expected && performance.now() < deadlineMs) {
      await sleep(50);
      state = await readiness();
    }
    assert.equal(state, expected);
  }

  async function refusal(path: string, request: unknown): Promise<string> {
    const askedAtMs = performance.now();
    const { body, headers, status } = await demo.post(path, request);
    assert.ok(performance.now() - askedAtMs < 1_000, `${path} took a second`);
    assert.ok(Number(headers.get("retry-after")) > 0, `${path} answered ${status} ${JSON.stringify(body)}`);
    return `${status} ${body.error}`;
  }

  async function onDisk(t: TestContext, work: (disk: SmallDisk) => Promise<void>): Promise<void> {
    if (disk === null) return t.skip(NO_MOUNT);
    await work(disk);
  }

  test("on a full disk requests that write get 507 within a second, and all goes on once there is room", async (t) => {
    await onDisk(t, async (small) => {
      const ingest = { provider: "local", filepath: await upload(demo, coastGeotiff()) };
      await small.fill(4 * MIB);
      await becomes("503 storage full");
      const full = "507 INSUFFICIENT-STORAGE";
      assert.equal(await refusal("/imagery/search/initiate", SMALL_SEARCH), full);
      assert.equal(await refusal("/imagery/ingest-scene/initiate", ingest), full);
      assert.equal(await refusal("/imagery/ingest-scene", ingest), full);
      const announced = { uploadSuffix: ".geotiff", size: 1000, filename: "a" };
      assert.equal(await refusal("/imagery/ingest-scene/upload", announced), full);
      assert.equal((await demo.post("/user/info")).status, 200);
      await small.empty();
      await becomes("200 ok");
      assert.equal((await demo.post("/imagery/ingest-scene", ingest)).status, 200);
    });
  });

  test("on a read-only disk pipelines that write files get 503 within a second, and searches go on", async (t) => {
    await onDisk(t, async (small) => {
      const filepath = await upload(demo, coastGeotiff());
      const ingest = { provider: "local", filepath };
      small.setReadOnly(true);
      try {
        await becomes("503 storage unavailable");
        assert.equal(await refusal("/imagery/ingest-scene/initiate", ingest), "503 SERVICE-UNAVAILABLE");
        assert.equal((await demo.run("/imagery/search", SMALL_SEARCH)).status, 200);
      } finally {
        small.setReadOnly(false);
      }
      await becomes("200 ok");
      assert.equal((await demo.run("/imagery/ingest-scene", ingest)).status, 200);
    });
  });
});
