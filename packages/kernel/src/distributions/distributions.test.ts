import assert from "node:assert/strict";
import { test } from "node:test";
import { incompleteBeta } from "./beta.ts";
import {
  chiSquareQuantile,
  chiSquareTail,
  fCdf,
  fQuantile,
  fTail,
  normalQuantile,
  normalTail,
  speckleTail,
} from "./distributions.ts";
import { incompleteGamma, logGamma } from "./gamma.ts";

/** Values of scipy 1.17: special.gammaln, gammainc, gammaincc, betainc; stats.chi2, f and norm, sf and isf. */
const SCIPY = {
  lgamma: [
    [0.1, 2.252712651734206],
    [0.5, 0.5723649429247],
    [1.5, -0.12078223763524526],
    [4.4, 2.3161034914248577],
    [25.0, 54.78472939811232],
    [171.3, 708.1149470389971],
  ],
  gammainc: [
    [0.5, 0.1, 0.34527915398142317, 0.6547208460185768],
    [4.4, 22.220000000000002, 0.9999990195063866, 9.804936134639934e-7],
    [4.4, 1.0, 0.010051375586977135, 0.9899486244130229],
    [30, 45, 0.9926628007022035, 0.007337199297796568],
    [0.05, 2.0, 0.9973614572912035, 0.002638542708796531],
    [200, 150, 5.709688574208249e-5, 0.9999429031142579],
  ],
  betainc: [
    [0.5, 0.5, 0.3, 0.36901011956554536],
    [4.4, 35.2, 0.2, 0.9467736404732798],
    [10, 2, 0.9, 0.6973568802000002],
    [100, 120, 0.5, 0.9117960627949818],
    [2.2, 8.8, 0.001, 1.4200117617635949e-5],
  ],
  chi2sf: [
    [3.357, 4, 0.4999520607477308],
    [30, 4, 4.894437128029217e-6],
    [100, 12, 5.567756260698086e-16],
    [0.5, 1, 0.47950012218695337],
    [9.21, 2, 0.01000170200470548],
  ],
  chi2isf: [
    [0.5, 4, 3.3566939800333224],
    [1e-6, 4, 33.37684158171984],
    [0.001, 1, 10.827566170662733],
    [0.01, 24, 42.97982013935164],
  ],
  fsf: [
    [2.5, 8.8, 8.8, 0.09685694375387925],
    [10, 8.8, 400, 1.164961024061773e-13],
    [0.3, 5, 7, 0.8981557643278846],
  ],
  fisf: [
    [1e-7, 8.8, 880, 5.791843639758396],
    [0.01, 8.8, 8.8, 5.470036335023142],
    [0.0001, 2, 40, 11.697863849222445],
  ],
  nisf: [
    [1e-7, 5.1993375821928165],
    [0.01, 2.3263478740408408],
    [0.5, 0.0],
    [0.9, -1.2815515655446004],
  ],
} as const;

function close(got: number, expected: number, relative: number, what: string): void {
  assert.ok(
    Math.abs(got - expected) <= relative * Math.max(Math.abs(expected), 1e-300),
    `${what}: ${got}, expected ${expected}`,
  );
}

test("the gamma functions are scipy's to twelve digits", () => {
  for (const [x, expected] of SCIPY.lgamma) close(logGamma(x), expected, 1e-12, `log gamma ${x}`);
  for (const [a, x, p, q] of SCIPY.gammainc) {
    close(incompleteGamma(a, x).p, p, 1e-11, `P(${a}, ${x})`);
    close(incompleteGamma(a, x).q, q, 1e-11, `Q(${a}, ${x})`);
  }
});

test("the incomplete beta function is scipy's to eleven digits", () => {
  for (const [a, b, x, expected] of SCIPY.betainc)
    close(incompleteBeta(a, b, x), expected, 1e-11, `I(${a}, ${b}, ${x})`);
});

test("tails and quantiles of the distributions are scipy's", () => {
  for (const [x, f, expected] of SCIPY.chi2sf) close(chiSquareTail(x, f), expected, 1e-11, `chi2 ${x} ${f}`);
  for (const [p, f, expected] of SCIPY.chi2isf)
    close(chiSquareQuantile(p, f), expected, 1e-10, `chi2 quantile ${p} ${f}`);
  for (const [x, a, b, expected] of SCIPY.fsf) {
    close(fTail(x, a, b), expected, 1e-11, `F ${x}`);
    close(fCdf(x, a, b), 1 - expected, 1e-10, `F ${x}`);
  }
  for (const [p, a, b, expected] of SCIPY.fisf) close(fQuantile(p, a, b), expected, 1e-10, `F quantile ${p}`);
  for (const [p, expected] of SCIPY.nisf) {
    assert.ok(Math.abs(normalQuantile(p) - expected) < 1e-9, `normal quantile ${p}: ${normalQuantile(p)}`);
    close(normalTail(expected), p, 1e-9, `normal tail ${expected}`);
  }
});

test("multilooked speckle has mean 1: an exceedance of single-look speckle is exponential", () => {
  for (const x of [0.1, 1, 5, 13.8]) close(speckleTail(x, 1), Math.exp(-x), 1e-12, `speckle ${x}`);
});
