import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "kysely";
import { testDatabase, type TestDatabase } from "../packages/service/src/platform/postgres/testing.ts";
import { RawClient } from "./raw-client.ts";
import { ADMIN, DEMO, ServiceProcess } from "./service-process.ts";
import { until } from "./until.ts";

const DATASET = { provider: "ee", dataset: "COPERNICUS/S2_SR_HARMONIZED" } as const;
const MONITORS = 3;
const AREAS = 20;
/** Claims of a process that died end after 20 seconds. */
const DEADLINE_MS = 240_000;
const DAY_MS = 86_400_000;
/** The period that the monitors watch: no scene is acquired while the test runs. */
const PERIOD = { startDatetime: instant(Date.now() - 4 * DAY_MS), endDatetime: instant(Date.now() - DAY_MS) };

const stack = new AsyncDisposableStack();
let database: TestDatabase;
let first: ServiceProcess;

before(async () => {
  database = stack.use(await testDatabase());
  first = await startProcess();
  const admin = await new RawClient(first.baseUrl).login(ADMIN);
  const price = { ...DATASET, creditsPerKm2: 1 };
  assert.equal((await admin.post("/credits/price-rules/create", price)).status, 200);
});
after(() => stack.disposeAsync());

async function startProcess(): Promise<ServiceProcess> {
  const environment = { DATABASE_URL: database.url, SWATH_PUBLIC_URL: "http://swath.example" };
  return stack.use(await ServiceProcess.start(environment));
}

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

interface Plan {
  readonly scenes: readonly unknown[];
  readonly knownCount: number;
}

async function looksUnderWay(): Promise<number> {
  const { rows } = await sql`select from monitor_looks where claimed_until is not null`.execute(database.db);
  return rows.length;
}

test("another process goes on with the looks of one that died, and finds the scenes of a simulated provider", async () => {
  let demo = await new RawClient(first.baseUrl).login(DEMO);
  // No look finds a scene before the process has died.
  const held = await database.db.startTransaction().execute();
  await sql`lock table scenes in exclusive mode`.execute(held);
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
  await until("looks are under way", async () => (await looksUnderWay()) === MONITORS, DEADLINE_MS);
  demo = await new RawClient((await startProcess()).baseUrl).login(DEMO);
  await first.kill();
  await held.rollback().execute();
  const monitorOf = async (monitorId: string): Promise<Seen> =>
    (await demo.post("/monitor/get", { monitorId })).body as Seen;
  const planOf = async (monitorId: string) =>
    (await demo.run("/monitor/backfill/dry-run", { monitorId, ...PERIOD })).body as Plan;
  for (const monitorId of ids) {
    await until(
      "each look has ended",
      async () => (await monitorOf(monitorId)).looks.every(({ lastLookAt }) => lastLookAt !== null),
      DEADLINE_MS,
    );
    // The monitor gets to know the scenes of a look one after the other: in the end a search of the period finds no other.
    await until("nothing is left to measure", async () => (await planOf(monitorId)).scenes.length === 0, DEADLINE_MS);
    await until(
      "each scene is skipped",
      async () => (await monitorOf(monitorId)).scenes.every(({ skipReason }) => skipReason !== null),
      DEADLINE_MS,
    );
    const { looks, scenes } = await monitorOf(monitorId);
    assert.ok(scenes.length > 0);
    assert.ok(scenes.every(({ skipReason }) => skipReason === "BUDGET"));
    const [look] = looks;
    assert.equal(Date.parse(look?.nextLookAt ?? "") - Date.parse(look?.lastLookAt ?? ""), 15 * 60_000);
    const known = new Set(scenes.map(({ sceneId }) => sceneId));
    assert.equal(known.size, scenes.length);
    assert.equal((await planOf(monitorId)).knownCount, known.size);
  }
});
