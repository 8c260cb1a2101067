import assert from "node:assert/strict";
import { test } from "node:test";
import { creditsToMicro } from "@swath/kernel/credits/micro";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import { parseSceneId } from "@swath/kernel/scenes/scene-id";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Db } from "../../../platform/context.ts";
import { recordedEvents } from "../../../platform/events/testing.ts";
import { readHold } from "../../credits/holds-store.ts";
import { verifyLedger } from "../../credits/verify/verify-ledger.ts";
import { setPrice } from "../../credits/testing.ts";
import { owner } from "../orders/testing.ts";
import { pollBench, type PollBench } from "./testing.ts";
import { readCaptures } from "./told-captures.ts";

const HOUR_MS = 3_600_000;
/** A part of the ordered area. */
const WITHIN = [153.145, -27.415, 153.155, -27.405] as const;
const idle = new AbortController().signal;

async function historyOf(db: Db, orderId: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("tasking_order_history")
    .select("status")
    .where("order_id", "=", orderId)
    .orderBy("version")
    .execute();
  return rows.map(({ status }) => status);
}

async function ingestedOf({ ingestion: { db } }: PollBench, orderId: string) {
  const captures = await readCaptures(db, orderId);
  return captures.flatMap(
    ({ ingested_scenes: scenes }) => JSON.parse(scenes) as readonly { id: string; ingestionId: string }[],
  );
}

async function assertLedgerHolds({ ingestion: { db } }: PollBench, orderIds: readonly string[]): Promise<void> {
  assert.deepEqual((await verifyLedger(db, idle)).differences, []);
  for (const orderId of orderIds) {
    assert.equal((await readHold(db, orderId))?.hold.reservedMicro, 0n, "a hold of an order that has ended");
  }
}

test("an order runs through its states until its scene is in the store of its group alone, paid once", async () => {
  await using bench = await pollBench();
  const { db, imagery } = bench.ingestion;
  const orderId = await bench.place();
  await bench.pollToEnd();
  assert.deepEqual(await historyOf(db, orderId), ["RECEIVED", "PENDING", "IN_PROGRESS", "FULFILLED"]);
  const events = await recordedEvents(db, `order:${orderId}`);
  assert.deepEqual(
    events.flatMap(({ type, data }) => (type === "order.status" ? [data["status"]] : [])),
    ["PENDING", "IN_PROGRESS", "FULFILLED"],
  );
  const ofCapture = events.filter(({ type }) => type === "capture.status").map(({ data }) => data);
  assert.equal(ofCapture.at(-1)?.["status"], "PUBLISHED");
  assert.deepEqual(
    ofCapture.at(-1)?.["sceneIds"],
    (await ingestedOf(bench, orderId)).map(({ id }) => id),
  );
  assert.ok(events.every(({ userId, groupId }) => userId === owner.userId && groupId === null));
  const [capture, ...others] = await readCaptures(db, orderId);
  assert.ok(capture !== undefined && others.length === 0);
  assert.deepEqual([capture.status, capture.fulfils, capture.foreign_scene_types], ["PUBLISHED", true, ["pleiades"]]);
  const [scene] = await ingestedOf(bench, orderId);
  assert.ok(scene !== undefined);
  assert.equal(parseSceneId(scene.id)?.dataset, "pleiades");
  const seen = await imagery.seenBy(owner).stored(scene.id);
  assert.equal(seen?.scene.satellite, (await bench.order(orderId)).offer.match(/"satellite":"([^"]+)"/u)?.[1]);
  const stranger = { ...owner, userId: "user-2", groupId: "group-2" };
  assert.equal(await imagery.seenBy(stranger).stored(scene.id), null);
  const { hold } = (await readHold(db, orderId)) ?? {};
  assert.deepEqual([hold?.state, hold?.settledMicro], ["settled", creditsToMicro(100)]);
  await setPrice(db, "pleiades", 1_000_000n);
  const check = async (by: typeof owner) =>
    (await bench.credits.checkArea(by, { sceneIds: [scene.id], geojson: boundsPolygon(WITHIN) })).cost;
  assert.equal(await check(owner), 0, "the delivered area costs nothing again");
  await assert.rejects(check(stranger), { code: "NON-EXISTING-SCENE" });
  await assertLedgerHolds(bench, [orderId]);
});

test("orders with every fault of the provider end, and each is charged once or not at all", async () => {
  const faults = { rejected: 0.2, cloudy: 0.2, late: 0.2, partial: 0.2, down: 0.2, duplicates: 0.5, reordered: 0.3 };
  await using bench = await pollBench({ faults });
  const { db } = bench.ingestion;
  const orderIds: string[] = [];
  for (let placed = 0; placed < 12; placed += 1) orderIds.push(await bench.place({ maxCloudCover: 0.99 }));
  await bench.pollToEnd();
  const statuses = new Set<string>();
  for (const orderId of orderIds) {
    const { status } = await bench.order(orderId);
    statuses.add(status);
    const history = await historyOf(db, orderId);
    assert.equal(history.at(-1), status);
    assert.equal(new Set(history).size, history.length, `${history.join(" ")} repeats a state`);
    const ingested = await ingestedOf(bench, orderId);
    assert.equal(ingested.length, status === "FULFILLED" ? 1 : 0);
    const settled = (await readHold(db, orderId))?.hold.settledMicro ?? 0n;
    assert.equal(settled > 0n, status === "FULFILLED", `${status} is charged ${settled}`);
  }
  assert.ok(statuses.has("FULFILLED") && statuses.size >= 2, [...statuses].join(" "));
  await assertLedgerHolds(bench, orderIds);
});

test("a delivery of a part is charged for the part, and the rest is returned", async () => {
  await using bench = await pollBench({ faults: { partial: 1 } });
  const orderId = await bench.place();
  await bench.pollToEnd();
  const [capture] = await readCaptures(bench.ingestion.db, orderId);
  const share = capture?.coverage_ratio ?? 1;
  assert.ok(share > 0.3 && share < 0.9);
  const { hold } = (await readHold(bench.ingestion.db, orderId)) ?? {};
  assert.ok(Math.abs(Number(hold?.settledMicro ?? 0n) / Number(creditsToMicro(100)) - share) < 1e-6);
  assert.deepEqual((await historyOf(bench.ingestion.db, orderId)).at(-1), "FULFILLED");
  await assertLedgerHolds(bench, [orderId]);
});

test("a provider that does not answer is asked again after growing pauses, which survive a restart", async () => {
  await using bench = await pollBench({ faults: { down: 1 } });
  const orderId = await bench.place();
  const pauses: number[] = [];
  for (let round = 0; round < 14; round += 1) {
    await using poller = bench.anotherPoller();
    await poller.pollDue(idle);
    const { poll_due_at: dueAt, poll_failures: failures, status } = await bench.order(orderId);
    assert.deepEqual([failures, status], [round + 1, "RECEIVED"]);
    pauses.push((dueAt?.getTime() ?? 0) - bench.clock.now().getTime());
    bench.clock.set(dueAt?.getTime() ?? 0);
  }
  assert.deepEqual(pauses.slice(0, 4), [1500, 3000, 6000, 12_000]);
  assert.equal(Math.max(...pauses), 0.75 * 30 * 60_000);
  const { ends_at: endsAt } = await bench.order(orderId);
  bench.clock.set(endsAt.getTime() + 30 * 24 * HOUR_MS);
  await bench.poller.pollDue(idle);
  assert.equal((await bench.order(orderId)).status, "FAILED", "its credit is not held for ever");
  await assertLedgerHolds(bench, [orderId]);
});

test("a provider that names a longer pause is left alone for it, and for a day at most", async () => {
  let retryAfterS = 600;
  await using bench = await pollBench({}, (provider) => ({
    ...provider,
    submit: () => Promise.reject(new ServiceError("SERVICE-UNAVAILABLE", "too many questions", { retryAfterS })),
  }));
  const orderId = await bench.place();
  const pauseS = async (): Promise<number> => {
    await bench.poller.pollDue(idle);
    const { poll_due_at: dueAt } = await bench.order(orderId);
    const pauseMs = (dueAt?.getTime() ?? 0) - bench.clock.now().getTime();
    bench.clock.set(dueAt?.getTime() ?? 0);
    return pauseMs / 1000;
  };
  assert.equal(await pauseS(), 600);
  retryAfterS = 10 * 86_400;
  assert.equal(await pauseS(), 86_400);
  retryAfterS = 0;
  assert.equal(await pauseS(), 6, "the third failure in a row");
});

test("two pollers never ask for one order at the same time, and a poller that died is replaced after its lease", async () => {
  let asking = 0;
  let most = 0;
  let polls = 0;
  await using bench = await pollBench({}, (provider) => ({
    ...provider,
    async poll(...asked) {
      asking += 1;
      polls += 1;
      most = Math.max(most, asking);
      try {
        return await provider.poll(...asked);
      } finally {
        asking -= 1;
      }
    },
  }));
  const orderId = await bench.place();
  const other = bench.anotherPoller();
  await Promise.all([bench.poller.pollDue(idle), other.pollDue(idle), bench.poller.pollDue(idle)]);
  assert.deepEqual([most, polls], [1, 1]);
  const now = bench.clock.now().getTime();
  await bench.ingestion.db
    .updateTable("tasking_orders")
    .set({ poll_claimed_until: new Date(now + 60_000), poll_due_at: new Date(now) })
    .where("id", "=", orderId)
    .execute();
  await other.pollDue(idle);
  assert.equal(polls, 1);
  bench.clock.set(now + 60_000);
  await other.pollDue(idle);
  assert.equal(polls, 2);
});

test("a slow provider has places of its own and does not hold the orders of others", async () => {
  const release = Promise.withResolvers<void>();
  await using bench = await pollBench({}, (provider) => ({
    ...provider,
    async submit(order, signal) {
      if (order.provider === "slow") await Promise.race([release.promise, aborted(signal)]);
      return await provider.submit(order, signal);
    },
  }));
  for (let placed = 0; placed < 10; placed += 1) await bench.place({}, { provider: "slow" });
  const fast = await bench.place();
  await bench.poller.startDue(idle);
  while ((await bench.order(fast)).provider_order_id === null) await bench.poller.startDue(idle);
  assert.equal((await bench.order(fast)).provider_order_id, fast);
  release.resolve();
});

test("a call that takes too long fails, and its order is asked for again later", async () => {
  await using bench = await pollBench({}, (provider) => ({
    ...provider,
    submit: (_order, signal) => aborted(signal),
  }));
  const orderId = await bench.place();
  await bench.anotherPoller({ callMs: 20 }).pollDue(idle);
  const { poll_failures: failures, poll_claimed_until: claimed } = await bench.order(orderId);
  assert.deepEqual([failures, claimed], [1, null]);
});

test("a crash between the store of the pixels and their registration leaves one scene and one charge", async () => {
  await using bench = await pollBench();
  const { ingestion: service, db } = bench.ingestion;
  const orderId = await bench.place();
  let crashes = 0;
  const crashing = bench.anotherPoller({
    ingestion: {
      async prepareDelivery(...asked) {
        const prepared = await service.prepareDelivery(...asked);
        crashes += 1;
        if (crashes < 3) throw new Error("the process dies");
        return prepared;
      },
    },
  });
  await bench.pollToEnd(crashing);
  assert.equal(crashes, 3);
  assert.equal((await ingestedOf(bench, orderId)).length, 1);
  const scenes = await db.selectFrom("scenes").select("scene_id").execute();
  assert.equal(scenes.length, 1);
  assert.deepEqual(await historyOf(db, orderId), ["RECEIVED", "PENDING", "IN_PROGRESS", "FULFILLED"]);
  await assertLedgerHolds(bench, [orderId]);
});

test("an order whose file cannot be read fails and costs nothing", async () => {
  await using bench = await pollBench({}, (provider) => ({
    ...provider,
    async poll(...asked) {
      const told = await provider.poll(...asked);
      const captures = told.captures.map((capture) =>
        capture.delivery === null ? capture : { ...capture, delivery: { ...capture.delivery, write: unreadable } },
      );
      return { ...told, captures };
    },
  }));
  const orderId = await bench.place();
  await bench.pollToEnd();
  assert.equal((await bench.order(orderId)).status, "FAILED");
  assert.equal((await readHold(bench.ingestion.db, orderId))?.hold.settledMicro, 0n);
  const events = await recordedEvents(bench.ingestion.db, `order:${orderId}`);
  assert.deepEqual(
    events.slice(-2).map(({ type, data }) => [type, data["status"]]),
    [
      ["capture.status", "FAILED"],
      ["order.status", "FAILED"],
    ],
  );
  await assertLedgerHolds(bench, [orderId]);
});

test("a wish to cancel reaches the provider, and a refused one is dropped", async () => {
  await using bench = await pollBench();
  const { db } = bench.ingestion;
  const [early, late] = [await bench.place(), await bench.place()];
  await bench.poller.pollDue(idle);
  const wish = async (orderId: string): Promise<void> => {
    const set = { cancel_requested_at: bench.clock.now(), poll_due_at: bench.clock.now() };
    await db.updateTable("tasking_orders").set(set).where("id", "=", orderId).execute();
  };
  await wish(early);
  bench.clock.set(bench.clock.now().getTime() + HOUR_MS);
  await bench.poller.pollDue(idle);
  await bench.poller.pollDue(idle);
  assert.equal((await bench.order(early)).status, "CANCELLED");
  const scheduled = (await bench.order(late)).scheduled_at?.getTime() ?? 0;
  bench.clock.set(scheduled + 60_000);
  await wish(late);
  await bench.poller.pollDue(idle);
  assert.equal((await bench.order(late)).cancel_requested_at, null);
  await bench.pollToEnd();
  assert.equal((await bench.order(late)).status, "FULFILLED");
  await assertLedgerHolds(bench, [early, late]);
});

test("a refresh asks at once, leaves files to the next round, and does not fail with its provider", async () => {
  await using bench = await pollBench();
  const orderId = await bench.place();
  await bench.poller.refreshOrder(orderId, idle);
  assert.equal((await bench.order(orderId)).provider_order_id, orderId);
  bench.clock.set(bench.clock.now().getTime() + HOUR_MS);
  await bench.poller.refreshOrder(orderId, idle);
  assert.equal((await bench.order(orderId)).status, "PENDING");
  const scheduled = (await bench.order(orderId)).scheduled_at?.getTime() ?? 0;
  bench.clock.set(scheduled + 48 * HOUR_MS);
  await bench.poller.refreshOrder(orderId, idle);
  const { status, poll_due_at: dueAt } = await bench.order(orderId);
  assert.deepEqual([status, dueAt], ["IN_PROGRESS", bench.clock.now()]);
  await bench.poller.pollDue(idle);
  assert.equal((await bench.order(orderId)).status, "FULFILLED");
  await bench.poller.refreshOrder(orderId, idle);
});

/** Never resolves; rejects when the signal aborts. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function unreadable(): Promise<never> {
  return Promise.reject(new ServiceError("SCENE-UNREADABLE", "the file is empty"));
}
