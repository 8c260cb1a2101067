import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import * as fc from "fast-check";
import { sql } from "kysely";
import type { Caller } from "../../platform/context.ts";
import { box, DATASET, sceneOver } from "../standing-queries/testing.ts";
import { monitorBench, MONITOR_RIGHTS, ndviRow, type MonitorBench, type PipelineEnd } from "./testing.ts";

const NEVER = new AbortController().signal;
const HOUR_MS = 3_600_000;
const MONTH_MS = 31 * 24 * HOUR_MS;
const MAX_ROUNDS = 40;

let bench: MonitorBench;
let kim: Caller;
before(async () => {
  bench = await monitorBench();
  kim = await bench.standing.addUser("kim", MONITOR_RIGHTS);
});
after(() => bench[Symbol.asyncDispose]());

/** The highest price of a scene, the share of it that is charged, and failures on the way. */
const plan = fc.record({
  price: fc.integer({ min: 0, max: 6 }),
  chargedShare: fc.constantFrom(0, 0.5, 1),
  failures: fc.integer({ min: 0, max: 2 }),
});

/** An interruption before a round; a round without one is undisturbed. */
const action = fc.oneof(
  fc.constant({ kind: "pause" as const }),
  fc.constant({ kind: "resume" as const }),
  fc.constant({ kind: "month" as const }),
  fc.record({ kind: fc.constant("budget" as const), credits: fc.integer({ min: 1, max: 12 }) }),
);

interface Priced {
  readonly price: number;
  readonly chargedShare: number;
  failures: number;
}

/** The test's own book: of pipelines that it saw start, with the month in which they did. */
interface Book {
  readonly open: Map<string, { readonly month: string; readonly sceneId: string; readonly price: number }>;
  readonly chargedByMonth: Map<string, number>;
}

/** Enters pipelines that have started; whether there was one. */
async function enterStarted(book: Book, left: ReadonlyMap<string, Priced>, month: string): Promise<boolean> {
  const { rows } = await sql<{ id: string; sceneId: string }>`
    select id, request -> 'sceneIds' ->> 0 as "sceneId" from pipelines where finished_at is null`.execute(
    bench.standing.db,
  );
  const started = rows.filter(({ id }) => !book.open.has(id));
  for (const { id, sceneId } of started) book.open.set(id, { month, sceneId, price: left.get(sceneId)!.price });
  return started.length > 0;
}

/** Credits of a month that are charged, or may still be. */
function committed({ chargedByMonth, open }: Book, month: string): number {
  const own = [...open.values()].filter((one) => one.month === month);
  return own.reduce((sum, { price }) => sum + price, chargedByMonth.get(month) ?? 0);
}

async function endPipelines(book: Book, left: ReadonlyMap<string, Priced>): Promise<void> {
  await bench.end((sceneId): PipelineEnd => {
    const own = left.get(sceneId)!;
    if (own.failures > 0) {
      own.failures -= 1;
      return { kind: "failed", errorCode: "SERVICE-UNAVAILABLE" };
    }
    const chargedCredits = own.price * own.chargedShare;
    const { month } = [...book.open.values()].find((one) => one.sceneId === sceneId)!;
    book.chargedByMonth.set(month, (book.chargedByMonth.get(month) ?? 0) + chargedCredits);
    return { kind: "resolved", chargedCredits, rows: [ndviRow(sceneId, 1, 0.5)] };
  });
  book.open.clear();
}

async function createMonitor(): Promise<string> {
  await sql`
    truncate standing_queries, scene_arrivals, events, scenes, pipelines, monitors cascade`.execute(bench.standing.db);
  const { id } = await bench.monitors.create(
    kim,
    {
      name: "f",
      areas: box(14, 50, 14.1, 50.1),
      startDatetime: "2026-01-01",
      datasets: [DATASET],
      mapTypes: ["ndvi"],
      creditsPerMonth: 10,
      rule: { kind: "threshold", measure: { mapType: "ndvi", statistic: "mean" }, below: 0.3 },
    },
    { baseUrl: "http://127.0.0.1", signal: NEVER },
  );
  return id;
}

test("pauses, resumes, changed budgets and turns of the month never let a month cost more than its budget", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(plan, { minLength: 1, maxLength: 12 }),
      fc.array(action, { maxLength: 8 }),
      async (plans, actions) => {
        const id = await createMonitor();
        let budget = 10;
        const records = plans.map((_, index) => sceneOver(`s${index}`, box(13, 49, 15, 51)));
        const left = new Map(plans.map((one, index) => [records[index]!.scene.sceneId, { ...one }]));
        const book: Book = { open: new Map(), chargedByMonth: new Map() };
        bench.price = (sceneId) => Promise.resolve(left.get(sceneId)!.price);
        await bench.standing.register(...records);
        await bench.standing.match();
        await bench.monitors.measure(NEVER);
        let isOpen = true;
        for (let round = 0; isOpen && round < MAX_ROUNDS; round += 1) {
          const { month } = await bench.monitors.get(kim, id);
          const checkStarted = async (): Promise<number> => {
            const isStarted = await enterStarted(book, left, month);
            const most = committed(book, month);
            if (isStarted) assert.ok(most <= budget, `${most} credits of ${budget} in ${month}`);
            return most;
          };
          const most = await checkStarted();
          const { reservedCredits, spentCredits } = await bench.monitors.get(kim, id);
          assert.equal(reservedCredits + spentCredits, most, `the book of ${month}`);
          if (round % 2 === 1) await endPipelines(book, left);
          // The last action is followed by an undisturbed end.
          const next = round < actions.length ? actions[round]! : { kind: "resume" as const };
          if (next.kind === "pause" || next.kind === "resume") {
            await bench.monitors.pause(kim, id, next.kind === "pause");
          } else if (next.kind === "budget") {
            budget = next.credits;
            await bench.monitors.update(kim, { monitorId: id, creditsPerMonth: budget });
          }
          await bench.monitors.measure(NEVER);
          bench.pass(next.kind === "month" ? MONTH_MS : HOUR_MS);
          await checkStarted();
          await Promise.all([bench.monitors.measure(NEVER), bench.monitors.measure(NEVER)]);
          const { scenes } = await bench.monitors.get(kim, id);
          isOpen = round < actions.length || scenes.some(({ status }) => status === "WAITING" || status === "RUNNING");
        }
        assert.equal(isOpen, false, "each scene ends");
        const { rows } = await sql<{ month: string; reserved: number; spent: number }>`
          select month, reserved_micro::float8 / 1e6 as reserved, spent_micro::float8 / 1e6 as spent
          from monitor_months where monitor_id = ${id} and spent_micro > 0 or reserved_micro > 0
          order by month`.execute(bench.standing.db);
        const charged = [...book.chargedByMonth]
          .filter(([, credits]) => credits > 0)
          .toSorted(([a], [b]) => (a < b ? -1 : 1));
        assert.deepEqual(
          rows,
          charged.map(([month, spent]) => ({ month, reserved: 0, spent })),
          "what each month has spent is what its pipelines were charged",
        );
      },
    ),
    { numRuns: 15, endOnFailure: true },
  );
});
