import assert from "node:assert/strict";
import { test } from "node:test";
import { createLinkStates, type LinkStates } from "./link-states.ts";

interface Watched {
  readonly states: LinkStates;
  readonly live: Set<string>;
  /** Links that were looked up, in order. */
  readonly looked: string[];
  readonly pass: (ms: number) => void;
}

function watched(): Watched {
  let nowMs = 1e12;
  const live = new Set(["a", "b"]);
  const looked: string[] = [];
  const states = createLinkStates({ now: () => new Date(nowMs) }, async (linkId) => {
    looked.push(linkId);
    if (linkId === "broken") throw new Error("the database is away");
    return live.has(linkId);
  });
  return { states, live, looked, pass: (ms) => void (nowMs += ms) };
}

test("a thousand tiles of a link look it up once in five seconds", async () => {
  const { states, looked, pass } = watched();
  assert.deepEqual(new Set(await Promise.all(Array.from({ length: 500 }, () => states.isLive("a")))), new Set([true]));
  pass(4_999);
  for (let tile = 0; tile < 500; tile += 1) assert.equal(await states.isLive("a"), true);
  assert.deepEqual(looked, ["a"]);
  pass(1);
  assert.equal(await states.isLive("a"), true);
  assert.deepEqual(looked, ["a", "a"]);
});

test("a link that another process revokes ends within five seconds, one of this process at once", async () => {
  const { states, live, pass } = watched();
  assert.deepEqual([await states.isLive("a"), await states.isLive("b")], [true, true]);
  live.clear();
  states.forget("a");
  assert.deepEqual([await states.isLive("a"), await states.isLive("b")], [false, true]);
  pass(5_000);
  assert.equal(await states.isLive("b"), false);
});

test("a failed look-up is no state: the next tile asks again", async () => {
  const { states, looked } = watched();
  await assert.rejects(states.isLive("broken"), /away/u);
  await assert.rejects(states.isLive("broken"), /away/u);
  assert.deepEqual(looked, ["broken", "broken"]);
});
