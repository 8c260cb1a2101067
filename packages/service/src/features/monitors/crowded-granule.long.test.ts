import assert from "node:assert/strict";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { test } from "node:test";
import { sql } from "kysely";
import type { Caller } from "../../platform/context.ts";
import { box, DATASET, sceneOver } from "../standing-queries/testing.ts";
import { monitorBench, MONITOR_RIGHTS, ndviRow } from "./testing.ts";

const NEVER = new AbortController().signal;
const MONITORS = 100;
const OWNERS = 10;
const AREAS = 100;
const HOUR_MS = 3_600_000;
/** Some four times what a busy machine takes. */
const MAX_SECONDS = 60;
const MAX_GROWTH_BYTES = 300 * 2 ** 20;

/** Fields of a granule of 110 km, side by side. */
function fieldsOf(monitor: number) {
  const features = Array.from({ length: AREAS }, (_, index) => {
    const place = monitor * AREAS + index;
    const [west, south] = [14 + (place % 100) / 100, 50 + Math.floor(place / 100) / 100];
    const geometry = box(west + 0.001, south + 0.001, west + 0.009, south + 0.009);
    return { type: "Feature" as const, id: `f${index}`, properties: {}, geometry };
  });
  return { type: "FeatureCollection" as const, features };
}

test("one scene over 10,000 watched areas is matched, measured and compared in bounded time and memory", async (t) => {
  await using bench = await monitorBench();
  const owners: Caller[] = [];
  for (let n = 0; n < OWNERS; n += 1) owners.push(await bench.standing.addUser(`user-${n}`, MONITOR_RIGHTS));
  for (let n = 0; n < MONITORS; n += 1) {
    const owner = owners[n % OWNERS]!;
    const settings = {
      name: `fields ${n}`,
      areas: fieldsOf(n),
      startDatetime: "2026-01-01",
      datasets: [DATASET],
      mapTypes: ["ndvi"],
      creditsPerMonth: 10,
      rule: { kind: "threshold" as const, measure: { mapType: "ndvi", statistic: "mean" as const }, below: 0.3 },
    };
    await bench.monitors.create(owner, settings, { baseUrl: "http://127.0.0.1", signal: NEVER });
  }
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const startRss = process.memoryUsage.rss();
  let mostRss = startRss;
  const timed = async (name: string, run: () => Promise<unknown>): Promise<void> => {
    const startedMs = performance.now();
    await run();
    mostRss = Math.max(mostRss, process.memoryUsage.rss());
    t.diagnostic(`${name}: ${((performance.now() - startedMs) / 1000).toFixed(2)} s`);
  };
  const startedMs = performance.now();
  await timed("register and match", async () => {
    await bench.standing.register(sceneOver("s0", box(13.9, 49.9, 15.1, 51.1)));
    assert.equal(await bench.standing.match(), MONITORS);
  });
  // A fourth of the fields is below the threshold.
  const rowsOf = (sceneId: string) =>
    Array.from({ length: AREAS }, (_, index) =>
      ndviRow(sceneId, 1, index % 4 === 0 ? 0.2 : 0.5, { area: `f${index}` }),
    );
  await timed("price and start", async () => {
    for (let started = 0; started < MONITORS; started += 4) await bench.monitors.measure(NEVER);
  });
  const ended = await bench.end((sceneId) => ({ kind: "resolved", chargedCredits: 1, rows: rowsOf(sceneId) }));
  assert.equal(ended, MONITORS);
  bench.pass(HOUR_MS);
  await timed("compare and record", () => bench.monitors.measure(NEVER));
  const seconds = (performance.now() - startedMs) / 1000;
  delay.disable();
  const growth = mostRss - startRss;
  t.diagnostic(`${MONITORS * AREAS} areas: ${seconds.toFixed(2)} s, ${(growth / 2 ** 20).toFixed(0)} MiB`);
  t.diagnostic(`longest hold of the event loop ${(delay.max / 1e6).toFixed(0)} ms`);
  const events = await bench.standing.db.selectFrom("events").select("type").execute();
  assert.equal(events.filter(({ type }) => type === "monitor.alert").length, MONITORS);
  const { rows } = await sql`
    select count(*)::int as done, sum(jsonb_array_length(area_values))::int as areas,
      sum(jsonb_array_length(alert_areas))::int as alerts
    from monitor_scenes where status = 'DONE'`.execute(bench.standing.db);
  assert.deepEqual(rows, [{ done: MONITORS, areas: MONITORS * AREAS, alerts: (MONITORS * AREAS) / 4 }]);
  assert.ok(seconds < MAX_SECONDS, `${seconds} s`);
  assert.ok(growth < MAX_GROWTH_BYTES, `${(growth / 2 ** 20).toFixed(0)} MiB`);
});
