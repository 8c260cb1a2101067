import assert from "node:assert/strict";
import { test } from "node:test";
import type { CreateBatchRequest } from "@swath/contract/features/tasking/order-contract";
import { creditsToMicro } from "@swath/kernel/credits/micro";
import type { Db } from "../../../platform/context.ts";
import { refused, world } from "./orders-world-testing.ts";
import { END_MS, owner, START_MS, storedWindow, STUDY } from "./testing.ts";

const DAY_MS = 86_400_000;
const { name: _name, ...nameless } = STUDY;

function item(windowId: string, name?: string): CreateBatchRequest["params"][number] {
  return { ...nameless, windowId, ...(name === undefined ? {} : { name }) };
}

/** Windows of 100 credits. */
async function windows(db: Db, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push(await storedWindow(db));
  return ids;
}

test("orders of a batch are placed each for itself, and the others are named with their errors", async () => {
  await world(250, async ({ db, orders, remaining }) => {
    const [a = "", b = "", c = ""] = await windows(db, 3);
    const params = [item(a, "first"), item("none"), item(b), item(c)];
    const { batchId, successfulOrders, failedOrders } = await orders.createBatch(owner, { params, name: "ports" });
    assert.deepEqual(
      successfulOrders.map((order) => [order.name, order.windowId, order.batchId]),
      [
        ["first", a, batchId],
        ["ports", b, batchId],
      ],
    );
    assert.deepEqual(
      failedOrders.map(({ index, dataset, error }) => [index, dataset, error]),
      [
        [1, "spotlight", "NON-EXISTENT-WINDOW"],
        [3, "spotlight", "INSUFFICIENT-CREDIT"],
      ],
    );
    assert.match(failedOrders[0]?.errorMessage ?? "", /^\/params\/1\/windowId/);
    assert.equal(await remaining(), 50);
    assert.deepEqual(
      (await orders.list(owner, { batchId })).results.map(({ name }) => name),
      ["ports", "first"],
    );
  });
});

test("a repeated batch returns the same orders under the same ID and charges nothing", async () => {
  await world(1000, async ({ db, orders, remaining }) => {
    const [a = "", b = ""] = await windows(db, 2);
    const request = { params: [item(a), item(b)], name: "ports" };
    const [first, second] = await Promise.all([orders.createBatch(owner, request), orders.createBatch(owner, request)]);
    assert.deepEqual(first, second);
    assert.match(first.batchId, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.equal(await remaining(), 800);
  });
});

test("equal orders of one batch and orders without a name are refused", async () => {
  await world(1000, async ({ db, orders, count }) => {
    const [a = ""] = await windows(db, 1);
    const batch = (params: CreateBatchRequest["params"]) => orders.createBatch(owner, { params });
    await assert.rejects(
      batch([item(a, "x"), item(a, "x")]),
      refused("VALIDATION-ERROR", /^\/params\/1 equals \/params\/0/),
    );
    await assert.rejects(batch([item(a)]), refused("VALIDATION-ERROR", /^\/params\/0\/name is missing/));
    assert.equal(await count(), 0);
  });
});

test("a recurrence makes orders that many days apart, each with its own hold", async () => {
  await world(1000, async ({ db, orders, remaining }) => {
    const [a = ""] = await windows(db, 1);
    const request = { params: [item(a, "weekly")], recurrence: { days: 7, count: 4 } };
    const { batchId, successfulOrders, failedOrders } = await orders.createBatch(owner, request);
    assert.deepEqual(failedOrders, []);
    assert.deepEqual(
      successfulOrders.map((one) => [Date.parse(one.startTime), Date.parse(one.endTime), one.windowId, one.batchId]),
      [0, 1, 2, 3].map((k) => [START_MS + k * 7 * DAY_MS, END_MS + k * 7 * DAY_MS, k === 0 ? a : null, batchId]),
    );
    assert.ok(successfulOrders.every(({ recurrence }) => recurrence?.days === 7 && recurrence.count === 4));
    const holds = await db.selectFrom("credit_holds").select(["order_reference_id", "reserved_micro"]).execute();
    assert.deepEqual(
      holds.map((hold) => hold.order_reference_id).toSorted(),
      successfulOrders.map(({ id }) => id).toSorted(),
    );
    assert.equal(await remaining(), 600);
    assert.deepEqual(await orders.createBatch(owner, request), { batchId, successfulOrders, failedOrders });
    assert.equal(await remaining(), 600);
    const offers = await db.selectFrom("tasking_orders").select("offer").orderBy("serial").execute();
    const { window, offerId } = JSON.parse(offers[2]?.offer ?? "{}");
    assert.deepEqual([window.startMs, window.endMs, offerId], [START_MS + 14 * DAY_MS, END_MS + 14 * DAY_MS, null]);
  });
});

test("a recurrence is placed whole or not at all", async () => {
  await world(399, async ({ db, orders, remaining, count }) => {
    const [a = ""] = await windows(db, 1);
    const request = { params: [item(a, "weekly")], recurrence: { days: 7, count: 4 } };
    const { successfulOrders, failedOrders } = await orders.createBatch(owner, request);
    assert.deepEqual([successfulOrders, failedOrders.map(({ error }) => error)], [[], ["INSUFFICIENT-CREDIT"]]);
    assert.deepEqual([await count(), await remaining()], [0, 399]);
    const holds = await db.selectFrom("credit_holds").selectAll().execute();
    assert.equal(holds.length, 0);
  });
});

test("a recurrence needs exactly one order, and may have 52 of them", async () => {
  await world(10_000, async ({ db, orders, count }) => {
    const [a = "", b = ""] = await windows(db, 2);
    const two = { params: [item(a, "x"), item(b, "y")], recurrence: { days: 1, count: 2 } };
    await assert.rejects(
      orders.createBatch(owner, two),
      refused("VALIDATION-ERROR", /^\/recurrence needs exactly one .* 2$/),
    );
    const long = { params: [item(a, "x")], recurrence: { days: 366, count: 52 } };
    const { failedOrders } = await orders.createBatch(owner, { ...long, recurrence: { days: 366, count: 52 } });
    assert.deepEqual(failedOrders, []);
    assert.equal(await count(), 52);
    assert.equal(
      (await db.selectFrom("credit_holds").select("preallocated_micro").execute()).every(
        (hold) => BigInt(hold.preallocated_micro) === creditsToMicro(100),
      ),
      true,
    );
  });
});
