import assert from "node:assert/strict";
import { test } from "node:test";
import { ORDER_STATUSES, type OrderStatus } from "@swath/kernel/tasking/order-status";
import { isTerminal, transitionOf } from "@swath/kernel/tasking/order-state";
import type { OrderProgress } from "../../../tasking-providers/tasking-provider.ts";
import { EXPIRY_GRACE_MS, nextEvent, type OrderFacts } from "./next-event.ts";

const STATES: readonly OrderProgress["state"][] = [
  "received",
  "accepted",
  "refused",
  "cancelled",
  "completed",
  "expired",
  "failed",
];
const FACTS: OrderFacts = { presentMs: 0, startsMs: 10, endsMs: 20, isFulfilled: false, isRunning: false };

function told(state: OrderProgress["state"]) {
  return { state, reasonCode: null, reasonText: null };
}

/** States that an order passes by repeated events. */
function course(from: OrderStatus, state: OrderProgress["state"], facts: Partial<OrderFacts>): readonly OrderStatus[] {
  const passed: OrderStatus[] = [from];
  for (;;) {
    const status = passed.at(-1) ?? from;
    const due = nextEvent(status, told(state), { ...FACTS, ...facts });
    if (due === null) return passed.slice(1);
    const transition = transitionOf(status, due.event);
    assert.ok(transition !== null, `${due.event} is illegal for ${status}`);
    passed.push(transition.to);
    assert.ok(passed.length < 6, passed.join(" "));
  }
}

test("every answer at every time leads by legal events to a state that needs no further event", () => {
  for (const from of ORDER_STATUSES) {
    for (const state of STATES) {
      for (const presentMs of [0, 15, 25, 20 + EXPIRY_GRACE_MS]) {
        for (const [isFulfilled, isRunning] of [
          [false, false],
          [true, false],
          [false, true],
        ] as const) {
          const passed = course(from, state, { presentMs, isFulfilled, isRunning });
          if (isTerminal(from)) assert.deepEqual(passed, []);
        }
      }
    }
  }
});

test("an order ends by the last answer, whatever answers were missed", () => {
  assert.deepEqual(course("RECEIVED", "completed", { isFulfilled: true }), ["IN_PROGRESS", "FULFILLED"]);
  assert.deepEqual(course("PENDING", "expired", { presentMs: 25 }), ["IN_PROGRESS", "EXPIRED"]);
  assert.deepEqual(course("RECEIVED", "refused", {}), ["REJECTED"]);
  assert.deepEqual(course("IN_PROGRESS", "refused", {}), ["FAILED"]);
  assert.deepEqual(course("RECEIVED", "accepted", { presentMs: 15 }), ["IN_PROGRESS"]);
  assert.deepEqual(course("RECEIVED", "accepted", {}), ["PENDING"]);
});

test("an order waits for captures under way, and for answers that are older than its end", () => {
  assert.deepEqual(course("IN_PROGRESS", "expired", { presentMs: 25, isRunning: true }), []);
  assert.deepEqual(course("IN_PROGRESS", "accepted", { presentMs: 25 }), []);
  assert.deepEqual(course("IN_PROGRESS", "accepted", { presentMs: 20 + EXPIRY_GRACE_MS }), ["EXPIRED"]);
});

test("an order that its provider never answers fails at its end", () => {
  assert.deepEqual(course("RECEIVED", "received", { presentMs: 19 }), []);
  assert.deepEqual(course("RECEIVED", "received", { presentMs: 20 }), ["FAILED"]);
});
