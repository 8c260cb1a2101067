import assert from "node:assert/strict";
import { test } from "node:test";
import { logRatioModel, logRatioTail, looksOfMedian } from "./log-ratio.ts";

test("two-sided tails of the ratio agree with scipy.stats.f", () => {
  for (const [logRatio, looks, expected] of [
    [0.5, 4.4, 0.47318983446680724],
    [1, 4.4, 0.1573121964809457],
    [0.2, 88, 0.18561369884237652],
    [0.5, 88, 0.0009844615402179854],
    [0.9, 88, 4.482418058366289e-9],
  ] as const) {
    for (const signed of [logRatio, -logRatio]) {
      const p = logRatioTail(logRatioModel(looks), signed);
      assert.ok(Math.abs(p - expected) < 1e-4 * expected, `${looks} looks at ${signed}: ${p}, expected ${expected}`);
    }
  }
  assert.ok(Number.isNaN(logRatioTail(logRatioModel(4.4), Number.NaN)));
  assert.ok(logRatioTail(logRatioModel(4.4), Infinity) < 1e-6);
});

test("looks follow from the median ratio: values of scipy.stats.f.isf(0.25, 2n, 2n)", () => {
  for (const [looks, median] of [
    [4.4, 0.46988806182363485],
    [16, 0.24062518264647723],
    [88, 0.10184966061454895],
  ] as const) {
    assert.ok(Math.abs(looksOfMedian(median) - looks) < 1e-6 * looks);
  }
});
