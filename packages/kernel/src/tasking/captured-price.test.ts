import assert from "node:assert/strict";
import { test } from "node:test";
import { exceedsHold, placeHold } from "../credits/hold.ts";
import { cappedCharge, capturedPrice } from "./captured-price.ts";

test("a part of the ordered area costs its part of the price, rounded down", () => {
  const order = { micro: 100_000_000n, areaM2: 30_000_000 };
  assert.equal(capturedPrice(order, 30_000_000), 100_000_000n);
  assert.equal(capturedPrice(order, 10_000_000), 33_333_333n);
  assert.equal(capturedPrice(order, 0), 0n);
});

test("a larger capture costs at most 105 % of the price, which the ledger charges without consent", () => {
  const order = { micro: 999n, areaM2: 1000 };
  assert.equal(capturedPrice(order, 1_000_000), 1048n);
  const hold = placeHold(999n, 1000);
  assert.equal(exceedsHold(hold, 1048n), false);
  assert.equal(exceedsHold(hold, 1049n), true);
  assert.equal(cappedCharge(999n, 1000n), 1000n);
});
