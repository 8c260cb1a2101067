import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import * as fc from "fast-check";
import { sql } from "kysely";
import type { Caller } from "../../platform/context.ts";
import { box, DATASET, sceneOver } from "../standing-queries/testing.ts";
import { monitorBench, MONITOR_RIGHTS, ndviRow, type MonitorBench, type PipelineEnd } from "./testing.ts";

const NEVER = new AbortController().signal;
const FIELD = box(14, 50, 14.1, 50.1);
const BUDGET = 10;
const HOUR_MS = 3_600_000;
/** Rounds in which workers die; later ones are undisturbed, and more than a scene has tries. */
const HOSTILE_ROUNDS = 5;
const MAX_ROUNDS = 40;
const LAST_ARRIVAL = 3;

let bench: MonitorBench;
let kim: Caller;
before(async () => {
  bench = await monitorBench();
  kim = await bench.standing.addUser("kim", MONITOR_RIGHTS);
});
after(() => bench[Symbol.asyncDispose]());

/** The highest price of a scene, the share of it that is charged, and faults on the way. */
const plan = fc.record({
  price: fc.integer({ min: 0, max: 6 }),
  chargedShare: fc.constantFrom(0, 0.5, 1),
  failures: fc.integer({ min: 0, max: 2 }),
  isCancelled: fc.boolean(),
  /** Whether the worker dies when it has asked for the price. */
  kills: fc.integer({ min: 0, max: 2 }),
  /** The round in which the scene becomes known, while others are measured. */
  arrival: fc.integer({ min: 0, max: LAST_ARRIVAL }),
});

/** Credits that a monitor has spent and may still be charged, from the pipelines alone. */
async function committed(charged: ReadonlyMap<string, number>, priceOf: (sceneId: string) => number): Promise<number> {
  const { rows } = await sql<{ sceneId: string }>`
    select request -> 'sceneIds' ->> 0 as "sceneId" from pipelines where finished_at is null`.execute(
    bench.standing.db,
  );
  const open = rows.reduce((sum, { sceneId }) => sum + priceOf(sceneId), 0);
  return [...charged.values()].reduce((sum, one) => sum + one, open);
}

test("scenes at once, deaths of workers and retries never exceed the budget, and each scene ends once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(plan, { minLength: 1, maxLength: 12 }), async (plans) => {
      await sql`
        truncate standing_queries, scene_arrivals, events, scenes, pipelines, monitors cascade`.execute(
        bench.standing.db,
      );
      const { id } = await bench.monitors.create(
        kim,
        {
          name: "f",
          areas: FIELD,
          startDatetime: "2026-01-01",
          datasets: [DATASET],
          mapTypes: ["ndvi"],
          creditsPerMonth: BUDGET,
          rule: { kind: "threshold", measure: { mapType: "ndvi", statistic: "mean" }, below: 0.3 },
        },
        { baseUrl: "http://127.0.0.1", signal: NEVER },
      );
      const records = plans.map((_, index) => sceneOver(`s${index}`, box(13, 49, 15, 51)));
      const left = new Map(plans.map((one, index) => [records[index]!.scene.sceneId, { ...one }]));
      const charged = new Map<string, number>();
      const deaths = new Map<AbortSignal, AbortController>();
      bench.price = async (sceneId, signal) => {
        const own = left.get(sceneId)!;
        if (own.kills > 0 && deaths.has(signal)) {
          own.kills -= 1;
          deaths.get(signal)?.abort(new Error("the worker dies"));
        }
        return await Promise.resolve(own.price);
      };
      const end = (sceneId: string): PipelineEnd => {
        const own = left.get(sceneId)!;
        if (own.failures > 0) {
          own.failures -= 1;
          return { kind: "failed", errorCode: "SERVICE-UNAVAILABLE" };
        }
        if (own.isCancelled) return { kind: "failed", errorCode: "PIPELINE-CANCELLED" };
        assert.ok(!charged.has(sceneId), "a scene is charged once");
        const chargedCredits = own.price * own.chargedShare;
        charged.set(sceneId, chargedCredits);
        return { kind: "resolved", chargedCredits, rows: [ndviRow(sceneId, 1, 0.5)] };
      };
      let open = true;
      for (let round = 0; open && round < MAX_ROUNDS; round += 1) {
        await bench.standing.register(...records.filter((_, index) => plans[index]?.arrival === round));
        await bench.standing.match();
        bench.pass(2 * HOUR_MS);
        const workers = Array.from({ length: 3 }, async () => {
          const death = new AbortController();
          if (round < HOSTILE_ROUNDS) deaths.set(death.signal, death);
          await bench.monitors.measure(death.signal).catch((error: unknown) => {
            if (!death.signal.aborted) throw error;
          });
        });
        await Promise.all(workers);
        const most = await committed(charged, (sceneId) => left.get(sceneId)!.price);
        assert.ok(most <= BUDGET, `${most} credits of ${BUDGET}`);
        const { reservedCredits, scenes, spentCredits } = await bench.monitors.get(kim, id);
        assert.ok(reservedCredits + spentCredits <= BUDGET, `${reservedCredits} + ${spentCredits}`);
        open = round < LAST_ARRIVAL || scenes.some(({ status }) => status === "WAITING" || status === "RUNNING");
        await bench.end(end);
      }
      const { reservedCredits, scenes, spentCredits } = await bench.monitors.get(kim, id);
      assert.deepEqual([open, scenes.length, reservedCredits], [false, plans.length, 0]);
      const sum = [...charged.values()].reduce((total, one) => total + one, 0);
      assert.equal(spentCredits, sum);
      const { rows } = await sql<{ results: number }>`
        select count(*)::int as results from events where type = 'monitor.result'`.execute(bench.standing.db);
      const done = scenes.filter(({ status }) => status === "DONE");
      assert.deepEqual([rows[0]?.results, done.length], [charged.size, charged.size]);
    }),
    { numRuns: 25, endOnFailure: true },
  );
});
