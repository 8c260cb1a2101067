import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { nextSort, sortRows } from "./sort-rows.ts";

test("rows come by key, those without one last in both directions", () => {
  const rows = ["b10", null, "b2", "a"];
  assert.deepEqual(
    sortRows(rows, (row) => row, false),
    ["a", "b2", "b10", null],
  );
  assert.deepEqual(
    sortRows(rows, (row) => row, true),
    ["b10", "b2", "a", null],
  );
});

test("rows of one key keep their order, and none is lost", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -3, max: 3 })), fc.boolean(), (keys, isDescending) => {
      const rows = keys.map((key, id) => ({ key, id }));
      const sorted = sortRows(rows, ({ key }) => key, isDescending);
      assert.deepEqual(
        sorted,
        rows.toSorted((a, b) => (isDescending ? b.key - a.key : a.key - b.key) || a.id - b.id),
      );
    }),
    { endOnFailure: true },
  );
});

test("a head sorts up, then down, then not", () => {
  const up = nextSort(null, "class");
  const down = nextSort(up, "class");
  assert.deepEqual(
    [up, down, nextSort(down, "class"), nextSort(down, "size")],
    [
      { column: "class", isDescending: false },
      { column: "class", isDescending: true },
      null,
      { column: "size", isDescending: false },
    ],
  );
});
