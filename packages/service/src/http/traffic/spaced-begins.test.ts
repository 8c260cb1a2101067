import assert from "node:assert/strict";
import { test } from "node:test";
import { sleep } from "@swath/base/concurrency/sleep";
import { followLight, isInWork } from "./light-work.ts";
import { beginSpaced, createSpacedBegins, nextGapMs } from "./spaced-begins.ts";

test("the time between two begins grows to at most fifty milliseconds on a busy thread, and shrinks to none", () => {
  let gapMs = 0;
  const grown: number[] = [];
  for (let i = 0; i < 30; i += 1) grown.push((gapMs = nextGapMs(gapMs, 0.9)));
  assert.equal(grown[0], 1);
  assert.ok(grown.every((gap, i) => i === 0 || gap >= grown[i - 1]!));
  assert.equal(grown.at(-1), 50);
  for (let i = 0; i < 30; i += 1) gapMs = nextGapMs(gapMs, 0.2);
  assert.equal(gapMs, 0);
});

test("callers take turns, and each request begins once", async () => {
  const begins = createSpacedBegins();
  const begun: string[] = [];
  const { promise: all, resolve } = Promise.withResolvers<void>();
  const add = (caller: string): void =>
    beginSpaced(begins, caller, () => {
      if (begun.push(caller) === 6) resolve();
    });
  for (const caller of ["a", "a", "a", "b", "b", "c"]) add(caller);
  assert.deepEqual(begun, [], "none begins before its turn");
  await all;
  assert.deepEqual(begun, ["a", "b", "c", "a", "b", "a"]);
  assert.equal(begins.waiting.size, 0);
});

test("beyond two hundred waiting requests of a caller further ones begin at once", () => {
  const begins = createSpacedBegins();
  let begun = 0;
  for (let i = 0; i < 210; i += 1) beginSpaced(begins, "crowd", () => (begun += 1));
  assert.equal(begun, 10);
  begins.waiting.clear();
});

test("requests that keep the thread busy leave it time", async () => {
  const begins = createSpacedBegins();
  let usedMs = 0;
  let left = 150;
  const { promise: all, resolve } = Promise.withResolvers<void>();
  const work = (): void => {
    const fromMs = performance.now();
    while (performance.now() - fromMs < 2);
    usedMs += performance.now() - fromMs;
    left -= 1;
    if (left === 0) resolve();
  };
  const startedMs = performance.now();
  for (let i = 0; i < left; i += 1) beginSpaced(begins, "crowd", work);
  await all;
  await sleep(0);
  assert.ok(performance.now() - startedMs > 1.3 * usedMs, "the thread was busy all the time");
});

test("a request of a heavy caller begins when the last one of another caller has ended", async () => {
  const begins = createSpacedBegins();
  const nowMs = performance.now();
  const [endFirst, endLast] = [followLight(begins.light, nowMs), followLight(begins.light, nowMs)];
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  beginSpaced(begins, "crowd", resolve);
  endFirst();
  assert.notEqual(begins.light.onIdle, null, "it waits for the other one");
  endLast();
  assert.equal(begins.light.onIdle, null);
  await begun;
});

test("a request of a heavy caller waits a short time for one that does not end", async () => {
  const begins = createSpacedBegins();
  followLight(begins.light, performance.now() + 1_000);
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  beginSpaced(begins, "crowd", resolve);
  await begun;
  assert.ok(isInWork(begins.light, performance.now()));
  assert.equal(begins.light.onIdle, null, "the end of that one begins nothing more");
});

test("a request that lasts is not waited for", () => {
  const begins = createSpacedBegins();
  followLight(begins.light, 0);
  assert.deepEqual([isInWork(begins.light, 49), isInWork(begins.light, 50), begins.light.begun.size], [true, false, 0]);
});
