import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { testDatabase } from "../../../platform/postgres/testing.ts";
import { cancelOrder } from "../orders/cancel-order.ts";
import { readOrder } from "../orders/order-store.ts";
import { creditsOf, fixedClock, grantCredits, NOW_MS, placedOrder } from "../orders/testing.ts";
import { claimDue, claimOrder, releaseClaim } from "./claim-store.ts";

test("a cancellation that is wanted during a question is due when the question ends, and only once", async () => {
  await using database = await testDatabase();
  const { db } = database;
  const credits = creditsOf(db);
  await grantCredits(db, credits, 1000);
  const orderId = await placedOrder(db, credits);
  const [now, until, later] = [NOW_MS, NOW_MS + 60_000, NOW_MS + 3_600_000].map((ms) => new Date(ms));
  assert.ok(now !== undefined && until !== undefined && later !== undefined);
  const question = async (during: () => Promise<void>) => {
    const claim = await claimOrder(db, orderId, { now, until });
    assert.ok(claim !== null);
    await during();
    await releaseClaim(db, claim, { dueAt: later, failures: 0 });
    return (await readOrder(db, orderId))?.poll_due_at?.getTime();
  };
  assert.equal(await question(async () => {}), later.getTime());
  const wish = () => cancelOrder({ db, clock: fixedClock, credits, presentOf: () => NOW_MS }, orderId);
  assert.equal(await question(wish), NOW_MS);
  assert.equal(await question(async () => {}), later.getTime());
});

function due(minutes: number): Date {
  return new Date(NOW_MS - 3_600_000 + minutes * 60_000);
}

test("the due orders of one owner hold no other: owners take turns", async () => {
  await using database = await testDatabase();
  const { db } = database;
  const credits = creditsOf(db);
  await grantCredits(db, credits, 1000);
  const first = await placedOrder(db, credits);
  const { serial: _serial, ...row } = await db.selectFrom("tasking_orders").selectAll().executeTakeFirstOrThrow();
  const { provider } = row;
  const copy = (owner: string, minutes: number, key: string) => ({
    ...row,
    id: randomUUID(),
    owner_id: owner,
    request_key: key,
    poll_due_at: due(minutes),
  });
  await db
    .updateTable("tasking_orders")
    .set({ poll_due_at: due(0) })
    .where("id", "=", first)
    .execute();
  const many = Array.from({ length: 50 }, (_, i) => copy(row.owner_id, 1, `many ${i}`));
  const other = copy("another owner", 30, "other");
  await db
    .insertInto("tasking_orders")
    .values([...many, other])
    .execute();
  const times = { now: new Date(NOW_MS), until: new Date(NOW_MS + 60_000) };
  const claimed = await claimDue(db, provider, 2, times);
  assert.deepEqual(new Set(claimed.map(({ order }) => order.id)), new Set([first, other.id]));
  const [a, b] = await Promise.all([claimDue(db, provider, 8, times), claimDue(db, provider, 8, times)]);
  const ids = [...a, ...b].map(({ order }) => order.id);
  assert.equal(new Set(ids).size, ids.length);
});
