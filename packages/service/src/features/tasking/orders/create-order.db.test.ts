import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { creditsToMicro } from "@swath/kernel/credits/micro";
import { sql } from "kysely";
import { recordedEvents } from "../../../platform/events/testing.ts";
import { testCaller } from "../../credits/testing.ts";
import { refused, world } from "./orders-world-testing.ts";
import { END_MS, NOW_MS, owner, PLACE, START_MS, storedWindow, STUDIED } from "./testing.ts";

test("an order has the price of its window, which is held, and every member of the record", async () => {
  await world(1000, async ({ db, create, remaining, orders }) => {
    const windowId = await storedWindow(db);
    const order = await create(windowId, { projectName: "ports", analysisId: "a1" });
    assert.equal(await remaining(), 900);
    const { geometry, id, ...members } = order;
    assert.equal(geometry.type, "Polygon");
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.deepEqual(members, {
      name: "harbour",
      provider: "radar-multi",
      dataset: "spotlight",
      originalGeometry: PLACE,
      startTime: new Date(START_MS).toISOString(),
      endTime: new Date(END_MS).toISOString(),
      createdTime: new Date(NOW_MS).toISOString(),
      updatedTime: new Date(NOW_MS).toISOString(),
      groupId: owner.groupId,
      ownerId: owner.userId,
      status: "RECEIVED",
      taskingType: "flexible",
      isCancellable: true,
      cancellation: { feeShare: 0, cutoffHours: 12, requestedTime: null },
      price: 100,
      areaKm2: 25,
      maxCloudCover: 1,
      priority: "flexible",
      windowId,
      scheduledTime: null,
      contractId: "built-in-radar-multi",
      projectName: "ports",
      analysisId: "a1",
    });
    const { history, ...got } = await orders.get(
      owner,
      { orderId: id, dataset: "spotlight" },
      AbortSignal.timeout(5000),
    );
    assert.deepEqual(got, order);
    assert.equal(history.length, 1);
    const [entry] = await db.selectFrom("credit_transactions").selectAll().execute();
    assert.deepEqual(
      [entry?.kind, entry?.order_reference_id, entry?.id],
      ["credit.preallocate", id, history[0]?.transactionId],
    );
  });
});

test("what the provider needs is stored with the order", async () => {
  await world(1000, async ({ db, create }) => {
    await create(await storedWindow(db));
    const row = await db.selectFrom("tasking_orders").selectAll().executeTakeFirstOrThrow();
    assert.deepEqual(JSON.parse(row.offer), {
      offerId: null,
      satellite: "S-1",
      mode: "spotlight",
      computedFrom: { elements: 1 },
      window: { startMs: START_MS + 86_400_000, endMs: START_MS + 86_400_000 + 60_000 },
    });
    assert.equal(row.poll_due_at?.getTime(), NOW_MS);
  });
});

test("a user with 1,000 open orders places no other, and pays nothing for the attempt", async () => {
  await world(1000, async ({ db, create, remaining }) => {
    await create(await storedWindow(db));
    const left = await remaining();
    const { serial: _serial, ...row } = await db.selectFrom("tasking_orders").selectAll().executeTakeFirstOrThrow();
    const copies = Array.from({ length: 999 }, (_, i) => ({ ...row, id: randomUUID(), request_key: `copy ${i}` }));
    await db.insertInto("tasking_orders").values(copies).execute();
    const windowId = await storedWindow(db);
    await assert.rejects(create(windowId), refused("CONFLICT", /1000 open orders/));
    assert.equal(await remaining(), left);
    const ended = db.updateTable("tasking_orders").set({ status: "FAILED" }).where("request_key", "=", "copy 0");
    await ended.execute();
    await create(windowId);
    await db.deleteFrom("tasking_orders").where("request_key", "like", "copy %").execute();
  });
});

test("without the credit nothing is stored", async () => {
  await world(99, async ({ db, create, remaining, count }) => {
    const windowId = await storedWindow(db);
    await assert.rejects(create(windowId), refused("INSUFFICIENT-CREDIT", /costs 100 credits, the group has 99/));
    assert.equal(await count(), 0);
    assert.equal(await remaining(), 99);
  });
});

test("fifty equal requests at once make one order and charge once", async () => {
  await world(1000, async ({ db, create, remaining, count }) => {
    const windowId = await storedWindow(db);
    const orders = await Promise.all(Array.from({ length: 50 }, () => create(windowId)));
    assert.equal(new Set(orders.map(({ id }) => id)).size, 1);
    assert.equal(await count(), 1);
    const events = await recordedEvents(db, `order:${orders[0]?.id}`);
    assert.deepEqual(
      events.map(({ type, userId, data }) => [type, userId, data["status"]]),
      [["order.status", owner.userId, "RECEIVED"]],
    );
    assert.equal(await remaining(), 900);
    assert.notEqual((await create(windowId, { name: "other" })).id, orders[0]?.id);
    assert.equal(await remaining(), 800);
  });
});

test("an idempotency key returns the first order, also after its window expired, and refuses another request", async () => {
  await world(1000, async ({ db, create, remaining }) => {
    const windowId = await storedWindow(db);
    const first = await create(windowId, { idempotencyKey: "k" });
    await db
      .updateTable("tasking_windows")
      .set({ expires_at: new Date(NOW_MS) })
      .execute();
    assert.equal((await create(windowId, { idempotencyKey: "k" })).id, first.id);
    assert.equal(await remaining(), 900);
    await assert.rejects(
      create(windowId, { idempotencyKey: "k", name: "other" }),
      refused("CONFLICT", /other parameters/),
    );
  });
});

test("a window that is foreign, expired or of another request is refused, and nothing is charged", async () => {
  await world(1000, async ({ db, create, count }) => {
    const windowId = await storedWindow(db);
    const expired = await storedWindow(db, { expires_at: new Date(NOW_MS) });
    const foreign = await storedWindow(db, { group_id: "group-2", user_id: "user-2" });
    await assert.rejects(
      create(expired),
      refused("NON-EXISTENT-WINDOW", /^\/windowId: the window expired at .* ask for a new study/),
    );
    await assert.rejects(create(foreign), refused("NON-EXISTENT-WINDOW", /^\/windowId: there is no window/));
    await assert.rejects(create("nothing"), refused("NON-EXISTENT-WINDOW", /no window nothing/));
    const moved = { geometry: { type: "Point" as const, coordinates: [14.5, 50.09] as [number, number] } };
    await assert.rejects(
      create(windowId, moved),
      refused("VALIDATION-ERROR", /^\/geometry differs from the geometry of the window/),
    );
    await assert.rejects(
      create(windowId, { priority: "standard" }),
      refused("VALIDATION-ERROR", /^\/priority is standard, expected flexible/),
    );
    await assert.rejects(
      create(windowId, { dataset: "stripmap" }),
      refused("VALIDATION-ERROR", /^\/dataset is stripmap, expected spotlight/),
    );
    const late = { startTime: new Date(START_MS + 2 * 86_400_000).toISOString() };
    await assert.rejects(create(windowId, late), refused("VALIDATION-ERROR", /^\/windowId is of /));
    assert.equal(await count(), 0);
  });
});

test("a colleague may order in a window of the group, and users without a group share none", async () => {
  await world(1000, async ({ db, create }) => {
    const windowId = await storedWindow(db);
    assert.equal((await create(windowId, {}, testCaller({ userId: "user-2" }))).ownerId, "user-2");
    const alone = await storedWindow(db, { group_id: "" });
    const lonely = testCaller({ userId: "user-3", groupId: "" });
    await assert.rejects(create(alone, {}, lonely), refused("NON-EXISTENT-WINDOW", /there is no window/));
  });
});

test("the group that pays for tasking pays", async () => {
  await world(1000, async ({ db, credits, create, remaining }) => {
    await sql`
      insert into groups (id, name, created_at, updated_at) values ('treasury', 'treasury', now(), now())`.execute(db);
    await sql`
      insert into users (id, email, name, type, tasking_accounting, created_at, updated_at)
      values (${owner.userId}, 'u@example.org', 'u', 'user', 'treasury', now(), now())`.execute(db);
    await db.transaction().execute((trx) => credits.grant(trx, "treasury", creditsToMicro(150), "start"));
    const priced = (groupId: string) =>
      storedWindow(db, { parameters: JSON.stringify({ ...STUDIED, payerGroupId: groupId }) });
    const order = await create(await priced("treasury"));
    assert.deepEqual([order.groupId, await remaining()], [owner.groupId, 1000]);
    await assert.rejects(create(await priced(owner.groupId)), refused("NON-EXISTENT-WINDOW", /treasury pays/));
    await assert.rejects(create(await priced("treasury")), refused("INSUFFICIENT-CREDIT", /the group has 50/));
  });
});
