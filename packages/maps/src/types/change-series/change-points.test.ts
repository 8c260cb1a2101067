import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { findChangePoints, seriesTests, type ChangePoints } from "./change-points.ts";
import { factorStatistic, omnibusQuantile, omnibusStatistic, omnibusTail, omnibusTest } from "./omnibus-test.ts";
import { SCIPY_SERIES } from "./scipy-series.fixture.ts";
import { nth } from "../../analysis/nth-testing.ts";

/** Seven dates of two polarisations: constant, a step up at the fourth, back at the seventh. */
const SERIES = [
  [1, 0.2],
  [1.1, 0.21],
  [0.95, 0.19],
  [2.4, 0.45],
  [2.2, 0.5],
  [2.5, 0.48],
  [0.9, 0.2],
] as const;

/** By numpy and scipy.stats.chi2 from the formulas of Conradsen et al. 2016: `-2 rho lnQ` and its tail, `-2 rho_j lnR_j`. */
const REFERENCE = [
  {
    looks: 4.4,
    statistic: 11.241850224074067,
    tail: 0.5065569977930471,
    factors: [
      0.02378123923055602, 0.04381298244009367, 4.970783977552969, 2.4322935225451987, 1.6843300448314604,
      2.1243007490577863,
    ],
  },
  {
    looks: 16,
    statistic: 42.220523465979525,
    tail: 3.0430141841808686e-5,
    factors: [
      0.09025410069427886, 0.16466041617181834, 18.63634940892966, 9.110306507521365, 6.3057244385345985,
      7.95068088571168,
    ],
  },
] as const;

function near(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) <= 1e-9 * Math.abs(expected), `${actual}, expected ${expected}`);
}

function sumOverChannels(of: (values: readonly number[]) => number, from: number, to: number): number {
  return [0, 1].reduce((sum, channel) => sum + of(SERIES.slice(from, to).map((date) => nth(date, channel))), 0);
}

const logOfSum = (values: readonly number[]): number => Math.log(values.reduce((sum, value) => sum + value, 0));

test("the test of a series and its factors agree with scipy", () => {
  for (const { looks, statistic, tail, factors } of REFERENCE) {
    const omnibus = omnibusTest(7, 2, looks);
    const logs = sumOverChannels((values) => values.reduce((sum, value) => sum + Math.log(value), 0), 0, 7);
    const z = omnibusStatistic(omnibus, logs, sumOverChannels(logOfSum, 0, 7));
    near(z, statistic);
    near(omnibusTail(omnibus, z), tail);
    for (const [i, factor] of factors.entries()) {
      const j = i + 2;
      const of = (from: number, to: number): number => sumOverChannels(logOfSum, from, to);
      near(factorStatistic(j, 2, looks, of(0, j - 1), of(j - 1, j), of(0, j)), factor);
    }
  }
});

test("the factors multiply to the whole: lnQ is the sum of lnR_j", () => {
  const positive = fc.double({ min: 1e-3, max: 1e3, noNaN: true });
  fc.assert(
    fc.property(fc.array(positive, { minLength: 2, maxLength: 30 }), (powers) => {
      const total = (to: number): number => powers.slice(0, to).reduce((sum, power) => sum + power, 0);
      const k = powers.length;
      const omnibus = omnibusTest(k, 1, 50);
      const logs = powers.reduce((sum, power) => sum + Math.log(power), 0);
      const whole = omnibusStatistic(omnibus, logs, Math.log(total(k))) / omnibus.rho;
      let parts = 0;
      for (let j = 2; j <= k; j++) {
        const rho = 1 - (1 + 1 / (j * (j - 1))) / (6 * 50);
        parts +=
          factorStatistic(j, 1, 50, Math.log(total(j - 1)), Math.log(nth(powers, j - 1)), Math.log(total(j))) / rho;
      }
      assert.ok(Math.abs(whole - parts) <= 1e-7 * Math.max(1, whole));
    }),
  );
});

function changesOf(series: readonly (readonly number[])[], looks: number, alpha: number): ChangePoints {
  const into: ChangePoints = { first: 9, last: 9, count: 9, ups: 9, downs: 9, mixed: 9, gradual: true, statistic: 9 };
  const powers = Float64Array.from(series.flat());
  findChangePoints(seriesTests(series.length, nth(series, 0).length, looks, alpha), powers, powers.map(Math.log), into);
  return into;
}

test("a step up and a step back are two changes with their dates", () => {
  const { first, last, count, ups, downs } = changesOf(SERIES, 50, 1e-3);
  assert.deepEqual({ first, last, count, ups, downs }, { first: 3, last: 6, count: 2, ups: 1, downs: 1 });
});

test("a constant series has none, whatever is left of an earlier pixel", () => {
  const { statistic, ...rest } = changesOf(
    Array.from({ length: 12 }, () => [2, 3]),
    50,
    1e-2,
  );
  assert.ok(Math.abs(statistic) < 1e-9);
  assert.deepEqual(rest, { first: 0, last: 0, count: 0, ups: 0, downs: 0, mixed: 0, gradual: false });
});

test("a limit is exceeded with its probability", () => {
  for (const tail of [0.1, 1e-4]) {
    const omnibus = omnibusTest(8, 2, 44);
    near(omnibusTail(omnibus, omnibusQuantile(omnibus, tail)), tail);
  }
});

test("dates, numbers and directions of change are those that scipy finds", () => {
  const tests = seriesTests(8, 2, 20, 1e-3);
  for (const { powers, expected } of SCIPY_SERIES) {
    const into: ChangePoints = {
      first: 9,
      last: 9,
      count: 9,
      ups: 9,
      downs: 9,
      mixed: 9,
      gradual: true,
      statistic: 9,
    };
    findChangePoints(tests, Float64Array.from(powers), Float64Array.from(powers, Math.log), into);
    const { first, last, count, ups, downs, mixed, gradual } = into;
    assert.deepEqual([first, last, count, ups, downs, mixed, gradual], expected);
  }
});
