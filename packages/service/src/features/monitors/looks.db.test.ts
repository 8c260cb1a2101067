import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Scene } from "@swath/kernel/scenes/scene";
import { sceneId } from "@swath/kernel/scenes/scene-id";
import { sql } from "kysely";
import type { Caller } from "../../platform/context.ts";
import { bindSources, MemorySource } from "../imagery/memory-source-testing.ts";
import { box, DATASET, sceneOver } from "../standing-queries/testing.ts";
import { monitorBench, MONITOR_RIGHTS, type MonitorBench } from "./testing.ts";

const NEVER = new AbortController().signal;
const FIELD = box(14, 50, 14.1, 50.1);
const OTHER_DATASET = { provider: "esa", dataset: "COPERNICUS/S1_SLC" } as const;
/** The clock of the bench begins here. */
const NOW_MS = Date.UTC(2026, 5, 2);
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const EVERY_MINUTES = 60;

const [source, otherSource] = [new MemorySource([]), new MemorySource([])];
let bench: MonitorBench;
let kim: Caller;
let lee: Caller;
let nowMs = NOW_MS;
before(async () => {
  bench = await monitorBench(
    bindSources({ "ee COPERNICUS/S2_HARMONIZED": source, "esa COPERNICUS/S1_SLC": otherSource }),
  );
  kim = await bench.standing.addUser("kim", MONITOR_RIGHTS);
  lee = await bench.standing.addUser("lee", MONITOR_RIGHTS);
});
after(() => bench[Symbol.asyncDispose]());
beforeEach(async () => {
  await sql`truncate standing_queries, scene_arrivals, events, scenes, pipelines, monitors cascade`.execute(
    bench.standing.db,
  );
  for (const one of [source, otherSource]) {
    one.scenes = [];
    one.queries.length = 0;
    one.fault = () => Promise.resolve();
  }
});

const create = (more: object = {}, owner = kim) =>
  bench.monitors.create(
    owner,
    {
      name: "North field",
      areas: FIELD,
      datasets: [DATASET],
      mapTypes: ["ndvi"],
      creditsPerMonth: 1_000,
      rule: { kind: "threshold", measure: { mapType: "ndvi", statistic: "mean" }, below: 0.3 },
      schedule: { everyMinutes: EVERY_MINUTES },
      ...more,
    },
    { baseUrl: "http://127.0.0.1", signal: NEVER },
  );

function pass(ms: number): void {
  nowMs += ms;
  bench.pass(ms);
}

/** A scene over the field, acquired before the present of the bench. */
function acquired(local: string, agoMs: number, dataset: { provider: string; dataset: string } = DATASET): Scene {
  const { scene } = sceneOver(local, box(13, 49, 15, 51), { atMs: nowMs - agoMs });
  return { ...scene, ...dataset, sceneId: sceneId(dataset.provider, dataset.dataset, local) };
}

async function scenesOf(id: string): Promise<readonly string[]> {
  await bench.standing.match();
  await bench.monitors.measure(NEVER);
  return (await bench.monitors.get(kim, id)).scenes.map(({ sceneId: one }) => one.split(".").at(-1) ?? "").toReversed();
}

const looksOf = async (id: string, owner = kim) => (await bench.monitors.get(owner, id)).looks;
const isoIn = (ms: number): string => new Date(nowMs + ms).toISOString();

test("a monitor finds the scenes of its provider by itself, late ones too, and each once", async () => {
  const { id, looks } = await create();
  assert.deepEqual(looks, [
    { provider: "ee", nextLookAt: isoIn(0), lastLookAt: null, failures: 0, failedAt: null, failure: null },
  ]);
  await bench.look();
  assert.deepEqual(await scenesOf(id), []);
  assert.equal(source.queries.length, 1, "nothing found is not explained: the source is asked once");
  pass(2 * DAY_MS);
  const late = acquired("late", DAY_MS);
  source.scenes = [acquired("first", MINUTE_MS), acquired("earlier", 3 * DAY_MS)];
  await bench.look();
  assert.deepEqual(await scenesOf(id), ["first"]);
  const [look] = await looksOf(id);
  assert.deepEqual([look?.lastLookAt, look?.nextLookAt], [isoIn(0), isoIn(EVERY_MINUTES * MINUTE_MS)]);
  await bench.look();
  assert.equal(source.queries.length, 2, "no look is due before the interval has passed");
  pass(EVERY_MINUTES * MINUTE_MS);
  source.scenes = [...source.scenes, late, acquired("second", MINUTE_MS)];
  await bench.look();
  assert.deepEqual(await scenesOf(id), ["first", "late", "second"]);
});

test("a look searches from the last success less the overlap, at most 31 days at once", async () => {
  const { id } = await create({ startDatetime: "2026-01-01", schedule: { everyMinutes: 60, overlapDays: 2 } });
  await bench.look();
  pass(40 * DAY_MS);
  await bench.look();
  assert.equal((await looksOf(id))[0]?.nextLookAt, isoIn(0), "the rest follows at once");
  await bench.look();
  assert.deepEqual(
    source.queries.map(({ fromMs, toMs }) => [fromMs, toMs].map((ms) => Math.floor(((ms ?? NaN) - NOW_MS) / DAY_MS))),
    [
      [-2, 0],
      [-2, 31],
      [29, 40],
    ].map(([from = 0, to = 0]) => {
      const startMs = nowMs - 40 * DAY_MS - NOW_MS;
      return [from, to].map((days) => days + Math.floor(startMs / DAY_MS));
    }),
  );
  assert.equal((await looksOf(id))[0]?.nextLookAt, isoIn(60 * MINUTE_MS));
});

test("a provider that fails is told and asked after growing pauses, holds up no other, and nothing is lost", async () => {
  const { id } = await create({ datasets: [DATASET, OTHER_DATASET] });
  source.fault = () => Promise.reject(new ServiceError("SERVICE-UNAVAILABLE", "the catalogue is down"));
  const pauses: number[] = [];
  for (let failures = 1; failures <= 16; failures += 1) {
    await bench.look();
    const look = (await looksOf(id)).find(({ provider }) => provider === "ee");
    assert.partialDeepStrictEqual(look, { failures, failedAt: isoIn(0), lastLookAt: null });
    assert.match(look?.failure ?? "", /COPERNICUS\/S2_HARMONIZED: SERVICE-UNAVAILABLE: .*the catalogue is down/u);
    pauses.push(Date.parse(look?.nextLookAt ?? "") - nowMs);
    pass(pauses.at(-1) ?? 0);
  }
  assert.ok(
    pauses.every((pause, index) => index === 0 || pause >= (pauses[index - 1] ?? 0)),
    pauses.join(" "),
  );
  assert.ok(pauses.every((pause) => pause <= 30 * MINUTE_MS));
  const other = (await looksOf(id)).find(({ provider }) => provider === "esa");
  assert.deepEqual([other?.failures, other?.failure], [0, null]);
  assert.ok(otherSource.queries.length >= 2);
  source.scenes = [acquired("outage", 100 * MINUTE_MS)];
  pass(2 * DAY_MS);
  source.fault = () => Promise.resolve();
  await bench.look();
  assert.deepEqual(await scenesOf(id), ["outage"]);
  const [look] = await looksOf(id);
  assert.partialDeepStrictEqual(look, { failures: 0, failedAt: null, failure: null, lastLookAt: isoIn(0) });
});

test("a provider that hangs and the monitors of another owner hold up no look", async () => {
  const many = 20;
  for (let index = 0; index < many; index += 1) await create({ name: `f${index}`, datasets: [DATASET, OTHER_DATASET] });
  const hanging = Promise.withResolvers<void>();
  source.fault = () => hanging.promise;
  const looks = [...(await bench.monitors.look(NEVER))];
  const { id } = await create({}, lee);
  looks.push(...(await bench.monitors.look(NEVER)));
  assert.equal(source.queries.length <= 5, true, "one owner has four places of a provider");
  // The looks at the other provider end.
  for (let round = 0; round < many && otherSource.queries.length < many; round += 1) {
    await bench.look(bench.anotherPoller());
  }
  assert.equal(otherSource.queries.length, many);
  hanging.resolve();
  await Promise.all(looks);
  assert.notEqual((await looksOf(id, lee))[0]?.lastLookAt, null, "the look of the other owner was among the first");
  for (let round = 0; round < many; round += 1) await bench.look();
  assert.equal(source.queries.length, many + 1, "each monitor has looked once");
});

test("processes do each look once, and one takes over a look whose process has died", async () => {
  const ids: string[] = [];
  for (let index = 0; index < 10; index += 1) ids.push((await create({ name: `f${index}` })).id);
  await using first = bench.anotherPoller();
  await using second = bench.anotherPoller();
  for (let round = 0; round < 10; round += 1) await Promise.all([bench.look(first), bench.look(second)]);
  assert.equal(source.queries.length, ids.length);
  pass(DAY_MS);
  const { db } = bench.standing;
  // As a process does that dies after a claim.
  await sql`update monitor_looks set claimed_until = ${new Date(nowMs + 20_000)}`.execute(db);
  source.scenes = [acquired("new", MINUTE_MS)];
  await bench.look(second);
  assert.equal(source.queries.length, ids.length, "the lease holds");
  pass(21_000);
  for (let round = 0; round < 10; round += 1) await Promise.all([bench.look(first), bench.look(second)]);
  assert.equal(source.queries.length, 2 * ids.length);
  for (const id of ids) assert.deepEqual(await scenesOf(id), ["new"]);
});

test("a look that loses its lease stops, and leaves the state to the new holder", async () => {
  const { id } = await create();
  const { db } = bench.standing;
  const asked = Promise.withResolvers<void>();
  source.fault = (signal) => {
    asked.resolve();
    return new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    });
  };
  await using short = bench.anotherPoller({ leaseMs: 30 });
  const look = bench.look(short);
  await asked.promise;
  await sql`update monitor_looks set claimed_until = ${new Date(nowMs + 60_000)}, failures = 3`.execute(db);
  await look;
  assert.partialDeepStrictEqual((await looksOf(id))[0], { failures: 3, lastLookAt: null, failure: null });
});

test("a look at many areas goes on in turns, with the looks of other owners between", async () => {
  const areas = {
    type: "FeatureCollection" as const,
    features: [0, 1, 2].map((index) => ({
      type: "Feature" as const,
      id: `f${index}`,
      properties: {},
      geometry: box(14 + index, 50, 14.1 + index, 50.1),
    })),
  };
  const { id } = await create({ areas });
  await using poller = bench.anotherPoller({ turnMs: 0, perProvider: 1 });
  await bench.look(poller);
  pass(1);
  const other = await create({}, lee);
  pass(1);
  await bench.look(poller);
  pass(1);
  await bench.look(poller);
  assert.equal((await looksOf(id))[0]?.lastLookAt, null);
  assert.notEqual((await looksOf(other.id, lee))[0]?.lastLookAt, null);
  await bench.look(poller);
  assert.equal((await looksOf(id))[0]?.lastLookAt, isoIn(0));
  assert.equal(source.queries.length, 4, "no area is searched twice");
});

test("a paused monitor does not look, and a resumed one leaves out the pause", async () => {
  const { id } = await create({ schedule: { everyMinutes: 60, overlapDays: 1 } });
  await bench.look();
  const paused = await bench.monitors.pause(kim, id, true);
  assert.equal(paused.looks[0]?.nextLookAt, null);
  pass(10 * DAY_MS);
  await bench.look();
  assert.equal(source.queries.length, 1);
  source.scenes = [acquired("paused", 5 * DAY_MS), acquired("recent", 1_000)];
  await bench.monitors.pause(kim, id, false);
  await bench.look();
  assert.deepEqual(await scenesOf(id), ["recent"]);
  await bench.monitors.pause(kim, id, true);
  const resumed = await bench.monitors.pause(kim, id, false);
  assert.equal(resumed.looks[0]?.nextLookAt, isoIn(60 * MINUTE_MS), "resuming asks no provider more often");
});

test("another schedule counts from the last look, also after a request that changes nothing else", async () => {
  const { id, schedule } = await create({ schedule: undefined });
  assert.deepEqual(schedule, { everyMinutes: 360, overlapDays: 7 });
  await bench.look();
  pass(MINUTE_MS);
  const changed = await bench.monitors.update(kim, { monitorId: id, schedule: { everyMinutes: 15, overlapDays: 0 } });
  assert.deepEqual(changed.schedule, { everyMinutes: 15, overlapDays: 0 });
  assert.equal(changed.looks[0]?.nextLookAt, isoIn(14 * MINUTE_MS));
  const kept = await bench.monitors.update(kim, { monitorId: id, creditsPerMonth: 5 });
  assert.deepEqual([kept.schedule, kept.looks], [changed.schedule, changed.looks]);
});

test("a monitor whose last acquisition has passed, with its overlap, looks no more", async () => {
  const { id } = await create({ endDatetime: new Date(nowMs + DAY_MS).toISOString().slice(0, 10) });
  pass(5 * DAY_MS);
  source.scenes = [acquired("late", 4.5 * DAY_MS)];
  await bench.look();
  assert.deepEqual(await scenesOf(id), ["late"]);
  pass(10 * DAY_MS);
  await bench.look();
  assert.equal((await looksOf(id))[0]?.nextLookAt, null);
});

test("monitors of ingested scenes and of datasets without a catalogue have no looks", async () => {
  const ingested = await create({ onlyIngested: true });
  const without = await create({ datasets: [{ provider: "ee", dataset: "COPERNICUS/S2_SR_HARMONIZED" }] });
  assert.deepEqual([ingested.looks, without.looks], [[], []]);
  await bench.look();
  assert.equal(source.queries.length, 0);
});

test("a monitor stops when its owner lacks a right at the look", async () => {
  const { id } = await create();
  const { db } = bench.standing;
  await sql`update groups set permissions = array['imagery.monitors'] where id = ${kim.groupId}`.execute(db);
  try {
    await bench.look();
    const stopped = await bench.monitors.get(kim, id);
    assert.deepEqual(
      [stopped.enabled, stopped.stopReason, stopped.looks[0]?.nextLookAt],
      [false, "the owner lacks imagery.availability", null],
    );
    assert.equal(source.queries.length, 0);
  } finally {
    await sql`update groups set permissions = ${MONITOR_RIGHTS}::text[] where id = ${kim.groupId}`.execute(db);
  }
});
