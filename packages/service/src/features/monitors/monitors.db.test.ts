import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { sql } from "kysely";
import type { Caller } from "../../platform/context.ts";
import { placeEvents } from "../../platform/events/place-events.ts";
import { readEvents, type PlacedEvent } from "../../platform/events/read-events.ts";
import { box, DATASET, sceneOver } from "../standing-queries/testing.ts";
import { monitorBench, MONITOR_RIGHTS, ndviRow, type MonitorBench } from "./testing.ts";

const NEVER = new AbortController().signal;
const FIELD = box(14, 50, 14.1, 50.1);
const SETTINGS = {
  name: "North field",
  areas: FIELD,
  startDatetime: "2026-01-01",
  datasets: [DATASET],
  mapTypes: ["ndvi"],
  creditsPerMonth: 10,
  rule: {
    kind: "change" as const,
    measure: { mapType: "ndvi", statistic: "mean" as const },
    last: 2,
    by: 0.2,
  },
};
const HOUR_MS = 3_600_000;

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
  bench.price = () => Promise.resolve(1);
});

const create = (more: object = {}) =>
  bench.monitors.create(kim, { ...SETTINGS, ...more }, { baseUrl: "http://127.0.0.1", signal: NEVER });
const idOf = (local: string): string => sceneOver(local, FIELD).scene.sceneId;
const scenesOf = async (id: string) => (await bench.monitors.get(kim, id)).scenes;

/** A scene arrives and waits to be measured. */
async function arrive(...locals: readonly string[]): Promise<void> {
  await bench.standing.register(...locals.map((local) => sceneOver(local, box(13, 49, 15, 51))));
  await bench.standing.match();
}

async function round(): Promise<void> {
  bench.pass(2 * HOUR_MS);
  await bench.monitors.measure(NEVER);
}

async function measured(local: string, day: number, mean: number | null, chargedCredits = 1): Promise<void> {
  await arrive(local);
  await round();
  await bench.end((sceneId) => ({ kind: "resolved", chargedCredits, rows: [ndviRow(sceneId, day, mean)] }));
  await round();
}

async function events(): Promise<readonly PlacedEvent[]> {
  await placeEvents(bench.standing.db, NEVER);
  return await readEvents(bench.standing.db, {
    reader: kim,
    after: 0,
    types: ["monitor.alert", "monitor.result"],
    limit: 1_000,
  });
}

test("each new scene is paid, measured and told, and compared with the median of the last ones", async () => {
  const { id } = await create();
  for (const [index, mean] of [0.5, 0.75, null, 0.4].entries()) await measured(`s${index}`, index + 1, mean);
  const scenes = await scenesOf(id);
  assert.deepEqual(
    scenes.map(({ sceneId, status, skipReason, chargedCredits, alertAreas }) => [
      sceneId,
      status,
      skipReason,
      chargedCredits,
      alertAreas,
    ]),
    [
      [idOf("s3"), "DONE", null, 1, ["0"]],
      [idOf("s2"), "SKIPPED", "CLOUD", 1, []],
      [idOf("s1"), "DONE", null, 1, []],
      [idOf("s0"), "DONE", null, 1, []],
    ],
  );
  assert.deepEqual(scenes[0]?.values, [{ area: "0", value: 0.4 }]);
  const told = await events();
  assert.deepEqual(
    told.map(({ type, data }) => [type, data["sceneId"]]),
    [
      ["monitor.result", idOf("s0")],
      ["monitor.result", idOf("s1")],
      ["monitor.result", idOf("s3")],
      ["monitor.alert", idOf("s3")],
    ],
  );
  assert.deepEqual(told.at(-1)?.data["findings"], [{ area: "0", value: 0.4, reference: 0.625, side: "below" }]);
  const { spentCredits, reservedCredits, month } = await bench.monitors.get(kim, id);
  assert.deepEqual([month, spentCredits, reservedCredits], ["2026-06", 4, 0]);
});

test("what was charged replaces the reservation, and a scene beyond the budget is skipped with its price", async () => {
  bench.price = () => Promise.resolve(6);
  const { id } = await create();
  await arrive("s0", "s1");
  await round();
  assert.deepEqual(
    (await scenesOf(id)).map(({ status, skipReason, message }) => [status, skipReason, message]),
    [
      ["SKIPPED", "BUDGET", "the scene costs 6 credits and 4 are left in 2026-06"],
      ["RUNNING", null, null],
    ],
  );
  assert.equal((await bench.monitors.get(kim, id)).reservedCredits, 6);
  await bench.end((sceneId) => ({ kind: "resolved", chargedCredits: 2.5, rows: [ndviRow(sceneId, 1, 0.5)] }));
  await round();
  assert.partialDeepStrictEqual(await bench.monitors.get(kim, id), { spentCredits: 2.5, reservedCredits: 0 });
  await arrive("s2");
  await round();
  assert.equal((await scenesOf(id))[0]?.status, "RUNNING", "7.5 credits are left");
});

test("a scene that waits for its busy monitor starts in the round that ends another one", async () => {
  const { id } = await create();
  const locals = Array.from({ length: 7 }, (_, index) => `s${index}`);
  await arrive(...locals);
  const count = async (status: string): Promise<number> =>
    (await scenesOf(id)).filter((scene) => scene.status === status).length;
  for (let left = locals.length; left > 0; left -= Math.min(left, 4)) {
    await bench.monitors.measure(NEVER);
    await bench.monitors.measure(NEVER);
    assert.deepEqual([await count("RUNNING"), await count("DONE")], [Math.min(left, 4), locals.length - left]);
    await bench.end((sceneId) => ({ kind: "resolved", chargedCredits: 1, rows: [ndviRow(sceneId, 1, 0.5)] }));
  }
  await bench.monitors.measure(NEVER);
  assert.equal(await count("DONE"), locals.length);
});

test("a failure that passes is repeated later, another one ends the scene", async () => {
  const { id } = await create();
  await arrive("s0");
  await round();
  await bench.end(() => ({ kind: "failed", errorCode: "SERVICE-UNAVAILABLE" }));
  await bench.monitors.measure(NEVER);
  assert.partialDeepStrictEqual((await scenesOf(id))[0], { status: "WAITING", message: "ended by the test" });
  assert.equal((await bench.monitors.get(kim, id)).reservedCredits, 0);
  await round();
  await bench.end(() => ({ kind: "failed", errorCode: "INSUFFICIENT-CREDIT" }));
  await round();
  assert.partialDeepStrictEqual((await scenesOf(id))[0], { status: "SKIPPED", skipReason: "CREDIT" });
});

test("a monitor whose owner has lost a right stops with the reason, and goes on when it is resumed", async () => {
  const { id } = await create();
  await arrive("s0");
  const { rows } = await sql<{ permissions: string[] }>`
    select permissions from groups where id = ${kim.groupId}`.execute(bench.standing.db);
  const without = MONITOR_RIGHTS.filter((right) => right !== "algorithms");
  await sql`update groups set permissions = ${without} where id = ${kim.groupId}`.execute(bench.standing.db);
  await round();
  await sql`update groups set permissions = ${rows[0]?.permissions} where id = ${kim.groupId}`.execute(
    bench.standing.db,
  );
  const { enabled, scenes, stopReason } = await bench.monitors.get(kim, id);
  assert.deepEqual([enabled, scenes[0]?.skipReason], [false, "RIGHTS"]);
  assert.match(String(stopReason), /^the owner lacks algorithms\./);
  await arrive("s1");
  assert.partialDeepStrictEqual(await bench.monitors.pause(kim, id, false), { enabled: true, stopReason: null });
  await arrive("s2");
  await round();
  assert.deepEqual(
    (await scenesOf(id)).map(({ sceneId }) => sceneId),
    [idOf("s2"), idOf("s0")],
  );
});

test("a monitor of a blocked owner stops", async () => {
  const { id } = await create();
  await arrive("s0");
  await sql`update users set blocked = true where id = ${kim.userId}`.execute(bench.standing.db);
  await round();
  await sql`update users set blocked = false where id = ${kim.userId}`.execute(bench.standing.db);
  assert.equal((await bench.monitors.get(kim, id)).stopReason, "the owner is blocked");
});

test("a monitor exists for its owner, and administrators read it", async () => {
  const { id } = await create();
  const unknown = { code: "NON-EXISTENT-MONITOR" };
  await assert.rejects(bench.monitors.get(lee, id), unknown);
  await assert.rejects(bench.monitors.update(lee, { monitorId: id, name: "x" }), unknown);
  await assert.rejects(bench.monitors.pause(lee, id, true), unknown);
  await assert.rejects(bench.monitors.delete(lee, id), unknown);
  const administrator = { ...lee, permissions: new Set(["admin"]) };
  assert.equal((await bench.monitors.get(administrator, id)).id, id);
  await assert.rejects(bench.monitors.delete(administrator, id), unknown);
  assert.deepEqual((await bench.monitors.list(lee, undefined)).results, []);
});

test("under another rule the earlier values do not count", async () => {
  const { id } = await create();
  await measured("s0", 1, 0.6);
  await measured("s1", 2, 0.6);
  await bench.monitors.update(kim, { monitorId: id, rule: { ...SETTINGS.rule, by: 0.1 } });
  await measured("s2", 3, 0.2);
  assert.deepEqual((await scenesOf(id))[0]?.alertAreas, []);
});

const feature = (id: string) => ({ type: "Feature", id, properties: {}, geometry: FIELD }) as const;
const areas = (...ids: readonly string[]) => ({ type: "FeatureCollection", features: ids.map(feature) });

test("areas without a name, or with the same one, are refused", async () => {
  await assert.rejects(create({ areas: areas("a", "a") }), /which an earlier feature has/);
  await assert.rejects(create({ areas: areas("a b") }), /is no name of an area/);
  await assert.rejects(create({ areas: areas(...Array.from({ length: 101 }, (_, i) => `a${i}`)) }), /at most 100/);
});
