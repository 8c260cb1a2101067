import assert from "node:assert/strict";
import { test } from "node:test";
import { creditsToMicro, microToCredits } from "@swath/kernel/credits/micro";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { OrderEvent } from "@swath/kernel/tasking/order-status";
import type { Db } from "../../../platform/context.ts";
import { testDatabase } from "../../../platform/postgres/testing.ts";
import type { CreditsService } from "../../credits/service.ts";
import { verifyLedger } from "../../credits/verify/verify-ledger.ts";
import { applyOrderEvent, type AppliedOrderEvent, type EventOutcome } from "./apply-event.ts";
import { creditsOf, grantCredits, NOW_MS, owner, placedOrder } from "./testing.ts";

interface World {
  readonly db: Db;
  readonly credits: CreditsService;
  readonly apply: (orderId: string, event: OrderEvent, more?: Partial<AppliedOrderEvent>) => Promise<EventOutcome>;
  readonly remaining: () => Promise<number>;
  readonly history: (orderId: string) => ReturnType<typeof historyOf>;
}

/** Version, event, status and change of credit of each entry. */
async function historyOf(db: Db, orderId: string) {
  const rows = await db
    .selectFrom("tasking_order_history as h")
    .leftJoin("credit_transactions as t", (join) =>
      join.onRef("t.id", "=", (eb) => eb.cast("h.transaction_id", "text")),
    )
    .select(["h.version", "h.event", "h.status", "t.micro"])
    .where("h.order_id", "=", orderId)
    .orderBy("h.version")
    .execute();
  return rows.map(
    ({ version, event, status, micro }) =>
      [version, event, status, micro === null ? null : microToCredits(BigInt(micro))] as const,
  );
}

async function world(credit: number, body: (world: World) => Promise<void>): Promise<void> {
  await using database = await testDatabase();
  const { db } = database;
  const credits = creditsOf(db);
  await grantCredits(db, credits, credit);
  await body({
    db,
    credits,
    apply: (orderId, event, more) =>
      db.transaction().execute((trx) =>
        applyOrderEvent({ credits }, trx, {
          orderId,
          event,
          atMs: NOW_MS,
          reasonCode: null,
          reasonText: null,
          ...more,
        }),
      ),
    remaining: async () => (await credits.remainingCredit(owner)).remainingCredit,
    history: (orderId) => historyOf(db, orderId),
  });
  assert.deepEqual((await verifyLedger(db, AbortSignal.timeout(60_000))).differences, []);
}

function refused(code: string): (error: unknown) => boolean {
  return (error) => error instanceof ServiceError && error.code === code;
}

test("an order that is fulfilled pays for its captures, and each transition has an entry", async () => {
  await world(1000, async ({ db, credits, apply, remaining, history }) => {
    const id = await placedOrder(db, credits);
    await apply(id, "accept", { reasonCode: "ok", reasonText: "a\0b" });
    await apply(id, "start");
    const { order } = await apply(id, "fulfil", { captured: { areaKm2: 32, micro: creditsToMicro(80) } });
    assert.deepEqual([order.status, order.version], ["FULFILLED", 3]);
    assert.equal(await remaining(), 920);
    assert.deepEqual(await history(id), [
      [0, null, "RECEIVED", 100],
      [1, "accept", "PENDING", null],
      [2, "start", "IN_PROGRESS", null],
      [3, "fulfil", "FULFILLED", -20],
    ]);
    const entry = await db.selectFrom("tasking_order_history").selectAll().where("version", "=", 1).executeTakeFirst();
    assert.deepEqual([entry?.reason_code, entry?.reason_text], ["ok", "a b"]);
  });
});

test("refused, failed and expired orders get all of their credit back", async () => {
  await world(1000, async ({ db, credits, apply, remaining }) => {
    const [refusedId, failedId, expiredId] = [
      await placedOrder(db, credits),
      await placedOrder(db, credits),
      await placedOrder(db, credits),
    ];
    assert.equal(await remaining(), 700);
    assert.equal((await apply(refusedId, "refuse")).order.status, "REJECTED");
    await apply(failedId, "accept");
    assert.equal((await apply(failedId, "fail")).order.status, "FAILED");
    await apply(expiredId, "start");
    assert.equal((await apply(expiredId, "expire")).order.status, "EXPIRED");
    assert.equal(await remaining(), 1000);
  });
});

test("an order that expires pays for the captures that its contract charges", async () => {
  await world(1000, async ({ db, credits, apply, remaining }) => {
    const id = await placedOrder(db, credits);
    await apply(id, "start");
    await apply(id, "expire", { captured: { areaKm2: 10, micro: creditsToMicro(25) } });
    assert.equal(await remaining(), 975);
  });
});

test("a cancellation keeps the fee if the owner asked for it, and only after the provider accepted", async () => {
  await world(1000, async ({ db, credits, apply, remaining }) => {
    const asked = { cancel_requested_at: new Date(NOW_MS) };
    const accepted = await placedOrder(db, credits, asked);
    await apply(accepted, "accept");
    await apply(accepted, "cancel");
    assert.equal(await remaining(), 975, "a fee of 25 %");
    await apply(await placedOrder(db, credits, asked), "cancel");
    assert.equal(await remaining(), 975, "no fee before the provider accepts");
    const byProvider = await placedOrder(db, credits);
    await apply(byProvider, "accept");
    await apply(byProvider, "cancel");
    assert.equal(await remaining(), 975, "no fee for a cancellation by the provider");
  });
});

test("captures cost at most 105 % of the price, and at most the price where the credit ends", async () => {
  await world(304, async ({ db, credits, apply, remaining }) => {
    const [first, second] = [await placedOrder(db, credits), await placedOrder(db, credits)];
    await apply(first, "start");
    await apply(second, "start");
    const captured = { areaKm2: 80, micro: creditsToMicro(200) };
    await apply(first, "fulfil", { captured });
    assert.equal(await remaining(), 99);
    await placedOrder(db, credits, { price_micro: creditsToMicro(97).toString() });
    assert.equal(await remaining(), 2);
    await apply(second, "fulfil", { captured });
    assert.equal(await remaining(), 2);
  });
});

test("an event that happened changes nothing, and an illegal one is refused", async () => {
  await world(1000, async ({ db, credits, apply, remaining, history }) => {
    const id = await placedOrder(db, credits);
    await assert.rejects(apply(id, "fulfil"), refused("ILLEGAL-STATE-TRANSITION"));
    await apply(id, "accept");
    assert.equal((await apply(id, "accept")).isNew, false);
    await apply(id, "start");
    assert.equal((await apply(id, "accept")).isNew, false, "a late copy");
    await assert.rejects(apply(id, "refuse"), refused("ILLEGAL-STATE-TRANSITION"));
    await apply(id, "fulfil");
    assert.equal((await apply(id, "fulfil")).isNew, false);
    await assert.rejects(apply(id, "cancel"), refused("ILLEGAL-STATE-TRANSITION"));
    assert.equal((await history(id)).length, 4);
    assert.equal(await remaining(), 900);
    await assert.rejects(apply("00000000-0000-4000-8000-000000000000", "accept"), refused("NON-EXISTENT-ORDER"));
  });
});
