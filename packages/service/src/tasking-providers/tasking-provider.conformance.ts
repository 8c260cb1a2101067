import assert from "node:assert/strict";
import { test } from "node:test";
import type { CaptureStatus } from "@swath/kernel/tasking/order-status";
import type { OrderProgress, SubmittedOrder, TaskingProvider } from "./tasking-provider.ts";

/** A provider under test. */
export interface TaskingProviderBench extends AsyncDisposable {
  readonly provider: TaskingProvider;
  /** An order that the provider takes, images and delivers; each call gives another. */
  order(): Promise<SubmittedOrder>;
  /** Lets time pass, at least until the provider knows more of the order that was polled. */
  wait(order: SubmittedOrder, progress: OrderProgress): Promise<void>;
  /** Cuts the provider off until the result is called. */
  cutOff(): () => void;
  /** Another adapter of the same provider, as after a restart. */
  restarted(): TaskingProvider;
}

type It = (sentence: string, body: (bench: TaskingProviderBench) => Promise<void>) => void;

const idle = new AbortController().signal;
const MAX_POLLS = 500;
/** States that no later answer may take back. */
const ENDS: ReadonlySet<OrderProgress["state"]> = new Set(["refused", "cancelled", "completed", "expired", "failed"]);
const RANK: Readonly<Record<CaptureStatus, number>> = {
  SCHEDULED: 0,
  QUEUED: 1,
  PROCESSING: 2,
  PUBLISHED: 3,
  FAILED: 3,
  CANCELLED: 3,
};

/** Tests of every provider of tasking, called by the test file of each adapter. */
export function taskingProviderConformance(name: string, open: () => Promise<TaskingProviderBench>): void {
  const it: It = (sentence, body) => {
    test(`${name}: ${sentence}`, async () => {
      await using bench = await open();
      await body(bench);
    });
  };
  testSubmission(it);
  testCourse(it);
  testCancellation(it);
  testFaults(it);
}

function testSubmission(it: It): void {
  it("an order that is submitted again, at once or after a restart, keeps its name and is taken once", async (bench) => {
    const order = await bench.order();
    const [name, same] = await Promise.all([bench.provider.submit(order, idle), bench.provider.submit(order, idle)]);
    assert.equal(same, name);
    await using again = bench.restarted();
    assert.equal(await again.submit(order, idle), name);
    const [first, second] = [await bench.provider.poll(order, name, idle), await again.poll(order, name, idle)];
    assert.equal(second.state, first.state);
  });

  it("orders have different names", async (bench) => {
    const orders = [await bench.order(), await bench.order()];
    const names = await Promise.all(orders.map((order) => bench.provider.submit(order, idle)));
    assert.equal(new Set(names).size, 2);
  });
}

function testCourse(it: It): void {
  it("an order is imaged and delivered within the answers that the provider asks for", async (bench) => {
    const order = await bench.order();
    const told = await pollToEnd(bench, order, await bench.provider.submit(order, idle));
    const last = told.at(-1);
    assert.equal(last?.state, "completed", last?.reasonText ?? "");
    const delivered = last.captures.filter(({ delivery }) => delivery !== null);
    assert.ok(delivered.length > 0, "nothing is delivered");
    for (const capture of delivered) {
      assert.equal(capture.status, "PUBLISHED");
      assert.match(capture.delivery?.name ?? "", /^[\w.-]+\.(?:geotiff|zip)$/u);
    }
  });

  it("answers never go back: a capture keeps its name and strip, and its status only advances", async (bench) => {
    const order = await bench.order();
    const told = await pollToEnd(bench, order, await bench.provider.submit(order, idle));
    const seen = new Map<string, { readonly status: CaptureStatus; readonly stripId: string }>();
    for (const { captures } of told) {
      for (const { captureId, status, stripId } of captures) {
        const before = seen.get(captureId);
        if (before !== undefined) {
          assert.equal(stripId, before.stripId);
          assert.ok(RANK[status] >= RANK[before.status], `${captureId} went from ${before.status} to ${status}`);
        }
        seen.set(captureId, { status, stripId });
      }
    }
  });

  it("an order that has ended answers the same however often it is asked", async (bench) => {
    const order = await bench.order();
    const providerOrderId = await bench.provider.submit(order, idle);
    const last = (await pollToEnd(bench, order, providerOrderId)).at(-1);
    assert.ok(last !== undefined);
    await using again = bench.restarted();
    for (const provider of [bench.provider, again]) {
      assert.deepEqual(outlineOf(await provider.poll(order, providerOrderId, idle)), outlineOf(last));
    }
  });

  it("windows ascend, lie within the request and are at most 200", async (bench) => {
    const { orderId: _order, createdMs: _created, offer: _offer, window: _window, ...request } = await bench.order();
    const windows = await bench.provider.feasibility(request, idle);
    assert.ok(windows.length > 0 && windows.length <= 200);
    for (const [index, { startMs, endMs }] of windows.entries()) {
      assert.ok(startMs < endMs && startMs >= (windows[index - 1]?.startMs ?? -Infinity));
      assert.ok(endMs > request.fromMs && startMs < request.toMs);
    }
  });
}

function testCancellation(it: It): void {
  it("an order that is cancelled before it is imaged ends as cancelled, once", async (bench) => {
    const order = await bench.order();
    const providerOrderId = await bench.provider.submit(order, idle);
    await bench.provider.cancel(order, providerOrderId, idle);
    await bench.provider.cancel(order, providerOrderId, idle);
    const last = (await pollToEnd(bench, order, providerOrderId)).at(-1);
    assert.equal(last?.state, "cancelled");
    assert.ok(last.captures.every(({ delivery }) => delivery === null));
  });

  it("a completed order is not cancelled", async (bench) => {
    const order = await bench.order();
    const providerOrderId = await bench.provider.submit(order, idle);
    await pollToEnd(bench, order, providerOrderId);
    await bench.provider.cancel(order, providerOrderId, idle).catch((error: unknown) => {
      assert.equal((error as { readonly code?: unknown }).code, "ILLEGAL-STATE-TRANSITION");
    });
    assert.equal((await bench.provider.poll(order, providerOrderId, idle)).state, "completed");
  });
}

function testFaults(it: It): void {
  it("a provider that cannot be reached fails as unavailable, and loses nothing", async (bench) => {
    const order = await bench.order();
    const reconnect = bench.cutOff();
    await assert.rejects(bench.provider.submit(order, idle), { code: "SERVICE-UNAVAILABLE" });
    reconnect();
    const providerOrderId = await bench.provider.submit(order, idle);
    const before = outlineOf(await bench.provider.poll(order, providerOrderId, idle));
    const reconnectAgain = bench.cutOff();
    await assert.rejects(bench.provider.poll(order, providerOrderId, idle), { code: "SERVICE-UNAVAILABLE" });
    await assert.rejects(bench.provider.cancel(order, providerOrderId, idle), { code: "SERVICE-UNAVAILABLE" });
    reconnectAgain();
    assert.deepEqual(outlineOf(await bench.provider.poll(order, providerOrderId, idle)), before);
  });

  it("a call ends with its signal", async (bench) => {
    const order = await bench.order();
    const providerOrderId = await bench.provider.submit(order, idle);
    const reason = new Error("nobody waits");
    const left = AbortSignal.abort(reason);
    for (const call of [
      bench.provider.feasibility(order, left),
      bench.provider.submit(order, left),
      bench.provider.poll(order, providerOrderId, left),
      bench.provider.cancel(order, providerOrderId, left),
    ]) {
      await assert.rejects(call, (error) => error === reason || (error as Error).cause === reason);
    }
    assert.equal((await bench.provider.poll(order, providerOrderId, idle)).state === "cancelled", false);
  });
}

async function pollToEnd(
  bench: TaskingProviderBench,
  order: SubmittedOrder,
  providerOrderId: string,
): Promise<readonly OrderProgress[]> {
  const told: OrderProgress[] = [];
  for (let polls = 0; polls < MAX_POLLS; polls += 1) {
    const progress = await bench.provider.poll(order, providerOrderId, idle);
    told.push(progress);
    if (ENDS.has(progress.state)) return told;
    await bench.wait(order, progress);
  }
  throw new Error(`the order did not end in ${MAX_POLLS} answers`);
}

/** An answer without functions and without the time of the next question. */
function outlineOf({ state, reasonCode, scheduledMs, captures }: OrderProgress) {
  return { state, reasonCode, scheduledMs, captures: captures.map(({ delivery, ...one }) => [one, delivery?.name]) };
}
