import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createBatches } from "./batches.ts";

test("what comes together or while a batch runs is one batch, without two of a key, and each gets its own answer", async () => {
  const batches: (readonly string[])[] = [];
  const first = Promise.withResolvers<void>();
  const add = createBatches<string, string>({
    keyOf: (item) => item.slice(0, 1),
    async run(items) {
      batches.push(items);
      if (batches.length === 1) await first.promise;
      return items.map((item) => item.toUpperCase());
    },
    maxItems: 3,
    maxRunning: 1,
  });
  const together = ["a1", "a2"].map(add);
  await nextTurn();
  const answers = [...together, ...["b1", "b2", "c1", "d1", "e1", "b3"].map(add)];
  first.resolve();
  assert.deepEqual(await Promise.all(answers), ["A1", "A2", "B1", "B2", "C1", "D1", "E1", "B3"]);
  assert.deepEqual(batches, [["a1"], ["a2", "b1", "c1"], ["b2", "d1", "e1"], ["b3"]]);
});

test("items of a batch that fails are tried by themselves, and only those at fault fail", async () => {
  const batches: (readonly number[])[] = [];
  const add = createBatches<number, number>({
    async run(items) {
      batches.push(items);
      if (items.includes(2)) throw new Error("no two");
      return items;
    },
    maxItems: 3,
    maxRunning: 1,
  });
  const settled = await Promise.allSettled([1, 2, 3, 3, 4].map(add));
  assert.deepEqual(
    settled.map(({ status }) => status),
    ["fulfilled", "rejected", "fulfilled", "fulfilled", "fulfilled"],
  );
  assert.deepEqual(batches, [[1, 2, 3], [1], [2], [3], [3, 4]]);
});
