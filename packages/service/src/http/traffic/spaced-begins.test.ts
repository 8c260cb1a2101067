import assert from "node:assert/strict";
import { test } from "node:test";
import { sleep } from "@swath/base/concurrency/sleep";
import { countInWork, follow } from "@swath/base/concurrency/requests-in-work";
import { steppedClock } from "@swath/base/concurrency/stepped-clock-testing";
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

test("requests of heavy callers are in work a few at a time, and the next begins when one ends", async (t) => {
  const clock = steppedClock(t);
  const begins = createSpacedBegins();
  let begun = 0;
  const ends = Array.from({ length: MOST_IN_WORK + 1 }, (_, i) =>
    beginSpaced(begins, `crowd ${i}`, () => (begun += 1)),
  );
  await clock.pass(5);
  assert.equal(begun, MOST_IN_WORK);
  assert.equal(begins.waiting.size, 1);
  assert.equal(countInWork(begins.heavy, clock.nowMs(), 60_000), MOST_IN_WORK);
  ends[0]?.();
  await clock.pass(4);
  assert.equal(begun, MOST_IN_WORK, "it rests");
  await clock.pass(1);
  assert.equal(begun, MOST_IN_WORK + 1);
  assert.equal(begins.waiting.size, 0);
});

test("heavy callers rest as long as their request was in work, twenty milliseconds with it at most", async (t) => {
  for (const [inWorkMs, restMs] of [
    [1, 1],
    [8, 8],
    [10, 10],
    [15, 5],
    [25, 0],
  ] as const) {
    await t.test(`${inWorkMs} ms`, async (each) => {
      const clock = steppedClock(each);
      const begins = createSpacedBegins();
      const begunMs: number[] = [];
      let endedMs = 0;
      for (let i = 0; i < MOST_IN_WORK + 1; i += 1) {
        const end = beginSpaced(begins, "crowd", () => {
          begunMs.push(clock.nowMs());
          if (begunMs.length > 1) return;
          clock.work(inWorkMs);
          endedMs = clock.nowMs();
          end();
        });
      }
      await clock.pass(30);
      assert.equal(begunMs.length, MOST_IN_WORK + 1);
      assert.equal(begunMs.at(-1)! - endedMs, restMs);
    });
  }
});

test("a request whose client has gone before its turn holds no other one", async () => {
  const begins = createSpacedBegins();
  const { promise: inWork, resolve } = Promise.withResolvers<number>();
  const end = beginSpaced(begins, "crowd", () => resolve(countInWork(begins.heavy, performance.now(), 60_000)));
  end();
  assert.equal(await inWork, 0);
});

test("a request of less than a millisecond has no rest", async (t) => {
  const clock = steppedClock(t);
  const begins = createSpacedBegins();
  let inWork = -1;
  const end = beginSpaced(begins, "crowd", () => {
    clock.work(0.9);
    end();
    inWork = countInWork(begins.heavy, clock.nowMs(), 60_000);
  });
  await clock.pass(1);
  assert.equal(inWork, 0);
});

test("a request of a heavy caller that does not end holds the next one for twenty milliseconds", async (t) => {
  const clock = steppedClock(t);
  const begins = createSpacedBegins();
  let begun = 0;
  for (let i = 0; i < 2 * MOST_IN_WORK; i += 1) beginSpaced(begins, "crowd", () => (begun += 1));
  await clock.pass(19);
  assert.equal(begun, MOST_IN_WORK);
  await clock.pass(1);
  assert.equal(begun, 2 * MOST_IN_WORK);
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

test("a request of a heavy caller begins a moment after the last one of another caller has ended", async (t) => {
  const clock = steppedClock(t);
  const begins = createSpacedBegins();
  const [endFirst, endLast] = [follow(begins.light, clock.nowMs()), follow(begins.light, clock.nowMs())];
  let begunMs: number | undefined;
  beginSpaced(begins, "crowd", () => (begunMs = clock.nowMs()));
  await clock.pass(1);
  endFirst();
  await clock.pass(1);
  endLast();
  const endedMs = clock.nowMs();
  await clock.pass(2);
  assert.equal(begunMs, endedMs + 1);
});

test("a request of a heavy caller waits five milliseconds for one that does not end", async (t) => {
  const clock = steppedClock(t);
  const begins = createSpacedBegins();
  const startedMs = clock.nowMs();
  follow(begins.light, startedMs);
  let begunMs: number | undefined;
  beginSpaced(begins, "crowd", () => (begunMs = clock.nowMs()));
  await clock.pass(8);
  assert.equal(begunMs, startedMs + 5);
  assert.equal(countInWork(begins.light, clock.nowMs(), 50), 1);
});
