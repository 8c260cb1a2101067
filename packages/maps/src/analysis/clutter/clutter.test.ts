import assert from "node:assert/strict";
import { test } from "node:test";
import { equivalentLooks } from "./equivalent-looks.ts";
import { kMoment, kQuantile, kTail } from "./k-distribution.ts";
import { fillClutter, seededUniform } from "./simulate-clutter.ts";

/** scipy 1.17: integrate.quad of gammaincc(L, L x exp(-u)) times the gamma density, and optimize.brentq, for L = 4.4. */
const SCIPY = [
  { nu: 100, quantile: 5.444969327611601, tailAt3: 0.002178753359910843, tailAt001: 0.9999999738253311 },
  { nu: 5, quantile: 10.761243037630315, tailAt3: 0.01774367678597239, tailAt001: 0.9999991225906304 },
  { nu: 2, quantile: 17.33750996701693, tailAt3: 0.03944287624125097, tailAt001: 0.9995442446300894 },
  { nu: 0.5, quantile: 44.6551947197121, tailAt3: 0.0842359987447586, tailAt001: 0.9127188272752222 },
  { nu: 0.2, quantile: 91.78707081662486, tailAt3: 0.09479859048893434, tailAt001: 0.6767186928972022 },
] as const;

function near(actual: number, expected: number, relative: number): void {
  assert.ok(Math.abs(actual - expected) <= relative * Math.abs(expected), `got ${actual}, expected ${expected}`);
}

test("tails and thresholds of K-distributed clutter equal those of scipy", () => {
  for (const { nu, quantile, tailAt3, tailAt001 } of SCIPY) {
    near(kQuantile(1e-6, 4.4, nu), quantile, 1e-6);
    near(kTail(3, 4.4, nu), tailAt3, 1e-6);
    near(kTail(0.01, 4.4, nu), tailAt001, 1e-6);
  }
});

test("thresholds of 4.4 looks at one in a million are those of the reference table", () => {
  const table = [
    [Infinity, 5.05],
    [5, 10.8],
    [2, 17.3],
    [0.5, 44.7],
  ] as const;
  for (const [nu, expected] of table) near(kQuantile(1e-6, 4.4, nu), expected, 0.005);
});

test("one look without texture is the exponential distribution", () => {
  near(kTail(3, 1, Infinity), Math.exp(-3), 1e-12);
  near(kQuantile(1e-4, 1, Infinity), Math.log(1e4), 1e-8);
});

test("simulated clutter has the moments of its distribution", () => {
  const values = new Float32Array(400_000);
  for (const nu of [Infinity, 4, 0.8]) {
    fillClutter(values, 4.4, nu, 1, seededUniform(3));
    for (const order of [1, 2]) {
      const mean = values.reduce((sum, value) => sum + value ** order, 0) / values.length;
      const spread = Math.sqrt((kMoment(2 * order, 4.4, nu) - kMoment(order, 4.4, nu) ** 2) / values.length);
      assert.ok(Math.abs(mean - kMoment(order, 4.4, nu)) < 5 * spread, `moment ${order} of nu ${nu}: ${mean}`);
    }
    const share = values.reduce((sum, value) => sum + (value > 3 ? 1 : 0), 0) / values.length;
    const tail = kTail(3, 4.4, nu);
    assert.ok(Math.abs(share - tail) < 5 * Math.sqrt(tail / values.length), `tail of nu ${nu}: ${share}`);
  }
});

test("the number of looks is estimated from plain sea, whatever bright blocks lie on it", () => {
  const columns = 256;
  const power = new Float32Array(columns * columns);
  fillClutter(power, 4.4, Infinity, 0.02, seededUniform(5));
  for (let row = 0; row < 64; row++) power.fill(3, row * columns, row * columns + 64);
  near(equivalentLooks([{ power, use: null, columns }])!, 4.4, 0.05);
  assert.equal(equivalentLooks([{ power, use: new Uint8Array(power.length), columns }]), null);
});
