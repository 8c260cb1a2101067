import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { BackfillPlan } from "@swath/contract/features/monitors/backfill-contract";
import { sql } from "kysely";
import type { Caller } from "../../platform/context.ts";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import { box, DATASET, sceneOver } from "../standing-queries/testing.ts";
import { jobOf, monitorBench, MONITOR_RIGHTS, ndviRow, type MonitorBench } from "./testing.ts";

const NEVER = new AbortController().signal;
const FIELD = box(14, 50, 14.1, 50.1);
const PERIOD = { startDatetime: "2026-03-01", endDatetime: "2026-03-31" };
const SETTINGS = {
  name: "North field",
  areas: FIELD,
  datasets: [DATASET],
  filter: { cloudCover: { $lte: 0.2 } },
  mapTypes: ["ndvi"],
  creditsPerMonth: 10,
  rule: { kind: "threshold" as const, measure: { mapType: "ndvi", statistic: "mean" as const }, below: 0.3 },
};

let bench: MonitorBench;
let kim: Caller;
let lee: Caller;
before(async () => {
  bench = await monitorBench();
  kim = await bench.standing.addUser("kim", MONITOR_RIGHTS);
  lee = await bench.standing.addUser("lee", MONITOR_RIGHTS);
});
after(() => bench[Symbol.asyncDispose]());
beforeEach(async () => {
  await sql`truncate standing_queries, scene_arrivals, events, scenes, pipelines, monitors cascade`.execute(
    bench.standing.db,
  );
  bench.price = () => Promise.resolve(4);
});

const idOf = (local: string): string => sceneOver(local, FIELD).scene.sceneId;
const create = async (more: object = {}) =>
  (await bench.monitors.create(kim, { ...SETTINGS, ...more }, { baseUrl: "http://127.0.0.1", signal: NEVER })).id;
const scenesOf = async (id: string) => (await bench.monitors.get(kim, id)).scenes;

/** A clear scene of a day of March, unless said otherwise. */
async function past(local: string, day: number, cloudCover = 0.1, month = 3): Promise<void> {
  const atMs = Date.UTC(2026, month - 1, day);
  await bench.standing.register(sceneOver(local, box(13, 49, 15, 51), { atMs, cloudCover }));
}

async function priced(monitorId: string, caller = kim): Promise<BackfillPlan> {
  const { result } = await bench.monitors.backfillDryRun.run({ monitorId, ...PERIOD }, jobOf(caller));
  return result;
}

async function taken(monitorId: string, expectedCredits: number, caller = kim): Promise<BackfillPlan> {
  const request = { monitorId, ...PERIOD, expectedCredits };
  const { commit, result } = await bench.monitors.backfill.run(request, jobOf(caller));
  return (await inTransaction(bench.standing.db, async (trx) => await commit?.(trx))) ?? result;
}

async function round(): Promise<void> {
  await bench.standing.match();
  await bench.monitors.measure(NEVER);
}

test("a dry run lists the scenes of the period with their price, and what the budget leaves out", async () => {
  const id = await create();
  await past("late", 20);
  await past("early", 5);
  await past("middle", 10);
  await past("cloudy", 11, 0.9);
  await past("outside", 11, 0.1, 4);
  const plan = await priced(id);
  const { scenes, ...sums } = plan;
  assert.deepEqual(sums, { month: "2026-06", leftCredits: 10, credits: 8, leftOutCredits: 4, knownCount: 0 });
  assert.deepEqual(
    scenes.map(({ sceneId, datetime, credits, fits, message }) => [sceneId, datetime, credits, fits, message]),
    [
      [idOf("early"), "2026-03-05 00:00:00", 4, true, null],
      [idOf("middle"), "2026-03-10 00:00:00", 4, true, null],
      [idOf("late"), "2026-03-20 00:00:00", 4, false, "2 credits are left in 2026-06"],
    ],
  );
  await round();
  assert.deepEqual(await scenesOf(id), [], "neither the search nor the price takes a scene");
});

test("a backfill takes the scenes that fit at the expected price, and they are charged that price", async () => {
  const id = await create();
  await past("early", 5);
  await past("middle", 10);
  await past("late", 20);
  const { credits } = await priced(id);
  assert.partialDeepStrictEqual(await taken(id, credits), { credits: 8, leftOutCredits: 4 });
  await round();
  assert.partialDeepStrictEqual(await bench.monitors.get(kim, id), { reservedCredits: 8, spentCredits: 0 });
  const days = new Map([
    [idOf("early"), 5],
    [idOf("middle"), 10],
  ]);
  await bench.end((sceneId) => ({
    kind: "resolved",
    chargedCredits: 4,
    rows: [ndviRow(sceneId, days.get(sceneId) ?? 1, 0.5)],
  }));
  await round();
  assert.partialDeepStrictEqual(await bench.monitors.get(kim, id), { reservedCredits: 0, spentCredits: credits });
  assert.deepEqual(
    (await scenesOf(id)).map(({ sceneId, status }) => [sceneId, status]),
    [
      [idOf("middle"), "DONE"],
      [idOf("early"), "DONE"],
    ],
  );
});

test("a backfill at another price is refused and takes nothing", async () => {
  const id = await create();
  await past("early", 5);
  assert.equal((await priced(id)).credits, 4);
  bench.price = () => Promise.resolve(5);
  await assert.rejects(taken(id, 4), { code: "CONFLICT", message: /costs 5 credits, expected 4;/ });
  await round();
  assert.deepEqual(await scenesOf(id), []);
});

test("a second backfill of the same scenes is refused, also at the same time", async () => {
  const id = await create();
  await past("early", 5);
  await past("middle", 10);
  const both = await Promise.allSettled([taken(id, 8), taken(id, 8)]);
  assert.deepEqual(both.map(({ status }) => status).toSorted(), ["fulfilled", "rejected"]);
  await assert.rejects(taken(id, 8), { code: "CONFLICT" });
  assert.equal((await scenesOf(id)).length, 2);
  assert.partialDeepStrictEqual(await priced(id), { knownCount: 2, credits: 0, scenes: [] });
});

test("the budget that is left when scenes are taken decides", async () => {
  const id = await create();
  await past("early", 5);
  await past("middle", 10);
  const request = { monitorId: id, ...PERIOD, expectedCredits: 8 };
  const { commit } = await bench.monitors.backfill.run(request, jobOf(kim));
  await bench.monitors.update(kim, { monitorId: id, creditsPerMonth: 5 });
  await assert.rejects(
    inTransaction(bench.standing.db, async (trx) => await commit?.(trx)),
    { code: "CONFLICT", message: /costs 4 credits, expected 8;/ },
  );
  assert.deepEqual(await scenesOf(id), []);
});

test("a scene whose price rises after it was accepted is skipped, and a lower price is charged", async () => {
  const id = await create();
  await past("early", 5);
  await past("middle", 10);
  await taken(id, 8);
  bench.price = (sceneId) => Promise.resolve(sceneId === idOf("early") ? 4.5 : 3);
  await round();
  assert.deepEqual(
    (await scenesOf(id)).map(({ status, skipReason, message }) => [status, skipReason, message]),
    [
      ["RUNNING", null, null],
      ["SKIPPED", "PRICE", "the scene costs 4.5 credits, 4 were accepted"],
    ],
  );
  assert.equal((await bench.monitors.get(kim, id)).reservedCredits, 3);
});

test("scenes acquired before a monitor was created are left to a backfill unless it names an earlier start", async () => {
  const id = await create();
  const earlier = await create({ startDatetime: "2026-03-01" });
  await past("early", 5);
  await round();
  assert.deepEqual(await scenesOf(id), []);
  assert.equal((await scenesOf(earlier)).length, 1);
});

test("a backfill needs the monitor to be the caller's, and the rights of its scenes", async () => {
  const id = await create();
  await past("early", 5);
  await assert.rejects(priced(id, lee), { code: "NON-EXISTENT-MONITOR" });
  await assert.rejects(taken(id, 4, lee), { code: "NON-EXISTENT-MONITOR" });
  const permissions = new Set([...kim.permissions].filter((one) => one !== "algorithms"));
  await assert.rejects(taken(id, 4, { ...kim, permissions }), { code: "NOT-AUTHORIZED", message: /algorithms\./ });
  assert.deepEqual(await scenesOf(id), []);
});
