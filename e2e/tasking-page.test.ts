import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ORDER_TRANSITIONS } from "../packages/kernel/src/tasking/order-state.ts";
import { taskingPrice } from "../packages/kernel/src/tasking/tasking-price.ts";

const PAGE = readFileSync(join(import.meta.dirname, "..", "docs", "tasking.md"), "utf8");

test("the page draws every transition of an order and no other", () => {
  const drawn = Array.from(PAGE.matchAll(/^ {2}([A-Z_]+) --> ([A-Z_]+):/gm), ([, from, to]) => `${from} ${to}`);
  assert.deepEqual(drawn.toSorted(), ORDER_TRANSITIONS.map(({ from, to }) => `${from} ${to}`).toSorted());
});

test("the example of the page is the price of such an order", () => {
  const { micro } = taskingPrice({
    microPerKm2: 400_000n,
    areaM2: 25_000_000,
    leastAreasM2: [],
    costMultiplier: 1,
    priorityFactor: 1.3,
  });
  assert.equal(micro, 13_000_000n);
  assert.match(PAGE, /25 × 0\.4 × 1 × 1\.3 = 13 credits/);
});
