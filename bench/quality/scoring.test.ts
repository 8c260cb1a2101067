import assert from "node:assert/strict";
import { test } from "node:test";
import { blockConfusions, f1, iou, joined, overallAccuracy } from "./confusion.ts";
import { shareInterval, unitInterval } from "./interval.ts";
import { middleLine, near } from "./near.ts";
import { mean } from "../statistics.ts";
import { matchObjects, type FoundAt, type TruthObject } from "./matching.ts";

test("intervals of shares are Wilson's", () => {
  // scipy: binomtest(8, 10).proportion_ci(method="wilson") and (27, 27); nothing is known of nothing.
  for (const [hits, total, low, high] of [
    [8, 10, 0.490162, 0.943318],
    [27, 27, 0.875432, 1],
    [0, 0, 0, 1],
  ] as const) {
    const [from, to] = shareInterval(hits, total);
    assert.ok(Math.abs(from - low) < 1e-4 && Math.abs(to - high) < 1e-4, `${hits} of ${total}: ${from} to ${to}`);
  }
});

test("intervals of units hold their mean, are the same every time, and need three units", () => {
  const units = [0.7, 0.8, 0.9, 0.6, 0.95];
  const interval = unitInterval(units, mean);
  assert.ok(interval !== null && interval[0] < mean(units) && mean(units) < interval[1]);
  assert.deepEqual(unitInterval(units, mean), interval);
  assert.equal(unitInterval([1, 2], mean), null);
});

const truthAt = (lon: number, reachM: number, counts = true): TruthObject => ({ centre: [lon, 0], reachM, counts });
const foundAt = (lon: number): FoundAt => ({ centre: [lon, 0], properties: {} });
const METRES = 1 / 111_320;

test("each object is matched once, the nearest first, and what is found again is a false alarm", () => {
  const truth = [truthAt(0, 200), truthAt(300 * METRES, 200), truthAt(5000 * METRES, 200)];
  const found = [foundAt(140 * METRES), foundAt(-20 * METRES), foundAt(-60 * METRES), foundAt(9000 * METRES)];
  const { hits, misses, falseAlarms } = matchObjects(truth, found);
  assert.deepEqual({ hits, misses, falseAlarms }, { hits: 2, misses: 1, falseAlarms: 2 });
});

test("finding what does not count is neither a hit nor wrong", () => {
  const { hits, misses, falseAlarms } = matchObjects([truthAt(0, 200, false)], [foundAt(0)]);
  assert.deepEqual({ hits, misses, falseAlarms }, { hits: 0, misses: 0, falseAlarms: 0 });
});

test("confusions of blocks add up to that of the whole, without pixels that lack truth or result", () => {
  const names = ["water", "land"];
  const truth = [0, 0, 1, 1, 1, -1, 0, 1];
  const found = [0, 1, 1, 1, 0, 1, -1, 1];
  const blocks = blockConfusions(
    names,
    { widthPx: 4, heightPx: 2, truthAt: (i) => truth[i]!, foundAt: (i) => found[i]! },
    2,
  );
  const whole = joined(blocks);
  assert.equal(blocks.length, 2);
  // Of six pixels four are right; water: one of both, one only true, one only found.
  assert.equal(overallAccuracy(whole), 4 / 6);
  assert.equal(iou(whole, "water"), 1 / 3);
  assert.equal(f1(whole, "water"), 2 / 4);
});

test("the middle of a strip is a line, and what is near it is the strip", () => {
  const widthPx = 9;
  const strip = Uint8Array.from({ length: widthPx * 7 }, (_, i) => (i % widthPx >= 3 && i % widthPx <= 5 ? 1 : 0));
  const middle = middleLine(strip, widthPx);
  assert.ok(middle.every((set, i) => set === (i % widthPx === 4 ? 1 : 0)));
  assert.deepEqual(near(middle, widthPx, 1), strip);
  assert.ok(!middleLine(new Uint8Array(9), 3).includes(1));
  assert.ok(!near(new Uint8Array(9), 3, 2).includes(1));
});
