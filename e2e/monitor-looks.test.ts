import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { testDatabase } from "../packages/service/src/platform/postgres/testing.ts";
import { RawClient } from "./raw-client.ts";
import { ADMIN, DEMO, ServiceProcess } from "./service-process.ts";

const DATASET = { provider: "ee", dataset: "COPERNICUS/S2_SR_HARMONIZED" } as const;
const MONITORS = 3;
/** Areas of a monitor: a look at them takes so long that a death falls into it. */
const AREAS = 50;
/** Claims of a process that died end after 20 seconds. */
const DEADLINE_MS = 240_000;
const DAY_MS = 86_400_000;
/** The period that the monitors watch: no scene is acquired while the test runs. */
const PERIOD = { startDatetime: instant(Date.now() - 4 * DAY_MS), endDatetime: instant(Date.now() - DAY_MS) };

const stack = new AsyncDisposableStack();
let first: ServiceProcess;
let second: ServiceProcess;

before(async () => {
  const database = stack.use(await testDatabase());
  const environment = { DATABASE_URL: database.url, SWATH_PUBLIC_URL: "http://swath.example" };
  first = stack.use(await ServiceProcess.start(environment));
  second = stack.use(await ServiceProcess.start(environment));
  const admin = await new RawClient(first.baseUrl).login(ADMIN);
  const price = { ...DATASET, creditsPerKm2: 1 };
  assert.equal((await admin.post("/credits/price-rules/create", price)).status, 200);
});
after(() => stack.disposeAsync());

function instant(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace("T", " ");
}

function areasFrom(west: number) {
  const features = Array.from({ length: AREAS }, (_, index) => {
    const [x, y] = [west + (index % 10) * 0.2, 48 + Math.floor(index / 10) * 0.2];
    const ring = [
      [x, y],
      [x + 0.02, y],
      [x + 0.02, y + 0.02],
      [x, y + 0.02],
      [x, y],
    ];
    return { type: "Feature", id: `f${index}`, properties: {}, geometry: { type: "Polygon", coordinates: [ring] } };
  });
  return { type: "FeatureCollection", features };
}

interface Seen {
  readonly scenes: readonly { readonly sceneId: string; readonly skipReason: string | null }[];
  readonly looks: readonly { readonly lastLookAt: string | null; readonly nextLookAt: string | null }[];
}

function hasLooked({ looks }: Seen): boolean {
  return looks.every(({ lastLookAt }) => lastLookAt !== null);
}

test("two processes find the scenes of a simulated provider for their monitors, also when one dies meanwhile", async () => {
  const demo = await new RawClient(second.baseUrl).login(DEMO);
  const ids: string[] = [];
  for (let index = 0; index < MONITORS; index += 1) {
    const { status, body } = await demo.post("/monitor/create", {
      name: `Region ${index}`,
      areas: areasFrom(2 + 3 * index),
      datasets: [DATASET],
      ...PERIOD,
      mapTypes: ["ndvi"],
      // Nothing is measured.
      creditsPerMonth: 0,
      rule: { kind: "threshold", measure: { mapType: "ndvi", statistic: "mean" }, below: 0.3 },
      schedule: { everyMinutes: 15, overlapDays: 30 },
    });
    assert.equal(status, 200, JSON.stringify(body));
    ids.push(body.id);
  }
  const all = async (): Promise<readonly Seen[]> =>
    await Promise.all(ids.map(async (monitorId) => (await demo.post("/monitor/get", { monitorId })).body as Seen));
  const until = async (isThere: (seen: readonly Seen[]) => boolean): Promise<readonly Seen[]> => {
    const deadline = performance.now() + DEADLINE_MS;
    for (;;) {
      const seen = await all();
      if (isThere(seen)) return seen;
      assert.ok(performance.now() < deadline, JSON.stringify(seen));
      await wait(50);
    }
  };
  const begun = await until((seen) => seen.some(({ scenes }) => scenes.length > 0));
  await first.kill();
  assert.ok(!begun.every(hasLooked), "looks are under way");
  await until((seen) => seen.every(hasLooked));
  const ended = await until((seen) =>
    seen.every(({ scenes }) => scenes.every(({ skipReason }) => skipReason !== null)),
  );
  for (const [index, { looks, scenes }] of ended.entries()) {
    assert.ok(scenes.length > 0);
    assert.ok(scenes.every(({ skipReason }) => skipReason === "BUDGET"));
    const [look] = looks;
    assert.equal(Date.parse(look?.nextLookAt ?? "") - Date.parse(look?.lastLookAt ?? ""), 15 * 60_000);
    const known = new Set(scenes.map(({ sceneId }) => sceneId));
    assert.equal(known.size, scenes.length);
    // A search of the whole period finds no other scene.
    const { body: plan } = await demo.run("/monitor/backfill/dry-run", { monitorId: ids[index], ...PERIOD });
    assert.deepEqual([plan.scenes, plan.knownCount], [[], known.size]);
  }
});
