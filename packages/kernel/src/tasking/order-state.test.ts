import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { placeHold, releaseHold, settleHold, type Hold } from "../credits/hold.ts";
import { CAPTURE_STATUSES, ORDER_EVENTS, ORDER_STATUSES, type OrderEvent, type OrderStatus } from "./order-status.ts";
import {
  isCancellable,
  isTerminal,
  ORDER_TRANSITIONS,
  PLACED_STATUS,
  transitionOf,
  type CreditEffect,
} from "./order-state.ts";

const events = fc.array(fc.constantFrom(...ORDER_EVENTS), { maxLength: 20 });

test("five statuses are terminal, and no history leaves one", () => {
  assert.deepEqual(ORDER_STATUSES.filter(isTerminal), ["FULFILLED", "REJECTED", "CANCELLED", "EXPIRED", "FAILED"]);
  fc.assert(
    fc.property(events, (drawn) => {
      let status: OrderStatus = PLACED_STATUS;
      for (const event of drawn) {
        const next = transitionOf(status, event);
        if (isTerminal(status)) assert.equal(next, null, `${status} ${event}`);
        if (next !== null) status = next.to;
      }
    }),
  );
});

test("a status and an event have one transition at most, and every status is reached from the first", () => {
  const keys = ORDER_TRANSITIONS.map(({ from, event }) => `${from} ${event}`);
  assert.equal(new Set(keys).size, keys.length);
  const reached = new Set<OrderStatus>([PLACED_STATUS]);
  for (let round = 0; round < ORDER_STATUSES.length; round += 1) {
    for (const { from, to } of ORDER_TRANSITIONS) if (reached.has(from)) reached.add(to);
  }
  assert.deepEqual(
    ORDER_STATUSES.filter((status) => !reached.has(status)),
    [],
  );
});

test("the transitions are those of the model", () => {
  const rows = ORDER_TRANSITIONS.map(({ from, event, to, credit }) => `${from} ${event} ${to} ${credit}`);
  assert.deepEqual(rows.toSorted(), [
    "IN_PROGRESS cancel CANCELLED return-less-fee",
    "IN_PROGRESS expire EXPIRED return-unused",
    "IN_PROGRESS fail FAILED return",
    "IN_PROGRESS fulfil FULFILLED settle",
    "PENDING cancel CANCELLED return-less-fee",
    "PENDING fail FAILED return",
    "PENDING start IN_PROGRESS none",
    "RECEIVED accept PENDING none",
    "RECEIVED cancel CANCELLED return",
    "RECEIVED fail FAILED return",
    "RECEIVED refuse REJECTED return",
    "RECEIVED start IN_PROGRESS none",
  ]);
});

type Effect = (hold: Hold, charge: bigint, fee: number) => Hold;

/** A hold after an effect, by the rules of the ledger. */
const EFFECTS: Readonly<Record<CreditEffect, Effect>> = {
  none: (hold) => hold,
  return: (hold) => releaseHold(hold, 1).after,
  "return-less-fee": (hold, _charge, fee) => releaseHold(hold, 1 - fee).after,
  settle: (hold, micro) => settleHold(hold, { micro, areaM2: 1, isFinal: true }).after,
  "return-unused": (hold, micro) => releaseHold(settleHold(hold, { micro, areaM2: 1, isFinal: false }).after, 1).after,
};

test("a hold is open exactly while its order is, and every ended history holds nothing", () => {
  const amounts = fc.record({
    price: fc.bigInt(0n, 10n ** 12n),
    percent: fc.bigInt(0n, 105n),
    fee: fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100),
  });
  const ends = new Set<OrderStatus>();
  fc.assert(
    fc.property(events, amounts, (drawn: readonly OrderEvent[], { price, percent, fee }) => {
      let status: OrderStatus = PLACED_STATUS;
      let hold = placeHold(price, 1_000_000);
      for (const event of drawn) {
        const next = transitionOf(status, event);
        if (next === null) continue;
        status = next.to;
        hold = EFFECTS[next.credit](hold, (price * percent) / 100n, fee);
      }
      assert.equal(hold.state === "held", !isTerminal(status), `${status} ${hold.state}`);
      if (!isTerminal(status)) return;
      ends.add(status);
      assert.equal(hold.reservedMicro, 0n);
      assert.equal(hold.reservedM2, 0);
      if (status === "REJECTED" || status === "FAILED") assert.equal(hold.settledMicro, 0n);
    }),
    { numRuns: 2000 },
  );
  assert.equal(ends.size, 5, [...ends].join());
});

const HOUR_MS = 3_600_000;
const open = { status: "IN_PROGRESS", scheduledMs: 100 * HOUR_MS, cancelCutoffHours: 24, captureStatuses: [] } as const;

test("an order is cancellable until the cut-off before its first planned capture", () => {
  assert.equal(isCancellable(open, 76 * HOUR_MS - 1), true);
  assert.equal(isCancellable(open, 76 * HOUR_MS), false);
  assert.equal(isCancellable({ ...open, cancelCutoffHours: 0 }, 100 * HOUR_MS - 1), true);
  assert.equal(isCancellable({ ...open, scheduledMs: null }, 1000 * HOUR_MS), true);
});

test("an order is cancellable while it is open and before anything was imaged", () => {
  for (const status of ORDER_STATUSES) assert.equal(isCancellable({ ...open, status }, 0), !isTerminal(status), status);
  const stops = CAPTURE_STATUSES.filter(
    (status) => !isCancellable({ ...open, captureStatuses: ["FAILED", status] }, 0),
  );
  assert.deepEqual(stops, ["PROCESSING", "PUBLISHED"]);
});
