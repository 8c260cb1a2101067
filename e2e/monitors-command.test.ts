import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { openCommandLine, type CommandLine } from "./cli-runner.ts";
import { COAST_AREA } from "./main-job.ts";
import { RawClient } from "./raw-client.ts";
import { ADMIN, DEMO, ServiceProcess } from "./service-process.ts";

const DATASET = { provider: "ee", dataset: "COPERNICUS/S2_SR_HARMONIZED" } as const;
const PERIOD = ["--from", "2025-06-01", "--to", "2025-07-15"] as const;

describe("swath monitors", () => {
  const stack = new AsyncDisposableStack();
  let cli: CommandLine;
  let monitorId: string;

  before(async () => {
    const service = stack.use(await ServiceProcess.start());
    cli = stack.use(await openCommandLine(service, DEMO));
    const admin = await new RawClient(service.baseUrl).login(ADMIN);
    const price = { ...DATASET, creditsPerKm2: 0.5 };
    assert.equal((await admin.post("/credits/price-rules/create", price)).status, 200);
  });
  after(() => stack.disposeAsync());

  test("create watches the areas of a file, which list and get show", async () => {
    assert.match((await cli.run("monitors", "list")).stdout, /no monitor/);
    const file = join(cli.folder, "monitor.json");
    const rule = { kind: "threshold", measure: { mapType: "ndvi", statistic: "mean" }, below: 0.3 };
    const settings = { areas: COAST_AREA, datasets: [DATASET], mapTypes: ["ndvi"], creditsPerMonth: 500, rule };
    await writeFile(file, JSON.stringify({ name: "Coast", ...settings }));
    monitorId = (await cli.json("monitors", "create", file)).id;
    assert.match((await cli.run("monitors", "list")).stdout, /Coast.*1 areas.*0 of 500 credits.*watches/);
    assert.deepEqual((await cli.json("monitors", "get", monitorId)).scenes, []);
    assert.match((await cli.run("monitors", "get", monitorId)).stdout, /ee +last look .* next look 20\d\d-/);
    await writeFile(file, "[]");
    assert.equal((await cli.run("monitors", "create", file)).status, 2);
  });

  test("pause stops a monitor until it is resumed", async () => {
    assert.match((await cli.run("monitors", "pause", monitorId)).stdout, /paused/);
    assert.match((await cli.run("monitors", "pause", monitorId, "--resume")).stdout, /watches/);
  });

  test("backfill shows the price of past scenes, and measures them with --yes only", async () => {
    await cli.run("monitors", "pause", monitorId);
    const unpaid = await cli.run("monitors", "backfill", monitorId, ...PERIOD);
    assert.equal(unpaid.status, 5, unpaid.stderr);
    assert.match(unpaid.stderr, /scenes cost [\d.]+ credits/);
    assert.deepEqual((await cli.json("monitors", "get", monitorId)).scenes, []);
    const taken = await cli.json("monitors", "backfill", monitorId, ...PERIOD, "--yes");
    assert.ok(taken.scenes.length > 0 && taken.credits > 0);
    const { scenes } = await cli.json("monitors", "get", monitorId);
    assert.equal(scenes.length, taken.scenes.filter(({ fits }: { fits: boolean }) => fits).length);
    const again = await cli.run("monitors", "backfill", monitorId, ...PERIOD, "--yes");
    assert.match(again.stdout, /0 scenes cost 0 credits/);
  });

  test("delete removes a monitor", async () => {
    assert.equal((await cli.run("monitors", "delete", monitorId)).status, 0);
    assert.equal((await cli.run("monitors", "get", monitorId)).status, 4);
  });
});
