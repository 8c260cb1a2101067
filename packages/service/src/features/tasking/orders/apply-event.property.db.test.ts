import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { silentLog } from "@swath/base/log/log";
import { creditsToMicro, microToCredits } from "@swath/kernel/credits/micro";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { ORDER_EVENTS, type OrderEvent, type OrderStatus } from "@swath/kernel/tasking/order-status";
import { isTerminal, PLACED_STATUS, transitionOf } from "@swath/kernel/tasking/order-state";
import { cappedCharge } from "@swath/kernel/tasking/captured-price";
import { sql } from "kysely";
import type { Db } from "../../../platform/context.ts";
import { openPool } from "../../../platform/postgres/pool.ts";
import { testDatabase } from "../../../platform/postgres/testing.ts";
import type { CreditsService } from "../../credits/service.ts";
import { verifyLedger } from "../../credits/verify/verify-ledger.ts";
import { applyOrderEvent } from "./apply-event.ts";
import { readHistory } from "./order-history-store.ts";
import { readOrder } from "./order-store.ts";
import { creditsOf, grantCredits, NOW_MS, owner, placedOrder } from "./testing.ts";

const PRICE = creditsToMicro(100);
const FEE = 0.25;
const GRANT = 1_000_000;

interface Drawn {
  readonly events: readonly OrderEvent[];
  readonly capturedPercent: number;
  readonly isCancelWanted: boolean;
}

// The events of most lives come in this order; strays and repetitions are put between them.
const lives: fc.Arbitrary<readonly OrderEvent[]> = fc.constantFrom(
  ["accept", "start", "fulfil"],
  ["accept", "start", "expire"],
  ["accept", "cancel"],
  ["start", "cancel"],
  ["refuse"],
  ["accept", "start", "fail"],
);
const drawn: fc.Arbitrary<Drawn> = fc.record({
  events: fc
    .tuple(lives, fc.array(fc.tuple(fc.nat(5), fc.constantFrom(...ORDER_EVENTS)), { maxLength: 5 }))
    .map(([life, strays]) => strays.reduce((events, [at, event]) => events.toSpliced(at, 0, event), [...life])),
  capturedPercent: fc.nat(150),
  isCancelWanted: fc.boolean(),
});

/** Applies all events and counts the ones that were new; illegal ones are refused. */
async function play(db: Db, credits: CreditsService, orderId: string, life: Drawn): Promise<number> {
  let applied = 0;
  const micro = (PRICE * BigInt(life.capturedPercent)) / 100n;
  for (const event of life.events) {
    try {
      const { isNew } = await db.transaction().execute((trx) =>
        applyOrderEvent({ credits }, trx, {
          orderId,
          event,
          atMs: NOW_MS,
          reasonCode: null,
          reasonText: null,
          captured: { areaKm2: 30, micro },
        }),
      );
      if (isNew) applied += 1;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== "ILLEGAL-STATE-TRANSITION") throw error;
    }
  }
  return applied;
}

/** The cost of an order by its history alone. */
function costOf(history: readonly (OrderEvent | null)[], { capturedPercent, isCancelWanted }: Drawn): bigint {
  const last = history.at(-1) ?? null;
  if (last === "fulfil" || last === "expire") return cappedCharge(PRICE, (PRICE * BigInt(capturedPercent)) / 100n);
  if (last === "refuse" || last === "fail") return 0n;
  const isAccepted = history.length > 2;
  if (last === "cancel") return isCancelWanted && isAccepted ? BigInt(Number(PRICE) * FEE) : 0n;
  return PRICE;
}

async function assertConsistent(db: Db, orderId: string, life: Drawn, applied: number): Promise<bigint> {
  const order = await readOrder(db, orderId);
  const history = await readHistory(db, orderId);
  assert.ok(order !== null);
  assert.deepEqual(
    history.map(({ version }) => version),
    history.map((_, index) => index),
  );
  assert.equal(history.length, applied + 1, "each event is applied by one of the two");
  let status: OrderStatus = PLACED_STATUS;
  for (const entry of history.slice(1)) {
    const transition = entry.event === null ? null : transitionOf(status, entry.event);
    assert.ok(transition !== null && transition.to === entry.status, `${status} ${entry.event} ${entry.status}`);
    status = transition.to;
    assert.ok(transition.credit !== "none" || entry.transactionId === null);
  }
  assert.deepEqual([order.status, order.version], [status, history.length - 1]);
  const cost = costOf(
    history.map(({ event }) => event),
    life,
  );
  const { rows } = await sql<{ paid: string; reserved: string; state: string }>`
    select (select sum(micro)::text from credit_transactions where order_reference_id = ${orderId}) as paid,
      reserved_micro::text as reserved, state
    from credit_holds where order_reference_id = ${orderId}`.execute(db);
  assert.equal(BigInt(rows[0]?.paid ?? 0), cost, history.map(({ event }) => event).join());
  assert.equal(rows[0]?.reserved, isTerminal(status) ? "0" : PRICE.toString());
  assert.equal(rows[0]?.state === "held", !isTerminal(status));
  return cost;
}

test("two processes that apply random events to the same orders agree on status, history, holds and balance", async () => {
  await using database = await testDatabase();
  const { db } = database;
  await using other = openPool({ url: database.url, maxConnections: 4, statementTimeoutMs: 60_000, log: silentLog });
  const [credits, otherCredits] = [creditsOf(db), creditsOf(other.db)];
  await grantCredits(db, credits, GRANT);
  const ends = new Set<string>();
  let spent = 0n;
  await fc.assert(
    fc.asyncProperty(fc.array(drawn, { minLength: 1, maxLength: 4 }), async (played) => {
      const costs = await Promise.all(
        played.map(async (life) => {
          const wanted = life.isCancelWanted ? { cancel_requested_at: new Date(NOW_MS) } : {};
          const orderId = await placedOrder(db, credits, { ...wanted, cancel_fee_share: FEE });
          const applied = await Promise.all([
            play(db, credits, orderId, life),
            play(other.db, otherCredits, orderId, life),
          ]);
          ends.add((await readOrder(db, orderId))?.status ?? "");
          return await assertConsistent(db, orderId, life, applied[0] + applied[1]);
        }),
      );
      spent = costs.reduce((sum, cost) => sum + cost, spent);
      const { remainingCredit } = await credits.remainingCredit(owner);
      assert.equal(remainingCredit, microToCredits(creditsToMicro(GRANT) - spent));
    }),
    { numRuns: 40, endOnFailure: true, seed: 20 },
  );
  assert.ok(ends.size >= 5, [...ends].join());
  assert.deepEqual((await verifyLedger(db, AbortSignal.timeout(60_000))).differences, []);
});
