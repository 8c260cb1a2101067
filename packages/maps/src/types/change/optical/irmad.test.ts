import assert from "node:assert/strict";
import { test } from "node:test";
import { estimateIrMad, irMadStatistic, type IrMadModel, type PixelPairs } from "./irmad.ts";
import { nth } from "../../../analysis/nth-testing.ts";

/** Sums of twelve uniform numbers of Park and Miller's generator less six: the same in any language. */
function parkMillerNormal(seed: number): () => number {
  let state = seed;
  return () => {
    let sum = -6;
    for (let i = 0; i < 12; i++) {
      state = (state * 48_271) % 2_147_483_647;
      sum += state / 2_147_483_647;
    }
    return sum;
  };
}

const COUNT = 3000;
const BANDS = 4;

function referencePairs(): PixelPairs {
  const normal = parkMillerNormal(20_260_201);
  const first = Array.from({ length: BANDS }, () => new Float64Array(COUNT));
  const second = Array.from({ length: BANDS }, () => new Float64Array(COUNT));
  for (let i = 0; i < COUNT; i++) {
    const shared = Array.from({ length: BANDS }, normal);
    const noise = Array.from({ length: 2 * BANDS }, normal);
    for (let b = 0; b < BANDS; b++) {
      const base = 100 + 20 * (nth(shared, 0) + 0.5 * nth(shared, b));
      const step = i % 10 === 0 ? (b % 2 === 1 ? 30 : -25) : 0;
      nth(first, b)[i] = base + 2 * nth(noise, b);
      nth(second, b)[i] = 1.2 * base + 5 * b + 2 * nth(noise, BANDS + b) + step;
    }
  }
  return { first, second, count: COUNT };
}

/**
 * Five estimates on the same pixels by numpy 2 and scipy 1.17: the generalised eigenproblem
 * `scipy.linalg.eigh(S12 S22^-1 S21, S11)` instead of Cholesky factors, weights `scipy.stats.chi2.sf(Z, 4)`, calibration
 * `chi2.ppf(0.5, 4) / sort(Z)[n // 2]`.
 */
const REFERENCE = {
  correlations: [0.9993968387805131, 0.9885158427648052, 0.9861621902962697, 0.9710974995403999],
  calibration: 0.343062297221584,
  positions: [0, 1, 2, 3, 10, 11, 1500, 2999],
  statistics: [
    212.2128526078549, 1.5818567030373827, 4.73598061594011, 3.7146360902737534, 312.70932236703425, 1.5863321596925746,
    263.4690010939821, 4.328140915624576,
  ],
};

function statistics(model: IrMadModel, { first, second, count }: PixelPairs): Float64Array {
  return Float64Array.from({ length: count }, (_, i) =>
    irMadStatistic(
      model,
      first.map((values) => nth(values, i)),
      second.map((values) => nth(values, i)),
    ),
  );
}

function near(actual: number, expected: number, relative: number): void {
  assert.ok(Math.abs(actual - expected) <= relative * Math.abs(expected), `${actual}, expected ${expected}`);
}

test("alteration detection agrees with numpy and scipy", () => {
  const pairs = referencePairs();
  const model = estimateIrMad(pairs);
  assert.ok(model !== null);
  assert.equal(model.iterations, 5);
  // The table of weights is good to 1e-7.
  for (const [k, rho] of REFERENCE.correlations.entries()) near(nth(model.correlations, k), rho, 1e-7);
  near(model.calibration, REFERENCE.calibration, 1e-6);
  const values = statistics(model, pairs);
  for (const [i, at] of REFERENCE.positions.entries()) near(nth(values, at), nth(REFERENCE.statistics, i), 1e-5);
});

test("bands may be mixed linearly at either date without changing the statistic", () => {
  const pairs = referencePairs();
  const mixed: PixelPairs = {
    ...pairs,
    first: pairs.first.map((values, b) =>
      values.map((value, i) => 3 * value - 0.4 * nth(nth(pairs.first, (b + 1) % 4), i) + 7),
    ),
    second: pairs.second.map((values, b) =>
      values.map((value, i) => 0.01 * (b + 1) * value + 0.002 * nth(nth(pairs.second, 0), i) - 1),
    ),
  };
  const plain = statistics(estimateIrMad(pairs)!, pairs);
  const after = statistics(estimateIrMad(mixed)!, mixed);
  for (let i = 0; i < plain.length; i++) near(nth(after, i), nth(plain, i), 1e-8);
});

test("two copies of one image have not changed anywhere", () => {
  const { first, count } = referencePairs();
  const pairs = { first, second: first, count };
  const model = estimateIrMad(pairs);
  assert.ok(model !== null);
  assert.ok(Math.max(...statistics(model, pairs)) < 1e-6);
});

function few(planes: readonly Float64Array[]): readonly Float64Array[] {
  return planes.map((plane) => plane.subarray(0, 100));
}

test("bands that repeat each other are borne; images without contrast or with few pixels are not", () => {
  const { first, second, count } = referencePairs();
  const doubled = { first: [...first, nth(first, 0)], second: [...second, nth(second, 0)], count };
  const model = estimateIrMad(doubled);
  assert.ok(model !== null);
  assert.ok(statistics(model, doubled).every(Number.isFinite));
  const flat = first.map(() => new Float64Array(count).fill(5));
  assert.equal(estimateIrMad({ first: flat, second: flat, count }), null);
  assert.equal(estimateIrMad({ first: few(first), second: few(second), count: 100 }), null);
});
