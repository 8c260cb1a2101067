import assert from "node:assert/strict";
import { test } from "node:test";
import { createShares, giveBack, takeShare } from "./shares.ts";

function takes(shares: ReturnType<typeof createShares>, caller: string, times: number): number {
  let taken = 0;
  for (let i = 0; i < times; i += 1) if (takeShare(shares, caller)) taken += 1;
  return taken;
}

test("a caller holds at most the bound per caller, whatever is free", () => {
  const shares = createShares({ perCaller: 3, inAll: 100 });
  assert.equal(takes(shares, "many", 10), 3);
  assert.equal(takes(shares, "other", 10), 3);
});

test("with everything taken, a caller below the equal share still gets it, one above does not", () => {
  const shares = createShares({ perCaller: 10, inAll: 10 });
  assert.equal(takes(shares, "many", 10), 10);
  assert.equal(takes(shares, "quiet", 10), 5, "10 shared by two callers");
  assert.equal(takes(shares, "third", 10), 3, "10 shared by three");
  giveBack(shares, "many");
  assert.equal(takes(shares, "many", 1), 0, "all is taken still, and it has more than its share");
});

test("more callers than the bound in all have one each", () => {
  const shares = createShares({ perCaller: 5, inAll: 2 });
  const taken = ["a", "b", "c", "d"].map((caller) => takes(shares, caller, 5));
  assert.deepEqual(taken, [2, 1, 1, 1]);
});

test("nothing is remembered of a caller who holds nothing", () => {
  const shares = createShares({ perCaller: 5, inAll: 5 });
  assert.ok(takeShare(shares, "a", 4));
  giveBack(shares, "a", 4);
  assert.deepEqual([shares.held.size, shares.total], [0, 0]);
});
