import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { taskingPrice, type PricedOrder } from "./tasking-price.ts";

const spotlight: PricedOrder = {
  microPerKm2: 100_000n,
  areaM2: 25_000_000,
  leastAreasM2: [0, 25_000_000],
  costMultiplier: 1,
  priorityFactor: 1,
};

test("25 km2 at 0.1 credits cost 2.5 credits, and the factors of kind and priority multiply", () => {
  assert.deepEqual(taskingPrice(spotlight), { micro: 2_500_000n, areaM2: 25_000_000 });
  assert.equal(taskingPrice({ ...spotlight, costMultiplier: 2 }).micro, 5_000_000n);
  assert.equal(taskingPrice({ ...spotlight, costMultiplier: 2, priorityFactor: 1.25 }).micro, 6_250_000n);
  assert.equal(taskingPrice({ ...spotlight, priorityFactor: 1.3 }).micro, 3_250_000n);
});

test("the largest of the ordered and the least areas is charged", () => {
  assert.deepEqual(taskingPrice({ ...spotlight, areaM2: 1 }), { micro: 2_500_000n, areaM2: 25_000_000 });
  assert.equal(taskingPrice({ ...spotlight, areaM2: 26_000_000 }).micro, 2_600_000n);
});

test("a price is rounded half up to a micro-credit", () => {
  // 5 m2 at 100,000 micro-credits per km2 are half a micro-credit.
  assert.equal(taskingPrice({ ...spotlight, areaM2: 5, leastAreasM2: [] }).micro, 1n);
  assert.equal(taskingPrice({ ...spotlight, areaM2: 4, leastAreasM2: [] }).micro, 0n);
});

test("a factor of 0 is a fault of its declaration", () => {
  assert.throws(() => taskingPrice({ ...spotlight, priorityFactor: 0 }), /a factor must be positive, got 0/);
});

test("a larger area or a higher factor never costs less", () => {
  const order = fc.record({
    microPerKm2: fc.bigInt({ min: 0n, max: 1_000_000_000_000n }),
    areaM2: fc.integer({ min: 0, max: 1e12 }),
    leastAreasM2: fc.array(fc.integer({ min: 0, max: 1e9 }), { maxLength: 3 }),
    costMultiplier: fc.double({ min: 0.1, max: 10, noNaN: true }),
    priorityFactor: fc.double({ min: 0.1, max: 10, noNaN: true }),
  });
  fc.assert(
    fc.property(
      order,
      fc.integer({ min: 0, max: 1e9 }),
      fc.double({ min: 0, max: 5, noNaN: true }),
      (one, more, by) => {
        const { micro } = taskingPrice(one);
        assert.ok(taskingPrice({ ...one, areaM2: one.areaM2 + more }).micro >= micro);
        assert.ok(taskingPrice({ ...one, priorityFactor: one.priorityFactor + by }).micro >= micro);
      },
    ),
  );
});
