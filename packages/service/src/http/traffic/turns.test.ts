import assert from "node:assert/strict";
import { setImmediate as nextLoop } from "node:timers/promises";
import { test } from "node:test";
import { isInWork } from "./light-work.ts";
import { beginInTurn, createTurns } from "./turns.ts";

const crowd = { address: "192.0.2.1", authorization: "Bearer crowd" };

test("four requests of a caller begin at once, the others four a turn in their order", async () => {
  const turns = createTurns();
  const begun: number[] = [];
  for (let i = 0; i < 11; i += 1) beginInTurn(turns, crowd, () => begun.push(i));
  assert.deepEqual(begun, [0, 1, 2, 3]);
  await nextLoop();
  assert.deepEqual(begun, [0, 1, 2, 3, 4, 5, 6, 7]);
  await nextLoop();
  assert.deepEqual(begun, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  assert.equal(turns.waiting.size, 0);
});

test("another caller begins at once beside a crowd that waits, and takes turns with it when it waits too", async () => {
  const turns = createTurns();
  const begun: string[] = [];
  for (let i = 0; i < 100; i += 1) beginInTurn(turns, crowd, () => begun.push("crowd"));
  const quiet = { address: "192.0.2.2", authorization: "Bearer quiet" };
  for (let i = 0; i < 6; i += 1) beginInTurn(turns, quiet, () => begun.push("quiet"));
  assert.deepEqual(begun, [...Array(4).fill("crowd"), ...Array(4).fill("quiet")]);
  await nextLoop();
  assert.deepEqual(begun.slice(8), ["crowd", "quiet", "crowd", "quiet"]);
});

test("an address that names itself differently each time begins sixteen requests a turn, another one at once", () => {
  const turns = createTurns();
  let begun = 0;
  for (let i = 0; i < 300; i += 1) {
    beginInTurn(turns, { address: "192.0.2.1", authorization: `Bearer ${i}` }, () => (begun += 1));
  }
  assert.equal(begun, 16);
  beginInTurn(turns, { address: "192.0.2.2", authorization: "" }, () => (begun += 1));
  assert.equal(begun, 17);
});

test("requests of a turn that has passed do not count", async () => {
  const turns = createTurns();
  let begun = 0;
  for (let turn = 0; turn < 5; turn += 1) {
    for (let i = 0; i < 4; i += 1) beginInTurn(turns, crowd, () => (begun += 1));
    await nextLoop();
    assert.equal(begun, 4 * (turn + 1));
  }
});

test("heavy callers give way to a request until it ends", () => {
  const turns = createTurns();
  const isFollowed = (): boolean => isInWork(turns.spaced.light, performance.now());
  const end = beginInTurn(turns, crowd, () => {});
  assert.ok(isFollowed());
  end();
  assert.ok(!isFollowed());
});
