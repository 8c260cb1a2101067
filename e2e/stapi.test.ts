import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import { RawClient, readJson } from "./raw-client.ts";
import { ADMIN, DEMO, ServiceProcess } from "./service-process.ts";
import { stapiJourney } from "./stapi-journey.ts";

/** A minute on a machine that is many times slower. */
const PATIENCE_MS = 240_000;

test("an order by STAPI is completed, and its last status leads to the delivered scene in /stac", async () => {
  await using service = await ServiceProcess.start({ SWATH_TASKING_SPEED: "86400" });
  const demo = await new RawClient(service.baseUrl).login(DEMO);
  const admin = await new RawClient(service.baseUrl).login(ADMIN);
  const startedMs = Date.now();
  const { monitor } = await stapiJourney({ admin, demo });
  const statusesNow = async () => (await readJson(await demo.get(monitor))).statuses;
  let statuses = await statusesNow();
  const ends = ["completed", "failed", "expired", "rejected"];
  while (!ends.includes(statuses.at(-1).status_code)) {
    assert.ok(Date.now() - startedMs < PATIENCE_MS, `${JSON.stringify(statuses)}\n${service.output}`);
    await sleep(200);
    statuses = await statusesNow();
  }
  assert.deepEqual(
    statuses.map(({ status_code: code }: { status_code: string }) => code),
    ["received", "reserved", "accepted", "tasked", "completed"],
  );
  const [item] = statuses.at(-1).links;
  assert.equal(item.rel, "item");
  const scene = await readJson(await demo.get(item.href));
  assert.deepEqual([scene.type, scene.id, scene.properties["swath:ingested"]], ["Feature", item.title, true]);
});
