import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { setImmediate as nextLoop } from "node:timers/promises";
import { test } from "node:test";
import { countInWork } from "@swath/base/concurrency/requests-in-work";
import { answerInTurn, beginInTurn, createTurns, holdBack, type Turns } from "./turns.ts";

const crowd = { address: "192.0.2.1", authorization: "Bearer crowd", isLarge: false };

test("four requests of a caller begin at once, the others four a turn in their order", async () => {
  const turns = createTurns();
  const begun: number[] = [];
  for (let i = 0; i < 11; i += 1) beginInTurn(turns, crowd, new EventEmitter(), () => begun.push(i));
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
  for (let i = 0; i < 100; i += 1) beginInTurn(turns, crowd, new EventEmitter(), () => begun.push("crowd"));
  const quiet = { address: "192.0.2.2", authorization: "Bearer quiet", isLarge: false };
  for (let i = 0; i < 6; i += 1) beginInTurn(turns, quiet, new EventEmitter(), () => begun.push("quiet"));
  assert.deepEqual(begun, [...Array(4).fill("crowd"), ...Array(4).fill("quiet")]);
  await nextLoop();
  assert.deepEqual(begun.slice(8), ["crowd", "quiet", "crowd", "quiet"]);
});

test("an address that names itself differently each time begins sixteen requests a turn, another one at once", () => {
  const turns = createTurns();
  let begun = 0;
  for (let i = 0; i < 300; i += 1) {
    const sender = { address: "192.0.2.1", authorization: `Bearer ${i}`, isLarge: false };
    beginInTurn(turns, sender, new EventEmitter(), () => (begun += 1));
  }
  assert.equal(begun, 16);
  beginInTurn(
    turns,
    { address: "192.0.2.2", authorization: "", isLarge: false },
    new EventEmitter(),
    () => (begun += 1),
  );
  assert.equal(begun, 17);
});

test("requests of a turn that has passed do not count", async () => {
  const turns = createTurns();
  let begun = 0;
  for (let turn = 0; turn < 5; turn += 1) {
    for (let i = 0; i < 4; i += 1) beginInTurn(turns, crowd, new EventEmitter(), () => (begun += 1));
    await nextLoop();
    assert.equal(begun, 4 * (turn + 1));
  }
});

for (const [until, end] of [
  ["its answer is closed", (_turns, answer) => void answer.emit("close")],
  ["it is held back", holdBack],
] as const satisfies readonly (readonly [string, typeof holdBack])[]) {
  test(`heavy callers give way to a request until ${until}`, () => {
    const turns = createTurns();
    const inWork = (): number => countInWork(turns.spaced.light, performance.now(), 60_000);
    const answer = new EventEmitter();
    beginInTurn(turns, crowd, answer, () => {});
    assert.equal(inWork(), 1);
    end(turns, answer);
    assert.equal(inWork(), 0);
  });
}

test("a request that is held back counts twice: its answer has another turn", () => {
  const turns = createTurns();
  const counted = (): number | undefined => turns.callers.recent.get("192.0.2.1 Bearer crowd")?.requests;
  const answer = new EventEmitter();
  beginInTurn(turns, crowd, answer, () => {});
  assert.equal(counted(), 1);
  holdBack(turns, answer);
  assert.equal(counted(), 2);
  answer.emit("close");
  assert.equal(counted(), 2);
});

test("a request that announces a large body is not light", () => {
  const turns = createTurns();
  let begun = 0;
  beginInTurn(turns, { ...crowd, isLarge: true }, new EventEmitter(), () => (begun += 1));
  assert.deepEqual([begun, countInWork(turns.spaced.light, performance.now(), 60_000)], [1, 0]);
});

/** A request that has arrived and is held back. */
function heldBack(turns: Turns): EventEmitter {
  const answer = new EventEmitter();
  beginInTurn(turns, crowd, answer, () => {});
  holdBack(turns, answer);
  return answer;
}

test("the answer to a request that was held back has its turn among the requests of a heavy caller", async () => {
  const turns = createTurns();
  const [answer, other] = [heldBack(turns), new EventEmitter()];
  turns.callers.heavy = new Set(["192.0.2.1 Bearer crowd"]);
  const order: string[] = [];
  beginInTurn(turns, crowd, other, () => {
    order.push("request");
    setImmediate(() => other.emit("close"));
  });
  await answerInTurn(turns, answer);
  order.push("answer");
  assert.deepEqual(order, ["request", "answer"]);
  assert.equal(countInWork(turns.spaced.heavy, performance.now(), 60_000), 1);
});

test("an answer waits for no turn when its caller is not heavy, or it was not held back", async () => {
  const turns = createTurns();
  await answerInTurn(turns, heldBack(turns));
  const answer = new EventEmitter();
  beginInTurn(turns, crowd, answer, () => {});
  turns.callers.heavy = new Set(["192.0.2.1 Bearer crowd"]);
  await answerInTurn(turns, answer);
  assert.equal(turns.spaced.waiting.size, 0);
});
