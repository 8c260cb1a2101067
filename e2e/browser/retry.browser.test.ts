import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { PostgresServer } from "../chaos/postgres-server.ts";
import { upload } from "../main-job.ts";
import { RawClient } from "../raw-client.ts";
import { DEMO, ServiceProcess } from "../service-process.ts";
import { writeLargeGeotiff } from "./large-geotiff.ts";
import { launchBrowser, signIn, watchFaults } from "./open-console.ts";

test("a task whose worker was killed is seen as retrying, and ends", async () => {
  await using database = await PostgresServer.start();
  const shared = { DATABASE_URL: database.url };
  await using api = await ServiceProcess.start({ ...shared, SWATH_ROLES: "api" });
  // The worker reads the uploads of the api.
  const settings = { ...shared, SWATH_ROLES: "worker", SWATH_DATA: api.folder };
  await using worker = await ServiceProcess.start(settings);
  const demo = await new RawClient(api.baseUrl).login(DEMO);
  const path = join(api.folder, "large.tif");
  await writeLargeGeotiff(path, 64);
  const filepath = await upload(demo, await readFile(path));
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    const faults = watchFaults(page);
    await signIn({ page, service: api });
    const { body } = await demo.post("/imagery/ingest-scene/initiate", { provider: "local", filepath });
    while ((await progressOf(demo, body.pipelineId)).step === 0);
    await worker.kill();
    assert.equal((await progressOf(demo, body.pipelineId)).status, "PROCESSING");
    await page.reload();
    await page.getByRole("button", { name: /^Tasks/ }).click();
    await worker.start();
    await page.getByText(/^Retrying: attempt 2\./).waitFor({ timeout: 120_000 });
    await page.getByRole("button", { name: "Open" }).waitFor({ timeout: 120_000 });
    assert.deepEqual(faults, []);
  } finally {
    await browser.close();
  }
});

async function progressOf(
  demo: RawClient,
  pipelineId: string,
): Promise<{ readonly status: string; readonly step: number }> {
  const { body } = await demo.post("/tasking/get-status", { pipelineId, getProgress: true });
  return { status: body.status, step: body.progress?.step ?? 0 };
}
