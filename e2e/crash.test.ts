import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { COAST_AREA, ingestCoast, upload } from "./main-job.ts";
import { coastGeotiff } from "./make-geotiff.ts";
import { RawClient } from "./raw-client.ts";
import { DEMO, ServiceProcess } from "./service-process.ts";

const SEARCH = { datasets: [{ provider: "local", dataset: "uploads" }], extent: COAST_AREA, minIntersection: 0.5 };

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

test("a service killed during ingest ends the pipeline after its restart, once, with nothing left over", async () => {
  await using service = await ServiceProcess.start();
  let demo = await new RawClient(service.baseUrl).login(DEMO);
  // Large enough that the kill lands while rows are being read and blocks written.
  const large = coastGeotiff({ widthPx: 2048, heightPx: 2048, resolutionM: 1.25 });
  const filepath = await upload(demo, large);
  const { body } = await demo.post("/imagery/ingest-scene/initiate", { provider: "local", filepath });
  for (let status = "NEW"; status !== "PROCESSING" && status !== "RESOLVED";) {
    status = (await demo.post("/tasking/get-status", { pipelineId: body.pipelineId })).body.status;
  }
  await service.kill();
  await service.start();
  demo = await new RawClient(service.baseUrl).login(DEMO);
  assert.equal(await demo.settled(body.pipelineId), "RESOLVED");
  const retrieved = await demo.post("/imagery/ingest-scene/retrieve", { pipelineId: body.pipelineId });
  assert.equal(retrieved.body.ingestedScenes.length, 1);
  const found = await demo.run("/imagery/search", SEARCH);
  assert.equal(found.body.results.length, 1);
  // Four bands, one COG each; no temporary file of the killed run survives.
  const cogs = (await filesBelow(service.folder)).filter((file) => file.endsWith(".tif"));
  assert.equal(cogs.length, 4, cogs.join("\n"));
});

test("a service killed during release ends the pipeline after its restart and the credit is charged once", async () => {
  await using service = await ServiceProcess.start();
  let demo = await new RawClient(service.baseUrl).login(DEMO);
  const sceneId = await ingestCoast(demo);
  const before = (await demo.post("/credits/get-remaining-credit")).body.remainingCredit;
  const area = { sceneIds: [sceneId], geojson: COAST_AREA };
  const { cost } = (await demo.post("/credits/area/check-geojson", area)).body;

  // The answer may be lost with the process: asking again must not charge again.
  const allocation = demo.post("/credits/area/allocate-geojson", area).catch(() => null);
  await new Promise((resolve) => setImmediate(resolve));
  await service.kill();
  await allocation;
  await service.start();
  demo = await new RawClient(service.baseUrl).login(DEMO);
  assert.equal((await demo.post("/credits/area/allocate-geojson", area)).status, 200);

  const { body } = await demo.post("/mapsvc/release/initiate", {
    mapTypes: ["imagery", "ndvi"],
    sceneIds: [sceneId],
    extent: COAST_AREA,
  });
  await service.kill();
  await service.start();
  demo = await new RawClient(service.baseUrl).login(DEMO);
  assert.equal(await demo.settled(body.pipelineId), "RESOLVED");
  const released = await demo.post("/mapsvc/release/retrieve", { pipelineId: body.pipelineId });
  assert.equal(released.body.maps.length, 2);
  const after = (await demo.post("/credits/get-remaining-credit")).body.remainingCredit;
  assert.ok(Math.abs(before - after - cost) < 1e-6, `${before} - ${after} is not ${cost}`);
});

test("a service told to stop ends with code 0 and starts warm with everything it had", async () => {
  await using service = await ServiceProcess.start();
  const demo = await new RawClient(service.baseUrl).login(DEMO);
  const sceneId = await ingestCoast(demo);
  assert.equal(await service.stop(), 0);
  await service.start();
  const again = await new RawClient(service.baseUrl).login(DEMO);
  assert.equal((await again.post("/imagery/scene-info", { sceneId })).body.sceneId, sceneId);
});
