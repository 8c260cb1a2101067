import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { sql } from "kysely";
import type { Caller } from "../../platform/context.ts";
import { placeEvents } from "../../platform/events/place-events.ts";
import { readEvents } from "../../platform/events/read-events.ts";
import { box, DATASET, sceneOver } from "../standing-queries/testing.ts";
import { monitorBench, MONITOR_RIGHTS, ndviRow, type MonitorBench } from "./testing.ts";

const NEVER = new AbortController().signal;
const FIELD = box(14, 50, 14.1, 50.1);
const DAY_MS = 86_400_000;
/** The clock of the bench begins here. */
const NOW_MS = Date.UTC(2026, 5, 2);

let bench: MonitorBench;
let kim: Caller;
let nowMs = NOW_MS;
before(async () => {
  bench = await monitorBench();
  kim = await bench.standing.addUser("kim", MONITOR_RIGHTS);
});
after(() => bench[Symbol.asyncDispose]());
beforeEach(async () => {
  await sql`truncate standing_queries, scene_arrivals, events, scenes, pipelines, monitors cascade`.execute(
    bench.standing.db,
  );
  bench.price = () => Promise.resolve(1);
});

const create = () =>
  bench.monitors.create(
    kim,
    {
      name: "North field",
      areas: FIELD,
      startDatetime: "2026-01-01",
      datasets: [DATASET],
      mapTypes: ["ndvi"],
      creditsPerMonth: 10,
      rule: { kind: "change", measure: { mapType: "ndvi", statistic: "mean" }, last: 1, by: 0.2 },
    },
    { baseUrl: "http://127.0.0.1", signal: NEVER },
  );
const sceneIdOf = (local: string): string => sceneOver(local, FIELD).scene.sceneId;

function pass(ms: number): void {
  nowMs += ms;
  bench.pass(ms);
}

async function arrive(local: string, atMs = nowMs): Promise<void> {
  await bench.standing.register(sceneOver(local, box(13, 49, 15, 51), { atMs }));
  await bench.standing.match();
  await bench.monitors.measure(NEVER);
}

async function told() {
  await placeEvents(bench.standing.db, NEVER);
  const types = ["monitor.result", "monitor.skipped"] as const;
  const found = await readEvents(bench.standing.db, { reader: kim, after: 0, types, limit: 1_000 });
  return found.map(({ data, type }) => ({ type, ...data }));
}

test("each scene without a result is an event with its reason, once, and a scene with a result is none", async () => {
  const { id } = await create();
  bench.price = (sceneId) => {
    if (sceneId === sceneIdOf("unreadable")) throw new ServiceError("SCENE-UNREADABLE", "the file is cut off");
    return Promise.resolve(sceneId === sceneIdOf("expensive") ? 11 : 1);
  };
  for (const local of ["expensive", "unreadable", "clouded", "failed", "fine"]) await arrive(local);
  await bench.end((sceneId) => {
    if (sceneId === sceneIdOf("failed")) return { kind: "failed", errorCode: "INSUFFICIENT-CREDIT" };
    const mean = sceneId === sceneIdOf("clouded") ? null : 0.5;
    return { kind: "resolved", chargedCredits: 1, rows: [ndviRow(sceneId, 1, mean)] };
  });
  await bench.monitors.measure(NEVER);
  await bench.monitors.measure(NEVER);
  const events = await told();
  const skipped = (local: string, skipReason: string, message: string, chargedCredits = 0) => ({
    type: "monitor.skipped",
    monitorId: id,
    name: "North field",
    sceneId: sceneIdOf(local),
    skipReason,
    message,
    chargedCredits,
  });
  assert.deepEqual(
    events.filter(({ type }) => type === "monitor.skipped"),
    [
      skipped("expensive", "BUDGET", "the scene costs 11 credits and 10 are left in 2026-06"),
      skipped("unreadable", "FAILED", "the file is cut off"),
      skipped("clouded", "CLOUD", "at most 0 % of an area has pixels that count", 1),
      skipped("failed", "CREDIT", "ended by the test"),
    ],
  );
  assert.equal(events.length, 5);
});

test("the event of a skipped scene is there when the scene is skipped, or neither is", async () => {
  const { id } = await create();
  const { db } = bench.standing;
  bench.price = () => Promise.resolve(11);
  await sql`alter table events add constraint no_event check (type <> 'monitor.skipped') not valid`.execute(db);
  try {
    await arrive("s0");
    assert.equal((await bench.monitors.get(kim, id)).scenes[0]?.status, "WAITING");
  } finally {
    await sql`alter table events drop constraint no_event`.execute(db);
  }
  pass(DAY_MS);
  await bench.monitors.measure(NEVER);
  assert.equal((await bench.monitors.get(kim, id)).scenes[0]?.status, "SKIPPED");
  assert.equal((await told()).length, 1);
});

test("ended scenes and the spending of months go after 400 days, and no forgotten scene is paid again", async () => {
  const { id } = await create();
  const { db } = bench.standing;
  const end = async () => {
    await bench.end((sceneId) => ({ kind: "resolved", chargedCredits: 1, rows: [ndviRow(sceneId, 1, 0.5)] }));
    await bench.monitors.measure(NEVER);
  };
  const scenes = async () => (await bench.monitors.get(kim, id)).scenes.map(({ sceneId }) => sceneId);
  const months = async () =>
    (await sql<{ month: string }>`select month from monitor_months order by month`.execute(db)).rows.map(
      ({ month }) => month,
    );
  await arrive("old");
  await end();
  await arrive("running");
  const atMs = nowMs;
  pass(399 * DAY_MS);
  await arrive("young");
  await bench.monitors.forget(NEVER);
  assert.equal((await scenes()).length, 3);
  assert.equal((await months()).length, 2);
  pass(32 * DAY_MS);
  await bench.monitors.forget(NEVER);
  assert.deepEqual(await scenes(), [sceneIdOf("young"), sceneIdOf("running")]);
  assert.equal((await months()).length, 2, "credit is reserved in both months");
  await end();
  await bench.monitors.forget(NEVER);
  assert.deepEqual([await scenes(), (await months()).length], [[sceneIdOf("young")], 1]);
  // A catalogue brings the scene again.
  await sql`delete from scenes where scene_id = ${sceneIdOf("old")}`.execute(db);
  await arrive("old", atMs);
  assert.deepEqual(await scenes(), [sceneIdOf("young")]);
  const { id: younger } = await create();
  await arrive("old-too", atMs);
  assert.equal((await bench.monitors.get(kim, younger)).scenes.length, 1);
});
