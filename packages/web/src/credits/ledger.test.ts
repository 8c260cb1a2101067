import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { filteredRows, ledgerRows, microOf, NO_FILTER, spendingBy, sumMicro, type Transaction } from "./ledger.ts";

const entry = (id: string, credit: number, member: Partial<Transaction> = {}): Transaction => ({
  id,
  kind: "credit.allocate",
  time: "2026-11-23 10:00:00",
  userId: "u1",
  groupId: "g1",
  areaKm2: 1,
  credit,
  ...member,
});

test("the sum of all rows is the balance, to the last digit", () => {
  const micro = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });
  fc.assert(
    fc.property(micro, fc.array(micro, { maxLength: 50 }), (balance, charges) => {
      const entries = charges.map((charge, position) => entry(String(position), charge / 1e6));
      assert.equal(sumMicro(ledgerRows(balance / 1e6, entries)), balance);
    }),
    { endOnFailure: true },
  );
});

test("a charge lowers the balance and a return raises it", () => {
  const rows = ledgerRows(9.5, [entry("b", -0.5, { kind: "credit.return" }), entry("a", 1)]);
  assert.deepEqual(
    rows.map(({ micro }) => micro),
    [500_000, -1_000_000, 10_000_000],
  );
});

test("rows are filtered by kind and by days, both included", () => {
  const rows = ledgerRows(10, [entry("b", 1, { time: "2026-11-24 23:59:59" }), entry("a", 1)]);
  const ids = (filter: Partial<typeof NO_FILTER>): readonly string[] =>
    filteredRows(rows, { ...NO_FILTER, ...filter }).map(({ id }) => id);
  assert.deepEqual(ids({}), ["b", "a", "opening"]);
  assert.deepEqual(ids({ start: "2026-11-24" }), ["b"]);
  assert.deepEqual(ids({ end: "2026-11-23", kind: "credit.allocate" }), ["a"]);
});

test("spending is summed by dataset, the largest first, without the credit before", () => {
  const rows = ledgerRows(1, [
    entry("a", 1, { dataset: "x" }),
    entry("b", 3, { dataset: "y" }),
    entry("c", 1, { dataset: "x" }),
  ]);
  assert.deepEqual(spendingBy(rows, "dataset"), [
    { name: "y", micro: microOf(3) },
    { name: "x", micro: microOf(2) },
  ]);
});
