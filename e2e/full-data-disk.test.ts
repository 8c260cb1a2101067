import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { mountSmallDisk, NO_MOUNT } from "../packages/base/src/testing/small-disk.ts";
import { testDatabase } from "../packages/service/src/platform/postgres/testing.ts";
import { RawClient, readJson } from "./raw-client.ts";
import { DEMO, ServiceProcess } from "./service-process.ts";
import { SMALL_SEARCH } from "./small-search.ts";
import { until } from "./until.ts";

const MIB = 1024 * 1024;

const WITHIN_MS = 30_000;

test("a full disk of the data folder, where the database is, refuses writes though all other folders have room", async (t) => {
  const disk = await mountSmallDisk(64 * MIB);
  if (disk === null) return t.skip(NO_MOUNT);
  await using stack = new AsyncDisposableStack();
  stack.use(disk);
  const elsewhere = await mkdtemp(join(tmpdir(), "swath-ample-"));
  stack.defer(() => rm(elsewhere, { recursive: true, force: true }));
  for (const name of ["work", "uploads"]) {
    await mkdir(join(elsewhere, name));
    await symlink(join(elsewhere, name), join(disk.folder, name));
  }
  const database = stack.use(await testDatabase());
  const service = stack.use(
    await ServiceProcess.start({
      DATABASE_URL: database.url,
      SWATH_DATA: disk.folder,
      SWATH_BLOB_FOLDER: join(elsewhere, "blobs"),
      SWATH_DISK_RESERVE_MB: "8",
    }),
  );
  const demo = await new RawClient(service.baseUrl).login(DEMO);
  const readiness = async (): Promise<string> => {
    const response = await demo.get("/health/ready");
    return `${response.status} ${(await readJson(response)).status}`;
  };
  assert.equal(await readiness(), "200 ok");
  await disk.fill(4 * MIB);
  await until("the service notices the full disk", async () => (await readiness()) === "503 storage full", WITHIN_MS);
  for (const [path, request] of [
    ["/imagery/search/initiate", SMALL_SEARCH],
    ["/imagery/ingest-scene/upload", { uploadSuffix: ".geotiff", size: 1000, filename: "a" }],
  ] as const) {
    const { status, body } = await demo.post(path, request);
    assert.deepEqual([status, body.error], [507, "INSUFFICIENT-STORAGE"], path);
  }
  await disk.empty();
  await until("the service notices the room", async () => (await readiness()) === "200 ok", WITHIN_MS);
  assert.equal((await demo.run("/imagery/search", SMALL_SEARCH)).status, 200);
});
