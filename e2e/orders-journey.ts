import assert from "node:assert/strict";
import type { RawClient } from "./raw-client.ts";

const HARBOUR = { type: "Point", coordinates: [9.95, 53.54] } as const;
const DAY_MS = 86_400_000;

/** Orders are placed once in windows of a study, listed, shown with history and captures, and cancelled. */
export async function ordersJourney({ admin, demo }: Readonly<Record<"admin" | "demo", RawClient>>): Promise<void> {
  const nowMs = Date.now();
  const order = {
    dataset: "spotlight",
    name: "harbour",
    geometry: HARBOUR,
    priority: "flexible",
    startTime: new Date(nowMs + 2 * DAY_MS).toISOString(),
    endTime: new Date(nowMs + 9 * DAY_MS).toISOString(),
  };
  const study = await demo.run("/scene-tasking/feasibility", order);
  assert.equal(study.status, 200, JSON.stringify(study.body));
  const [first, second, third] = study.body.windows.map(({ windowId }: { windowId: string }) => windowId);
  assert.ok(third !== undefined, "three passes within a week");
  const remaining = async (): Promise<number> =>
    (await demo.post("/credits/get-remaining-credit", {})).body.remainingCredit;

  const before = await remaining();
  const request = { ...order, windowId: first };
  const { cost } = (await demo.post("/scene-tasking/check-credit", request)).body;
  const created = await demo.post("/scene-tasking/order/create", request);
  assert.equal(created.status, 200, JSON.stringify(created.body));
  const { id } = created.body;
  assert.deepEqual([created.body.price, created.body.windowId], [cost, first]);
  assert.deepEqual(created.body.originalGeometry, HARBOUR);
  assert.equal((await demo.post("/scene-tasking/order/create", request)).body.id, id);
  assert.ok(Math.abs(before - (await remaining()) - cost) < 1e-6, "charged once");
  const misspelt = await demo.post("/scene-tasking/order/create", { ...request, priorty: "urgent" });
  assert.deepEqual([misspelt.status, misspelt.body.details[0].didYouMean], [422, "priority"]);
  const moved = await demo.post("/scene-tasking/order/create", { ...request, dataset: "stripmap" });
  assert.deepEqual([moved.status, moved.body.error], [422, "VALIDATION-ERROR"]);
  assert.equal(
    (await admin.post("/scene-tasking/order/create", request)).status,
    404,
    "the window is of another group",
  );

  const batch = await demo.post("/scene-tasking/orders/create-batch", {
    name: "harbours",
    params: [second, "none"].map((windowId) => ({ ...order, windowId })),
  });
  assert.equal(batch.status, 200, JSON.stringify(batch.body));
  assert.deepEqual(
    batch.body.failedOrders.map(({ index, error }: { index: number; error: string }) => [index, error]),
    [[1, "NON-EXISTENT-WINDOW"]],
  );
  const weekly = await demo.post("/scene-tasking/orders/create-batch", {
    params: [{ ...order, windowId: third }],
    recurrence: { days: 7, count: 2 },
  });
  assert.equal(weekly.body.successfulOrders.length, 2, JSON.stringify(weekly.body));

  const { batchId } = batch.body;
  const listed = await demo.post("/scene-tasking/order/list", { batchId, dataset: "spotlight", limit: 10 });
  assert.deepEqual([listed.body.results.length, listed.body.cursor], [1, null]);
  const page = await demo.post("/scene-tasking/order/list", { limit: 1 });
  assert.ok(Number.isInteger(page.body.cursor));
  const got = await demo.post("/scene-tasking/order/get", { dataset: "spotlight", orderId: id, forceRefresh: true });
  assert.deepEqual([got.body.id, got.body.history[0].status], [id, "RECEIVED"]);
  assert.equal((await admin.post("/scene-tasking/order/get", { orderId: id })).status, 200, "administrators see it");
  assert.equal((await demo.post("/scene-tasking/order/get", { orderId: crypto.randomUUID() })).status, 404);
  const captures = await demo.post("/scene-tasking/captures/list", { dataset: "spotlight", orderId: id });
  assert.deepEqual(captures.body, { results: [], cursor: null });

  const cancelled = await demo.post("/scene-tasking/order/cancel", { dataset: "spotlight", orderId: id });
  assert.equal(cancelled.status, 200, JSON.stringify(cancelled.body));
  assert.notEqual(cancelled.body.cancellation.requestedTime, null);
  assert.equal(cancelled.body.isCancellable, false);
}
