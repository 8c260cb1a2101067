import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileSource } from "@swath/raster/tiff/byte-sources";
import { openTiff } from "@swath/raster/tiff/open";
import { testDatabase } from "../../platform/postgres/testing.ts";
import type { OrderProgress, SubmittedOrder, TaskingProvider } from "../tasking-provider.ts";
import { setClock, testOrder, testRequest, testSimulator, type SetClock } from "./testing.ts";

const HOUR_MS = 3_600_000;
const idle = new AbortController().signal;

/** Asks whenever the provider says that asking is worth it, until the order has ended. */
async function pollToEnd(
  provider: TaskingProvider,
  clock: SetClock,
  order: SubmittedOrder,
): Promise<readonly OrderProgress[]> {
  const told: OrderProgress[] = [];
  for (let polls = 0; polls < 200; polls += 1) {
    const progress = await provider.poll(order, order.orderId, idle);
    told.push(progress);
    if (progress.state !== "received" && progress.state !== "accepted") return told;
    assert.ok(progress.askAgainMs > clock.now().getTime(), "asks for a question in the past");
    clock.set(progress.askAgainMs);
  }
  throw new Error("the order did not end in 200 answers");
}

async function placed(provider: TaskingProvider, members: Partial<SubmittedOrder> = {}): Promise<SubmittedOrder> {
  const order = await testOrder(provider, members);
  await provider.submit(order, idle);
  return order;
}

test("an order is accepted, imaged in the chosen pass and published, and its picture lies at the ordered place", async () => {
  await using database = await testDatabase();
  const clock = setClock();
  await using provider = testSimulator(database.db, clock, { megapixels: 0.05 });
  const order = await placed(provider);
  const told = await pollToEnd(provider, clock, order);
  assert.deepEqual([...new Set(told.map(({ state }) => state))], ["received", "accepted", "completed"]);
  const statuses = told.flatMap(({ captures }) => captures.map(({ status }) => status));
  assert.deepEqual([...new Set(statuses)], ["SCHEDULED", "QUEUED", "PROCESSING", "PUBLISHED"]);
  const [capture] = told.at(-1)?.captures ?? [];
  assert.ok(capture !== undefined && capture.delivery !== null);
  assert.ok(capture.atMs >= order.window.startMs && capture.atMs <= order.window.endMs);
  assert.ok(capture.coverageRatio !== null && capture.coverageRatio > 0.99);
  assert.ok(capture.offNadirDeg !== null && capture.offNadirDeg <= 30);
  const folder = await mkdtemp(join(tmpdir(), "rehearsal-"));
  try {
    await capture.delivery.write(folder, idle);
    await using source = await fileSource(join(folder, capture.delivery.name), capture.delivery.name);
    await using raster = await openTiff(source);
    assert.equal(raster.crs?.epsg, 32_756);
    assert.equal(raster.bands.length, 4);
    const [first] = await raster.readRows(Math.floor(raster.heightPx / 2), 1, idle);
    assert.ok((first?.[Math.floor(raster.widthPx / 2)] ?? 0) > 0);
  } finally {
    await rm(folder, { recursive: true });
  }
  assert.equal(capture.delivery.document?.["satellite"], order.offer.satellite);
  assert.equal(
    Date.parse(`${String(capture.delivery.document?.["datetime"]).replace(" ", "T")}Z`),
    Math.floor(capture.atMs / 1000) * 1000,
  );
});

test("the course of an order is the same after a restart, and at any speed of its clock", async () => {
  await using database = await testDatabase();
  const clock = setClock();
  await using slow = testSimulator(database.db, clock);
  const order = await placed(slow);
  const [first] = (await pollToEnd(slow, clock, order)).at(-1)?.captures ?? [];
  await using again = testSimulator(database.db, clock);
  const [repeated] = (await again.poll(order, order.orderId, idle)).captures;
  assert.deepEqual({ ...repeated, delivery: null }, { ...first, delivery: null });

  await using other = await testDatabase();
  const fastClock = setClock();
  await using fast = testSimulator(other.db, fastClock, { speed: 86_400 });
  await fast.submit(order, idle);
  const told = await pollToEnd(fast, fastClock, order);
  assert.deepEqual({ ...told.at(-1)?.captures[0], delivery: null }, { ...first, delivery: null });
  assert.ok(fastClock.now().getTime() - order.createdMs < 60_000, "two weeks pass within a minute");
});

test("two orders of one pass are imaged a setup gap apart, and a third with a tier takes the pass of a flexible one", async () => {
  await using database = await testDatabase();
  const clock = setClock();
  await using provider = testSimulator(database.db, clock, {}, ["radar-multi", "spotlight"]);
  const members = { provider: "radar-multi", dataset: "spotlight" };
  const flexible = await placed(provider, { ...members, priority: "flexible" });
  const standard = await placed(provider, { ...members, priority: "standard" });
  clock.set(flexible.createdMs + HOUR_MS);
  const before = await provider.poll(flexible, flexible.orderId, idle);
  assert.equal(before.captures[0]?.status, "SCHEDULED");
  const winner = await provider.poll(standard, standard.orderId, idle);
  assert.equal(winner.scheduledMs, before.scheduledMs);
  const after = await provider.poll(flexible, flexible.orderId, idle);
  assert.deepEqual(
    after.captures.map(({ status }) => status),
    ["CANCELLED", "SCHEDULED"],
  );
  assert.ok(after.scheduledMs !== null && Math.abs(after.scheduledMs - (winner.scheduledMs ?? 0)) >= 30_000);
});

test("an optical satellite turns to a second target of the same pass after its setup gap", async () => {
  await using database = await testDatabase();
  const clock = setClock();
  await using provider = testSimulator(database.db, clock);
  const windows = await provider.feasibility(testRequest(), idle);
  const [longest] = windows.toSorted((a, b) => b.endMs - b.startMs - (a.endMs - a.startMs));
  assert.ok(longest !== undefined && longest.endMs - longest.startMs > 70_000);
  const { startMs, endMs, satellite, mode, computedFrom, offerId } = longest;
  const members = { window: { startMs, endMs }, offer: { satellite, mode, computedFrom, offerId } };
  const orders = [await placed(provider, members), await placed(provider, members), await placed(provider, members)];
  clock.set(orders[0]!.createdMs + HOUR_MS);
  const moments: number[] = [];
  for (const order of orders) moments.push((await provider.poll(order, order.orderId, idle)).scheduledMs ?? 0);
  const [a = 0, b = 0, c = 0] = moments.toSorted((x, y) => x - y);
  assert.ok(b - a >= 30_000 && c - b >= 30_000, moments.join(" "));
  assert.ok(c - a < 10 * 60_000, "all are imaged in the same pass");
});

test("an assured order whose pass is taken by another is refused, and never imaged in another pass", async () => {
  await using database = await testDatabase();
  const clock = setClock();
  await using provider = testSimulator(database.db, clock, {}, ["radar-multi", "spotlight"]);
  const members = { provider: "radar-multi", dataset: "spotlight", priority: "assured" };
  const [first, second] = [await placed(provider, members), await placed(provider, members)];
  clock.set(first.createdMs + HOUR_MS);
  assert.equal((await provider.poll(first, first.orderId, idle)).state, "accepted");
  const { state, reasonCode } = await provider.poll(second, second.orderId, idle);
  assert.deepEqual([state, reasonCode], ["refused", "competition"]);
});

for (const [fault, state, reason] of [
  ["rejected", "refused", "competition"],
  ["cloudy", "expired", "cloud_cover"],
  ["partial", "completed", "partial_delivery"],
] as const) {
  test(`with the fault ${fault} an order is ${state}`, async () => {
    await using database = await testDatabase();
    const clock = setClock();
    await using provider = testSimulator(database.db, clock, { faults: { [fault]: 1 } });
    const order = await placed(provider, { maxCloudCover: 0.99 });
    const last = (await pollToEnd(provider, clock, order)).at(-1);
    assert.deepEqual([last?.state, last?.reasonCode], [state, reason]);
    const delivered = last?.captures.filter(({ delivery }) => delivery !== null) ?? [];
    assert.equal(delivered.length, fault === "partial" ? 1 : 0);
    if (fault === "partial") assert.ok((delivered[0]?.coverageRatio ?? 1) < 0.9);
  });
}

test("a late order is published three days later, and old or repeated answers name the same captures", async () => {
  await using database = await testDatabase();
  const clock = setClock();
  await using provider = testSimulator(database.db, clock, { faults: { late: 1, duplicates: 1, reordered: 0.5 } });
  const order = await placed(provider);
  const told = await pollToEnd(provider, clock, order);
  const captures = told.at(-1)?.captures ?? [];
  assert.equal(captures.length, 2);
  assert.equal(new Set(captures.map(({ captureId }) => captureId)).size, 1);
  assert.ok(clock.now().getTime() >= (captures[0]?.atMs ?? 0) + 72 * HOUR_MS);
});

test("a provider that is down fails as unavailable, and answers in other hours", async () => {
  await using database = await testDatabase();
  const clock = setClock();
  await using provider = testSimulator(database.db, clock, { faults: { down: 0.5 } });
  const order = await testOrder(provider);
  let down = 0;
  for (let hour = 0; hour < 40; hour += 1) {
    clock.set(order.createdMs + hour * HOUR_MS);
    try {
      await provider.submit(order, idle);
    } catch (error) {
      assert.equal((error as { code?: string }).code, "SERVICE-UNAVAILABLE");
      down += 1;
    }
  }
  assert.ok(down > 5 && down < 35, `down in ${down} of 40 hours`);
});

test("an order that is cancelled before the provider has decided on it is told as cancelled at once", async () => {
  await using database = await testDatabase();
  const clock = setClock();
  await using provider = testSimulator(database.db, clock);
  const order = await placed(provider);
  assert.equal((await provider.poll(order, order.orderId, idle)).state, "received");
  await provider.cancel(order, order.orderId, idle);
  assert.equal((await provider.poll(order, order.orderId, idle)).state, "cancelled");
});

test("an order that was imaged is not cancelled, and an earlier cancellation frees its pass", async () => {
  await using database = await testDatabase();
  const clock = setClock();
  await using provider = testSimulator(database.db, clock, {}, ["radar-multi", "spotlight"]);
  const members = { provider: "radar-multi", dataset: "spotlight", priority: "assured" };
  const [first, second] = [await placed(provider, members), await placed(provider, members)];
  clock.set(first.createdMs + HOUR_MS);
  await provider.poll(first, first.orderId, idle);
  await provider.cancel(first, first.orderId, idle);
  await provider.cancel(first, first.orderId, idle);
  assert.equal((await provider.poll(first, first.orderId, idle)).state, "cancelled");
  const { scheduledMs } = await provider.poll(second, second.orderId, idle);
  assert.ok(scheduledMs !== null);
  clock.set(scheduledMs + 60_000);
  await assert.rejects(provider.cancel(second, second.orderId, idle), { code: "ILLEGAL-STATE-TRANSITION" });
});
