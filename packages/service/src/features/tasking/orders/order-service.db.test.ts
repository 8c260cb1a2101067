import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { sql } from "kysely";
import type { Order } from "@swath/contract/features/tasking/order-contract";
import type { Caller, Db } from "../../../platform/context.ts";
import { testCaller } from "../../credits/testing.ts";
import { applyOrderEvent } from "./apply-event.ts";
import { refused, world } from "./orders-world-testing.ts";
import { NOW_MS, ordersOf, owner, placedOrder, START_MS } from "./testing.ts";

const HOUR_MS = 3_600_000;
const signal = AbortSignal.timeout(600_000);

/** Groups g1 and g2 of the organisation acme, g3 alone; a user of each, one of whom manages g1. */
async function people(db: Db): Promise<Readonly<Record<"colleague" | "manager" | "head" | "other" | "admin", Caller>>> {
  await sql`insert into organizations (id, name, created_at, updated_at) values ('acme', 'acme', now(), now())`.execute(
    db,
  );
  await sql`
    insert into groups (id, name, organization_id, created_at, updated_at) values
      ('group-1', 'one', 'acme', now(), now()), ('group-2', 'two', 'acme', now(), now()),
      ('group-3', 'three', null, now(), now())`.execute(db);
  const person = async (id: string, groupId: string, isManager = false, permissions: readonly string[] = []) => {
    await sql`
      insert into users (id, email, name, type, created_at, updated_at)
      values (${id}, ${`${id}@example.org`}, ${id}, 'user', now(), now())`.execute(db);
    await sql`
      insert into group_members (user_id, group_id, position, is_manager)
      values (${id}, ${groupId}, 0, ${isManager})`.execute(db);
    return testCaller({ userId: id, groupId, permissions: new Set(permissions) });
  };
  return {
    colleague: await person("colleague", "group-1"),
    manager: await person("manager", "group-1", true),
    head: await person("head", "group-2", false, ["organization"]),
    other: await person("other", "group-3", true, ["organization"]),
    admin: await person("admin", "group-3", false, ["admin"]),
  };
}

test("owner, manager, head of the organisation and administrator reach an order, for others it does not exist", async () => {
  await world(1000, async ({ db, credits, orders }) => {
    const { colleague, manager, head, other, admin } = await people(db);
    const orderId = await placedOrder(db, credits);
    const unknown = randomUUID();
    for (const caller of [owner, manager, head, admin]) {
      assert.equal((await orders.get(caller, { orderId }, signal)).id, orderId);
      assert.deepEqual(
        (await orders.list(caller, {})).results.map(({ id }) => id),
        [orderId],
      );
      assert.deepEqual((await orders.listCaptures(caller, { orderId }, signal)).results, []);
    }
    for (const caller of [colleague, other]) {
      assert.deepEqual((await orders.list(caller, {})).results, []);
      const asks = [
        (id: string) => orders.get(caller, { orderId: id }, signal),
        (id: string) => orders.listCaptures(caller, { orderId: id }, signal),
        (id: string) => orders.cancel(caller, { orderId: id }, signal),
      ];
      for (const ask of asks) {
        const told = await Promise.all(
          [orderId, unknown].map((id) => ask(id).catch((error: Error) => error.message.replace(id, "ID"))),
        );
        assert.deepEqual(told, ["There is no order ID", "There is no order ID"]);
      }
    }
    const reader = { ...head, permissions: new Set(["organization.tasking.read-orders"]) };
    assert.equal((await orders.get(reader, { orderId }, signal)).id, orderId);
    await assert.rejects(orders.cancel(reader, { orderId }, signal), refused("NON-EXISTENT-ORDER", /./));
    assert.equal((await orders.cancel(manager, { orderId }, signal)).status, "CANCELLED");
  });
});

test("an order is found under its dataset, and not under another", async () => {
  await world(1000, async ({ db, credits, orders }) => {
    const orderId = await placedOrder(db, credits, { provider: "radar-multi" });
    assert.equal((await orders.get(owner, { orderId, dataset: "spotlight" }, signal)).dataset, "spotlight");
    await assert.rejects(
      orders.get(owner, { orderId, dataset: "stripmap" }, signal),
      refused("NON-EXISTENT-ORDER", /./),
    );
  });
});

test("pages of a list hold every order once, newest first, while new ones are placed", async () => {
  await world(1000, async ({ db, credits, orders }) => {
    const placed: string[] = [];
    for (let index = 0; index < 7; index += 1) placed.push(await placedOrder(db, credits, { price_micro: "0" }));
    const seen: string[] = [];
    let cursor: number | null = null;
    do {
      const page: { results: Order[]; cursor: number | null } = await orders.list(owner, {
        limit: 3,
        ...(cursor === null ? {} : { cursor }),
      });
      seen.push(...page.results.map(({ id }) => id));
      cursor = page.cursor;
      await placedOrder(db, credits, { price_micro: "0" });
    } while (cursor !== null);
    assert.deepEqual(seen, placed.toReversed());
  });
});

test("each filter of a list leaves out what it should, the start inclusive and the end exclusive", async () => {
  await world(1000, async ({ db, credits, orders }) => {
    const batchId = randomUUID();
    const later = { starts_at: new Date(START_MS + HOUR_MS), price_micro: "0" };
    const first = await placedOrder(db, credits, { provider: "radar-multi", batch_id: batchId, price_micro: "0" });
    const second = await placedOrder(db, credits, { ...later, provider: "radar-multi", dataset: "stripmap" });
    await db.transaction().execute((trx) =>
      applyOrderEvent({ credits }, trx, {
        orderId: second,
        event: "accept",
        atMs: NOW_MS,
        reasonCode: null,
        reasonText: null,
      }),
    );
    const ids = async (filter: Parameters<typeof orders.list>[1]) =>
      (await orders.list(owner, filter)).results.map(({ id }) => id);
    assert.deepEqual(await ids({ batchId }), [first]);
    assert.deepEqual(await ids({ status: "PENDING" }), [second]);
    assert.deepEqual(await ids({ dataset: "stripmap" }), [second]);
    assert.deepEqual(await ids({ dataset: "nothing" }), []);
    const [start, end] = [START_MS, START_MS + HOUR_MS].map((ms) => new Date(ms).toISOString());
    assert.ok(start !== undefined && end !== undefined);
    assert.deepEqual(await ids({ startTime: start, endTime: end }), [first]);
    assert.deepEqual(await ids({ startTime: end }), [second]);
    assert.deepEqual(await ids({ endTime: end }), [first]);
    await assert.rejects(ids({ startTime: end, endTime: start }), refused("VALIDATION-ERROR", /^\/endTime/));
    await assert.rejects(ids({ startTime: "2026-02-30" }), refused("VALIDATION-ERROR", /no day of the calendar/));
  });
});

async function storedCapture(db: Db, orderId: string, index: number, status: string): Promise<void> {
  const at = new Date(NOW_MS + index);
  await db
    .insertInto("tasking_captures")
    .values({
      id: randomUUID(),
      order_id: orderId,
      provider_capture_id: `c${index}`,
      status,
      strip_id: `strip-${index}`,
      foreign_scene_types: ["GRD"],
      ingested_scenes: JSON.stringify([{ id: "s", ingestionId: "p", ingestionTime: at.toISOString() }]),
      captured_at: at,
      created_at: at,
      updated_at: at,
    })
    .execute();
}

test("captures are listed oldest first in pages, without the ones that are only planned", async () => {
  await world(1000, async ({ db, credits, orders }) => {
    const orderId = await placedOrder(db, credits);
    const statuses = ["SCHEDULED", "QUEUED", "PUBLISHED", "FAILED"];
    for (const [index, status] of statuses.entries()) await storedCapture(db, orderId, index, status);
    await storedCapture(db, await placedOrder(db, credits), 9, "QUEUED");
    const first = await orders.listCaptures(owner, { orderId, limit: 2 }, signal);
    assert.deepEqual(
      first.results.map(({ status }) => status),
      ["QUEUED", "PUBLISHED"],
    );
    assert.ok(first.cursor !== null);
    const rest = await orders.listCaptures(owner, { orderId, limit: 2, cursor: first.cursor }, signal);
    assert.deepEqual([rest.results.map(({ status }) => status), rest.cursor], [["FAILED"], null]);
    const { id: _id, ...capture } = first.results[1] ?? assert.fail("two captures");
    const at = new Date(NOW_MS + 2).toISOString();
    assert.deepEqual(capture, {
      orderId,
      createTime: at,
      updateTime: at,
      status: "PUBLISHED",
      stripId: "strip-2",
      foreignSceneTypes: ["GRD"],
      ingestedScenes: [{ id: "s", ingestionId: "p", ingestionTime: at }],
      captureTime: at,
      cloudCover: null,
      coverageRatio: null,
      offNadir: null,
      fulfils: null,
    });
  });
});

test("an order that no provider has is cancelled at once and costs nothing, however often it is asked", async () => {
  await world(1000, async ({ db, credits, orders, remaining }) => {
    const orderId = await placedOrder(db, credits);
    const answers = await Promise.all(Array.from({ length: 10 }, () => orders.cancel(owner, { orderId }, signal)));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], ["CANCELLED"]);
    assert.equal(await remaining(), 1000);
    const { history } = await orders.get(owner, { orderId }, signal);
    assert.deepEqual(
      history.map(({ event, status, reasonCode }) => [event, status, reasonCode]),
      [
        [null, "RECEIVED", null],
        ["cancel", "CANCELLED", "user_cancelled"],
      ],
    );
  });
});

test("an order that a provider has is cancelled when the provider confirms", async () => {
  await world(1000, async ({ db, credits, remaining }) => {
    const orderId = await placedOrder(db, credits, { provider_order_id: "theirs" });
    const event = { orderId, atMs: NOW_MS, reasonCode: null, reasonText: null };
    await db.transaction().execute((trx) => applyOrderEvent({ credits }, trx, { ...event, event: "accept" }));
    let asked = 0;
    const silent = ordersOf(db, credits, { refresh: async () => void (asked += 1) });
    const waiting = await silent.cancel(owner, { orderId }, signal);
    assert.deepEqual([waiting.status, waiting.isCancellable, asked], ["PENDING", false, 1]);
    assert.equal(waiting.cancellation.requestedTime, new Date(NOW_MS).toISOString());
    const row = await db.selectFrom("tasking_orders").select("poll_due_at").executeTakeFirst();
    assert.equal(row?.poll_due_at?.getTime(), NOW_MS);
    const confirming = ordersOf(db, credits, {
      refresh: async () =>
        void (await db
          .transaction()
          .execute((trx) => applyOrderEvent({ credits }, trx, { ...event, event: "cancel" }))),
    });
    assert.equal((await confirming.cancel(owner, { orderId }, signal)).status, "CANCELLED");
    assert.equal(await remaining(), 975, "a fee of 25 %");
  });
});

test("an order whose sending was cut short is left to the provider to confirm", async () => {
  await world(1000, async ({ db, credits, orders }) => {
    const failed = await placedOrder(db, credits, { poll_failures: 1 });
    const claimed = await placedOrder(db, credits, { poll_claimed_until: new Date(NOW_MS - 1) });
    for (const orderId of [failed, claimed]) {
      const { status, cancellation } = await orders.cancel(owner, { orderId }, signal);
      assert.equal(status, "RECEIVED");
      assert.notEqual(cancellation.requestedTime, null);
    }
  });
});

test("a cancellation after the cut-off, of an imaged order and of one that is over is refused", async () => {
  await world(1000, async ({ db, credits, orders }) => {
    const soon = await placedOrder(db, credits, { scheduled_at: new Date(NOW_MS + 24 * HOUR_MS) });
    const cancel = (orderId: string) => orders.cancel(owner, { orderId }, signal);
    await assert.rejects(cancel(soon), refused("ILLEGAL-STATE-TRANSITION", /planned at .*the cut-off is 24 h before/));
    assert.equal((await orders.get(owner, { orderId: soon }, signal)).isCancellable, false);
    const later = await placedOrder(db, credits, { scheduled_at: new Date(NOW_MS + 24 * HOUR_MS + 1) });
    assert.equal((await cancel(later)).status, "CANCELLED");
    const imaged = await placedOrder(db, credits);
    await storedCapture(db, imaged, 0, "PROCESSING");
    await assert.rejects(cancel(imaged), refused("ILLEGAL-STATE-TRANSITION", /no capture may be in work/));
    const over = await placedOrder(db, credits);
    const event = { orderId: over, event: "refuse" as const, atMs: NOW_MS, reasonCode: null, reasonText: null };
    await db.transaction().execute((trx) => applyOrderEvent({ credits }, trx, event));
    await assert.rejects(cancel(over), refused("ILLEGAL-STATE-TRANSITION", /is REJECTED/));
  });
});

test("forceRefresh asks the provider for open orders only", async () => {
  await world(1000, async ({ db, credits }) => {
    const asked: string[] = [];
    const orders = ordersOf(db, credits, { refresh: async (id) => void asked.push(id) });
    const orderId = await placedOrder(db, credits);
    await orders.get(owner, { orderId }, signal);
    await orders.get(owner, { orderId, forceRefresh: true }, signal);
    await orders.listCaptures(owner, { orderId, forceRefresh: true }, signal);
    await orders.cancel(owner, { orderId }, signal);
    await orders.get(owner, { orderId, forceRefresh: true }, signal);
    assert.deepEqual(asked, [orderId, orderId]);
  });
});
