import assert from "node:assert/strict";
import { test } from "node:test";
import type { Order } from "@swath/contract/features/tasking/order-contract";
import type { OrderStatus } from "@swath/kernel/tasking/order-status";
import type { DescribedOrder } from "../tasking/orders/described-orders.ts";
import { statusesOf } from "./order-statuses.ts";

const BASE = "https://swath.example";
const AT_MS = Date.UTC(2026, 11, 1);

interface Change {
  readonly status: OrderStatus;
  readonly reason?: readonly [code: string, text: string];
}

/** An order with these changes after its placing, one an hour. */
function described(
  changes: readonly Change[],
  members: Partial<DescribedOrder> = {},
  cancelled = false,
): DescribedOrder {
  const placed: Change = { status: "RECEIVED" };
  const history = [placed, ...changes].map(({ reason = [null, null], status }, version) => ({
    orderId: "1",
    version,
    event: null,
    status,
    reasonCode: reason[0],
    reasonText: reason[1],
    transactionId: version === 0 ? "held" : null,
    atMs: AT_MS + version * 3_600_000,
  }));
  const cancellation = { feeShare: 0, cutoffHours: 0, requestedTime: cancelled ? "2026-12-01T00:00:00Z" : null };
  const order = { cancellation } satisfies Partial<Order>;
  const pass = { satellite: "", mode: "", startMs: 0, endMs: 0 };
  // Statuses read nothing else of an order.
  return { order: order as unknown as Order, history, foreignRequest: null, pass, sceneIds: [], ...members };
}

const codes = (order: DescribedOrder): readonly string[] => statusesOf(order, BASE).map((one) => one.status_code);

test("an order is received and reserved at its placing, and ends as tasking says", () => {
  const begin = ["received", "reserved"];
  assert.deepEqual(codes(described([])), begin);
  const fulfilled = described([{ status: "PENDING" }, { status: "IN_PROGRESS" }, { status: "FULFILLED" }]);
  assert.deepEqual(codes(fulfilled), [...begin, "accepted", "tasked", "completed"]);
  assert.deepEqual(codes(described([{ status: "IN_PROGRESS" }, { status: "EXPIRED" }])), [
    ...begin,
    "tasked",
    "expired",
  ]);
  assert.deepEqual(codes(described([{ status: "FAILED" }])), [...begin, "failed"]);
});

test("an order that its owner cancels differs from one that is cancelled otherwise", () => {
  assert.equal(codes(described([{ status: "CANCELLED" }], {}, true)).at(-1), "user_cancelled");
  assert.equal(codes(described([{ status: "CANCELLED" }])).at(-1), "cancelled");
});

test("a status has the time, the code and the words of its change", () => {
  const [, , rejected] = statusesOf(described([{ status: "REJECTED", reason: ["NO-CAPACITY", "no pass left"] }]), BASE);
  assert.deepEqual(rejected, {
    timestamp: "2026-12-01T01:00:00.000Z",
    status_code: "rejected",
    reason_code: "NO-CAPACITY",
    reason_text: "no pass left",
    links: [],
  });
});

test("the last status alone leads to the delivered scenes", () => {
  const sceneIds = ["radar--multi.spotlight.a1", "no scene"];
  const statuses = statusesOf(described([{ status: "IN_PROGRESS" }, { status: "FULFILLED" }], { sceneIds }), BASE);
  assert.deepEqual(
    statuses.map(({ links }) => links.map(({ href, rel }) => `${rel} ${href}`)),
    [
      [],
      [],
      [],
      ["item https://swath.example/stac/collections/radar--multi.spotlight/items/radar--multi.spotlight.a1"],
    ],
  );
});
