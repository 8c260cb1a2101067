import assert from "node:assert/strict";
import { test } from "node:test";
import { linesToBill, monthPeriod, sumOf, type InvoiceLine } from "./invoice.ts";

test("a month ends where the next begins, in leap years and at the end of a year", () => {
  assert.deepEqual(monthPeriod("2028-02"), {
    from: new Date("2028-02-01T00:00:00Z"),
    to: new Date("2028-03-01T00:00:00Z"),
  });
  assert.deepEqual(monthPeriod("2026-12"), {
    from: new Date("2026-12-01T00:00:00Z"),
    to: new Date("2027-01-01T00:00:00Z"),
  });
});

test("lines beyond a thousand become one without a subject; the sums stay", () => {
  const lines: InvoiceLine[] = Array.from({ length: 1003 }, (_, i) => ({
    provider: "ab",
    dataset: `d${i}`,
    mapType: null,
    entries: 1,
    areaM2: 2n,
    micro: BigInt(i),
  }));
  const bounded = linesToBill(lines);
  assert.equal(bounded.length, 1000);
  assert.deepEqual(bounded.at(-1), {
    provider: null,
    dataset: null,
    mapType: null,
    entries: 4,
    areaM2: 8n,
    micro: 4002n,
  });
  assert.deepEqual(sumOf(bounded), sumOf(lines));
  assert.equal(linesToBill(lines.slice(0, 1000)).at(-1)?.dataset, "d999");
});

test("lines that sum to nothing are left out, free areas and returns are not", () => {
  const line = { provider: "ab", dataset: "spot", mapType: null, entries: 2 };
  const hold = { ...line, provider: null, areaM2: 0n, micro: 0n };
  const free = { ...line, areaM2: 5n, micro: 0n };
  const returned = { ...line, areaM2: 0n, micro: -5n };
  assert.deepEqual(linesToBill([hold, free, returned]), [free, returned]);
});
