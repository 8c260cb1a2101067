import assert from "node:assert/strict";
import { test } from "node:test";
import { createBatches } from "./batches.ts";

test("what arrives while a batch runs makes up the next one, without two of a key, and each gets its own answer", async () => {
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
  const answers = ["a1", "b1", "b2", "c1", "d1", "e1", "b3"].map(add);
  first.resolve();
  assert.deepEqual(await Promise.all(answers), ["A1", "B1", "B2", "C1", "D1", "E1", "B3"]);
  assert.deepEqual(batches, [["a1"], ["b1", "c1", "d1"], ["b2", "e1"], ["b3"]]);
});

test("a batch that fails fails its items and no others", async () => {
  let runs = 0;
  const add = createBatches<number, number>({
    keyOf: String,
    async run(items) {
      runs += 1;
      if (items.includes(1)) throw new Error("no");
      return items;
    },
    maxItems: 1,
    maxRunning: 2,
  });
  const [one, two, three] = await Promise.allSettled([add(1), add(2), add(3)]);
  assert.equal(one.status, "rejected");
  assert.deepEqual(
    [two, three].map((settled) => settled.status),
    ["fulfilled", "fulfilled"],
  );
  assert.equal(runs, 3);
});
