import assert from "node:assert/strict";
import { test } from "node:test";
import { testDatabase } from "../../../platform/postgres/testing.ts";
import { cancelOrder } from "../orders/cancel-order.ts";
import { readOrder } from "../orders/order-store.ts";
import { creditsOf, fixedClock, grantCredits, NOW_MS, placedOrder } from "../orders/testing.ts";
import { claimOrder, releaseClaim } from "./claim-store.ts";

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
