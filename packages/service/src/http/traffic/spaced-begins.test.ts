import assert from "node:assert/strict";
import { test } from "node:test";
import { sleep } from "@swath/base/concurrency/sleep";
import { countInWork, follow } from "@swath/base/concurrency/requests-in-work";
import { beginSpaced, createSpacedBegins, MOST_IN_WORK, nextGapMs } from "./spaced-begins.ts";

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
  const add = (caller: string): void => {
    const end = beginSpaced(begins, caller, () => {
      begun.push(caller);
      queueMicrotask(() => end());
      if (begun.length === 6) resolve();
    });
  };
  for (const caller of ["a", "a", "a", "b", "b", "c"]) add(caller);
  assert.deepEqual(begun, [], "none begins before its turn");
  await all;
  assert.deepEqual(begun, ["a", "b", "c", "a", "b", "a"]);
  assert.equal(begins.waiting.size, 0);
});

test("requests of heavy callers are in work a few at a time, and the next begins when one ends", async () => {
  const begins = createSpacedBegins();
  const began = Array.from({ length: MOST_IN_WORK + 1 }, () => Promise.withResolvers<void>());
  const ends = began.map(({ resolve }, i) => beginSpaced(begins, `crowd ${i}`, resolve));
  await Promise.all(began.slice(0, MOST_IN_WORK).map(({ promise }) => promise));
  assert.equal(begins.waiting.size, 1);
  assert.equal(countInWork(begins.heavy, performance.now(), 60_000), MOST_IN_WORK);
  ends[0]?.();
  await began.at(-1)?.promise;
  assert.equal(begins.waiting.size, 0);
});

test("heavy callers rest as long as their request was in work", async () => {
  const begins = createSpacedBegins();
  const begunMs: number[] = [];
  const { promise: all, resolve } = Promise.withResolvers<void>();
  let endedMs = 0;
  for (let i = 0; i < MOST_IN_WORK + 1; i += 1) {
    const end = beginSpaced(begins, "crowd", () => {
      const nowMs = performance.now();
      begunMs.push(nowMs);
      if (begunMs.length > MOST_IN_WORK) resolve();
      if (begunMs.length > 1) return;
      while (performance.now() - nowMs < 8);
      endedMs = performance.now();
      end();
    });
  }
  await all;
  // A timer may be a millisecond early.
  assert.ok(begunMs.at(-1)! - endedMs > 6.5, `began ${begunMs.at(-1)! - endedMs} ms after the end`);
});

test("a request whose client has gone before its turn holds no other one", async () => {
  const begins = createSpacedBegins();
  const { promise: inWork, resolve } = Promise.withResolvers<number>();
  const end = beginSpaced(begins, "crowd", () => resolve(countInWork(begins.heavy, performance.now(), 60_000)));
  end();
  assert.equal(await inWork, 0);
});

test("a request of less than a millisecond has no rest", async () => {
  const begins = createSpacedBegins();
  const { promise: inWork, resolve } = Promise.withResolvers<number>();
  const end = beginSpaced(begins, "crowd", () => {
    end();
    resolve(countInWork(begins.heavy, performance.now(), 60_000));
  });
  assert.equal(await inWork, 0);
});

test("a request of a heavy caller that does not end holds the next one for a short time", async () => {
  const begins = createSpacedBegins();
  const all = Array.from({ length: 3 * MOST_IN_WORK }, async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    beginSpaced(begins, "crowd", resolve);
    await promise;
  });
  await Promise.all(all);
  assert.equal(begins.waiting.size, 0);
});

test("beyond two hundred waiting requests of a caller further ones begin at once", () => {
  const begins = createSpacedBegins();
  let begun = 0;
  for (let i = 0; i < 210; i += 1) beginSpaced(begins, "crowd", () => (begun += 1))();
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
  for (let i = left; i > 0; i -= 1) {
    const end = beginSpaced(begins, "crowd", () => {
      work();
      end();
    });
  }
  await all;
  await sleep(0);
  assert.ok(performance.now() - startedMs > 1.3 * usedMs, "the thread was busy all the time");
});

test("a request of a heavy caller begins a moment after the last one of another caller has ended", async () => {
  const begins = createSpacedBegins();
  const nowMs = performance.now();
  const [endFirst, endLast] = [follow(begins.light, nowMs), follow(begins.light, nowMs)];
  const { promise: begun, resolve } = Promise.withResolvers<number>();
  beginSpaced(begins, "crowd", () => resolve(performance.now()));
  endFirst();
  endLast();
  const endedMs = performance.now();
  const begunMs = await begun;
  assert.ok(begunMs - endedMs >= 0.9, `${begunMs - endedMs} ms after the end`);
});

test("a request of a heavy caller waits a short time for one that does not end", async () => {
  const begins = createSpacedBegins();
  const nowMs = performance.now();
  follow(begins.light, nowMs + 60_000);
  const { promise: begun, resolve } = Promise.withResolvers<number>();
  beginSpaced(begins, "crowd", () => resolve(performance.now()));
  const waitedMs = (await begun) - nowMs;
  assert.ok(waitedMs >= 5, `${waitedMs} ms`);
  assert.equal(countInWork(begins.light, performance.now(), 50), 1);
});
