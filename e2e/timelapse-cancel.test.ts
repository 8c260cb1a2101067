import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { COAST_AREA, ingestCoast } from "./main-job.ts";
import { coastGeotiff } from "./make-geotiff.ts";
import { RawClient } from "./raw-client.ts";
import { DEMO, ServiceProcess } from "./service-process.ts";

const POLL_MS = 10;
const IMAGES = 16;
/** Another animation begins at once after the end of a place; its one small frame takes a second. */
const FREED_WITHIN_MS = 20_000;

test("a cancelled animation stops, frees the place of its caller and leaves no file", async () => {
  await using service = await ServiceProcess.start({ SWATH_RUNNING_PER_CALLER: "1" });
  const demo = await new RawClient(service.baseUrl).login(DEMO);
  const sceneIds: string[] = [];
  for (let day = 1; day <= IMAGES; day++) {
    const bytes = coastGeotiff({ value: (band, column, row) => 400 + ((band + day) * 300 + column * 7 + row * 13) });
    sceneIds.push(await ingestCoast(demo, bytes, `coast_2024-03-${String(day).padStart(2, "0")}`));
  }
  const paid = await demo.post("/credits/area/allocate-geojson", { sceneIds, geojson: COAST_AREA });
  assert.equal(paid.status, 200, JSON.stringify(paid.body));
  const released = await demo.run("/mapsvc/release", { mapTypes: ["imagery"], sceneIds, extent: COAST_AREA });
  const mapIds: readonly string[] = released.body.maps.map(({ mapId }: { readonly mapId: string }) => mapId);
  assert.equal(mapIds.length, IMAGES);

  const initiate = async (request: object): Promise<string> => {
    const { status, body } = await demo.post("/mapsvc/timelapse/initiate", request);
    assert.equal(status, 200, JSON.stringify(body));
    return body.pipelineId;
  };
  const statusOf = async (pipelineId: string): Promise<string> =>
    (await demo.post("/tasking/get-status", { pipelineId })).body.status;
  const small = await demo.run("/mapsvc/timelapse", { mapIds, longestSidePx: 64 });
  assert.equal(small.body.frames?.length, IMAGES, JSON.stringify(small.body));
  const work = async (): Promise<readonly string[]> => await readdir(join(service.folder, "work"));

  const heavy = await initiate({ mapIds, longestSidePx: 1024 });
  const next = await initiate({ mapIds: mapIds.slice(0, 1), longestSidePx: 64 });
  while (!(await work()).some((name) => name.startsWith(heavy))) {
    assert.ok(["NEW", "PROCESSING"].includes(await statusOf(heavy)));
    await wait(POLL_MS);
  }
  assert.equal(await statusOf(next), "NEW");
  const cancelledMs = performance.now();
  assert.equal((await demo.post("/tasking/cancel", { pipelineId: heavy })).status, 200);
  assert.equal(await demo.settled(next), "RESOLVED");
  const freedMs = performance.now() - cancelledMs;
  assert.ok(freedMs < FREED_WITHIN_MS, `${freedMs.toFixed(0)} ms until the next animation was done`);
  const { body } = await demo.post("/mapsvc/timelapse/retrieve", { pipelineId: heavy });
  assert.equal(body.error, "PIPELINE-CANCELLED");
  while ((await work()).length > 0) {
    assert.ok(performance.now() - cancelledMs < FREED_WITHIN_MS, `the folder has ${(await work()).join()}`);
    await wait(POLL_MS);
  }
  const files = await readdir(join(service.folder, "blobs"), { recursive: true });
  assert.equal(files.filter((name) => name.includes(heavy)).length, 0);
});
