import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { creditsToMicro } from "@swath/kernel/credits/micro";
import { isTerminal, transitionOf } from "@swath/kernel/tasking/order-state";
import type { OrderEvent, OrderStatus } from "@swath/kernel/tasking/order-status";
import { createMapTypes } from "@swath/maps/registry";
import { silentLog } from "@swath/base/log/log";
import type { Db } from "../../../platform/context.ts";
import { createAreas } from "../../../platform/geometry/areas.ts";
import { testDatabase } from "../../../platform/postgres/testing.ts";
import { setClock, type SetClock } from "../../../tasking-providers/simulator/testing.ts";
import { createCreditsService } from "../../credits/service.ts";
import { readHold } from "../../credits/holds-store.ts";
import { testScene } from "../../credits/testing.ts";
import { verifyLedger } from "../../credits/verify/verify-ledger.ts";
import { createImageryService } from "../../imagery/service.ts";
import { groupKey } from "../../imagery/visibility.ts";
import { cancelOrder } from "../orders/cancel-order.ts";
import { owner, placedOrder } from "../orders/testing.ts";
import { createOrderPoller, POLLER_LIMITS, type OrderPoller, type PollerDeps } from "./poller.ts";
import { randomProvider } from "./random-provider-testing.ts";
import { readCaptures } from "./told-captures.ts";

/** Test support: many orders with two pollers that die again and again. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BATCH = 100;
const MAX_ROUNDS = 400;
const idle = new AbortController().signal;

/** A repeatable series of numbers from 0 to below 1 (mulberry32). */
function series(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Plays orders to their ends and checks each, and the ledger at last. @returns how many ended in each status */
export async function playHistories(orders: number, seed: number): Promise<ReadonlyMap<OrderStatus, number>> {
  await using database = await testDatabase();
  const { db } = database;
  const clock = setClock();
  const random = series(seed);
  const { provider } = randomProvider(clock, random);
  const imagery = createImageryService({
    areas: createAreas(),
    db,
    clock,
    thumbnails: { render: () => Promise.resolve(new Uint8Array()) },
  });
  const credits = createCreditsService({ areas: createAreas(), mapTypes: createMapTypes([]), db, clock, imagery });
  const amount = creditsToMicro(100 * orders);
  await db.transaction().execute((trx) => credits.grant(trx, owner.groupId, amount, "start", randomUUID()));
  const deps: PollerDeps = {
    ...POLLER_LIMITS,
    perProvider: 16,
    db,
    clock,
    credits,
    log: silentLog,
    taskingProviders: { providerOf: () => provider },
    random,
    onIdle: () => {},
    ingestion: {
      // Pixels are left out: their scene is registered as any other.
      async prepareDelivery({ deliveryKey, provider: of, dataset }) {
        if (random() < 0.2) throw new Error("the process dies before the transaction");
        const stored = testScene(deliveryKey.slice(0, 36), { provider: of, dataset, bounds: [14, 50, 14.1, 50.05] });
        const rights = { owner: groupKey(owner.groupId), audience: groupKey(owner.groupId) };
        return {
          sceneId: stored.scene.sceneId,
          footprint: stored.scene.footprint,
          async register(trx) {
            await imagery.register(trx, { ...stored, rights });
            if (random() < 0.1) throw new Error("the process dies within the transaction");
          },
          async discard() {},
        };
      },
    },
  };
  const ends = new Map<OrderStatus, number>();
  for (let placed = 0; placed < orders; placed += BATCH) {
    const orderIds: string[] = [];
    const createdAt = clock.now();
    const times = { starts_at: addMs(createdAt, 2 * DAY_MS), ends_at: addMs(createdAt, 9 * DAY_MS) };
    const row = { ...times, created_at: createdAt, poll_due_at: createdAt, provider: "ab", dataset: "pleiades" };
    for (let i = placed; i < Math.min(placed + BATCH, orders); i += 1) {
      orderIds.push(await placedOrder(db, credits, { ...row, id: idOf(seed, i) }));
    }
    await playBatch(deps, clock, random, orderIds);
    for (const orderId of orderIds) {
      const status = await checkedEnd(db, orderId);
      ends.set(status, (ends.get(status) ?? 0) + 1);
    }
  }
  assert.deepEqual((await verifyLedger(db, idle)).differences, []);
  return ends;
}

/** Two pollers work on the same orders; one dies in most rounds, leases are lost, and owners cancel. */
async function playBatch(
  deps: PollerDeps,
  clock: SetClock,
  random: () => number,
  orderIds: readonly string[],
): Promise<void> {
  const { db } = deps;
  const start = (): OrderPoller => createOrderPoller(deps);
  const pollers = [start(), start()];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const left = await db
      .selectFrom("tasking_orders")
      .select("id")
      .where("id", "in", orderIds)
      .where("status", "in", ["RECEIVED", "PENDING", "IN_PROGRESS"])
      .execute();
    if (left.length === 0) break;
    assert.ok(round < MAX_ROUNDS - 1, `${left.length} orders did not end`);
    clock.set(clock.now().getTime() + random() * 12 * HOUR_MS);
    const work = pollers.map((poller) => poller.pollDue(idle));
    for (const { id } of left) {
      const chance = random();
      if (chance < 0.01) await cancel(deps, clock, id);
      else if (chance < 0.03) await loseLease(db, id);
    }
    if (random() < 0.5) {
      await pollers[0]?.[Symbol.asyncDispose]();
      pollers[0] = start();
    }
    await Promise.all(work);
  }
  for (const poller of pollers) await poller[Symbol.asyncDispose]();
}

async function cancel(deps: PollerDeps, clock: SetClock, orderId: string): Promise<void> {
  try {
    await cancelOrder({ ...deps, presentOf: () => clock.now().getTime() }, orderId);
  } catch (error) {
    assert.equal((error as { readonly code?: unknown }).code, "ILLEGAL-STATE-TRANSITION");
  }
}

/** As when a process stands still for longer than its lease: another one polls the same order at the same time. */
async function loseLease(db: Db, orderId: string): Promise<void> {
  const set = { poll_claimed_until: null, poll_due_at: new Date(0) };
  await db.updateTable("tasking_orders").set(set).where("id", "=", orderId).execute();
}

/** Checks an order that has ended: its history, its captures and its credit agree. */
async function checkedEnd(db: Db, orderId: string): Promise<OrderStatus> {
  const order = await db.selectFrom("tasking_orders").selectAll().where("id", "=", orderId).executeTakeFirstOrThrow();
  const history = await db
    .selectFrom("tasking_order_history")
    .select(["event", "status"])
    .where("order_id", "=", orderId)
    .orderBy("version")
    .execute();
  let status: OrderStatus = "RECEIVED";
  for (const entry of history.slice(1)) {
    const transition = transitionOf(status, entry.event as OrderEvent);
    assert.equal(transition?.to, entry.status, `${orderId}: ${entry.event} after ${status}`);
    status = transition?.to ?? status;
  }
  assert.equal(order.status, status, "the history ends in the status");
  assert.ok(isTerminal(status));
  const hold = (await readHold(db, orderId))?.hold;
  assert.equal(hold?.reservedMicro, 0n, `${orderId} is ${status} and holds credit`);
  const delivered = (await readCaptures(db, orderId)).filter(({ ingested_scenes: scenes }) => scenes !== "[]");
  assert.equal(delivered.length, status === "FULFILLED" ? 1 : 0, `${orderId} is ${status}`);
  const charges = await db
    .selectFrom("credit_transactions")
    .select(["kind", "micro"])
    .where("order_reference_id", "=", orderId)
    .execute();
  const paid = charges.reduce((sum, { micro }) => sum + BigInt(micro), 0n);
  assert.equal(paid, hold?.settledMicro, `${orderId}: the log sums to the charge`);
  assert.equal(charges.filter(({ kind }) => kind === "credit.preallocate").length, 1);
  if (status !== "FULFILLED" && status !== "CANCELLED") assert.equal(paid, 0n, `${orderId} is ${status} and charged`);
  return status;
}

function addMs(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms);
}

/** A UUID that follows from seed and number, so that a run can be repeated. */
function idOf(seed: number, index: number): string {
  return `${hex(seed, 8)}-0000-4000-8000-${hex(index, 12)}`;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0").slice(-digits);
}
