import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { verifyLedger } from "./chaos/verify-ledger.ts";
import { RawClient } from "./raw-client.ts";
import { ADMIN, DEMO, ServiceProcess } from "./service-process.ts";

const DATASET = { provider: "ee", dataset: "COPERNICUS/S2_SR_HARMONIZED" } as const;
const FIELD = {
  type: "Polygon",
  coordinates: [
    [
      [14.4, 50.05],
      [14.42, 50.05],
      [14.42, 50.07],
      [14.4, 50.07],
      [14.4, 50.05],
    ],
  ],
} as const;
/** A scene under clouds is paid for and has no value: any three of these would leave nothing to compare. */
const MOST_CLOUD = 0.1;
/** Claims of a process that died end after a minute. */
const DEADLINE_MS = 240_000;
/** Deaths of the service while scenes are measured. */
const KILLS = 2;

interface Seen {
  readonly spentCredits: number;
  readonly reservedCredits: number;
  readonly scenes: readonly {
    readonly sceneId: string;
    readonly status: string;
    readonly skipReason: string | null;
    readonly pipelineId: string | null;
    readonly chargedCredits: number;
    readonly values: readonly { readonly area: string; readonly value: number | null }[];
  }[];
}

function isOpen({ status }: Seen["scenes"][number]): boolean {
  return status === "WAITING" || status === "RUNNING";
}

test("scenes that a search finds are measured within the budget, also when the service is killed", async () => {
  await using service = await ServiceProcess.start();
  const admin = await new RawClient(service.baseUrl).login(ADMIN);
  const price = { ...DATASET, creditsPerKm2: 0.5 };
  assert.equal((await admin.post("/credits/price-rules/create", price)).status, 200);
  let demo = await new RawClient(service.baseUrl).login(DEMO);
  const credit = async (): Promise<number> =>
    (await demo.post("/credits/get-remaining-credit")).body.remainingCredit as number;
  const before = await credit();
  const creditsPerMonth = 5;
  const { status, body: monitor } = await demo.post("/monitor/create", {
    name: "North field",
    areas: FIELD,
    startDatetime: "2024-01-01",
    // A look finds nothing more.
    endDatetime: "2024-12-31",
    datasets: [DATASET],
    filter: { cloudCover: { $lte: MOST_CLOUD } },
    mapTypes: ["ndvi"],
    creditsPerMonth,
    rule: { kind: "threshold", measure: { mapType: "ndvi", statistic: "mean" }, above: -1 },
  });
  assert.equal(status, 200, JSON.stringify(monitor));
  const period = { startDatetime: "2024-05-01", endDatetime: "2024-08-31 23:59:59" };
  const search = { datasets: [DATASET], extent: FIELD, limit: 1_000, ...period };
  const { results } = (await demo.run("/imagery/search", search)).body;
  const found = results.filter(({ cloudCover }: { cloudCover: number }) => cloudCover <= MOST_CLOUD);
  assert.ok(found.length >= 4, `${found.length} scenes`);

  const get = async (): Promise<Seen> => (await demo.post("/monitor/get", { monitorId: monitor.id })).body;
  const until = async (isThere: (seen: Seen) => boolean): Promise<Seen> => {
    const deadline = performance.now() + DEADLINE_MS;
    for (;;) {
      const seen = await get();
      assert.ok(seen.spentCredits + seen.reservedCredits <= creditsPerMonth, JSON.stringify(seen));
      if (isThere(seen)) return seen;
      assert.ok(performance.now() < deadline, JSON.stringify(seen));
      await wait(200);
    }
  };
  for (let kill = 0; kill < KILLS; kill += 1) {
    await until(({ scenes }) => scenes.some(({ status: one }) => one !== "WAITING"));
    await service.kill();
    await service.start();
    demo = await new RawClient(service.baseUrl).login(DEMO);
  }
  const seen = await until(({ scenes }) => scenes.length === found.length && !scenes.some(isOpen));

  const done = seen.scenes.filter((one) => one.status === "DONE");
  const charged = seen.scenes.reduce((sum, one) => sum + one.chargedCredits, 0);
  assert.ok(done.length > 0 && charged > 0, JSON.stringify(seen.scenes));
  assert.ok(
    seen.scenes.some(({ skipReason }) => skipReason === "BUDGET"),
    JSON.stringify(seen.scenes),
  );
  assert.ok(Math.abs(seen.spentCredits - charged) < 1e-6);
  assert.ok(Math.abs(before - (await credit()) - charged) < 1e-6, "the ledger has the same charge");
  for (const { pipelineId, values } of done) {
    const { body } = await demo.post("/mapsvc/statistics/retrieve", { pipelineId });
    assert.deepEqual(values, [{ area: "0", value: body.rows[0].mean }]);
  }
  const expected = done.map(({ sceneId }) => sceneId).toSorted();
  // Events are listed a fifth of a second after their scenes, or later on a busy machine.
  const told = async (type: string): Promise<readonly string[]> => {
    const deadline = performance.now() + DEADLINE_MS;
    for (;;) {
      const { body: page } = await demo.post("/events/list", { types: [type] });
      const sceneIds = page.results.map((event: { data: { sceneId: string } }) => event.data.sceneId).toSorted();
      if (sceneIds.length >= expected.length || performance.now() > deadline) return sceneIds;
      await wait(200);
    }
  };
  assert.deepEqual(await told("monitor.result"), expected, "each once");
  assert.deepEqual(await told("monitor.alert"), expected, "each mean is above -1");
  await service.kill();
  assert.equal(await verifyLedger({ SWATH_DATA: service.folder }), null);
});
