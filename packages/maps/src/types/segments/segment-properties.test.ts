import assert from "node:assert/strict";
import { test } from "node:test";
import type { OpticalBands } from "../../analysis/optical/optical-block.ts";
import { NO_SEED } from "./cluster-pixels.ts";
import { perimeterPx, segmentProperties, segmentSums } from "./segment-properties.ts";

/** Three segments, one of them a disc, and a pixel of none; grey levels of numpy's generator 11. */
const ROWS = [
  ".00000000000000000",
  "000000000000000000",
  "000011111000000000",
  "000111111122222200",
  "001111111122222200",
  "001111111122222200",
  "001111111122222200",
  "001111111122222200",
  "001111111122222200",
  "000111111122222200",
  "000011111022222200",
  "000000000022222200",
  "000000000000000000",
  "000000000000000000",
];
const COLUMNS = 18;
const LEVELS = Uint8Array.from(
  [
    "44pfijm0f4cth2h4ou",
    "vjrb4gelv8r4bp7leg",
    "uqqhvv469hqfvbtin7",
    "ipsru4oel802vs9d74",
    "rl26isv6j156ebnfas",
    "kmnas0950v2eqmr1f1",
    "6r2i09ta92o5f00q0e",
    "d4knv6t14jrsn0dpg6",
    "l2m0b9unkf9ru67af8",
    "cvbugatdoavns132hc",
    "v75r9n9h2ltmsoitf4",
    "hk54lefpls5oh12bk5",
    "hv44u7rbo1krak650f",
    "g27jb701k3rh8k5afk",
  ].join(""),
  (digit) => Number.parseInt(digit, 32),
);
const segments = Int32Array.from(ROWS.join(""), (sign) => (sign === "." ? NO_SEED : Number(sign)));

/**
 * By numpy: pixels, outline by intercepts in four directions, contrast of the normalised symmetric co-occurrence matrix of four
 * directions at distance 1, mean and standard deviation.
 */
const EXPECTED = [
  { pixels: 133, perimeter: 101.414453, contrast: 162.815013, mean: 15.43609, std: 9.053187 },
  { pixels: 64, perimeter: 27.791138, contrast: 233.244131, mean: 15.0, std: 10.315341 },
  { pixels: 54, perimeter: 27.331063, contrast: 197.468208, mean: 15.222222, std: 10.624337 },
] as const;

test("shape, reflectance and contrast are those of numpy", () => {
  const blue = Int16Array.from(LEVELS, (level) => 100 * level);
  const bands: OpticalBands = {
    columns: COLUMNS,
    rows: ROWS.length,
    valid: Uint8Array.from(segments, (segment) => (segment === NO_SEED ? 0 : 1)),
    planes: { B: blue, R: blue.map((value) => 4000 - value), N: blue.map(() => 3000) },
  };
  const sums = segmentSums(segments, bands, LEVELS, 3);
  for (const [segment, { pixels, perimeter, contrast, mean, std }] of EXPECTED.entries()) {
    assert.ok(Math.abs(perimeterPx(sums, segment) - perimeter) < 1e-5);
    const ground = { metresPerPixelX: 10, metresPerPixelY: 10, northDeg: 0, lonDeg: 0, latDeg: 0 };
    const found = segmentProperties(sums, segment, ground);
    assert.equal(found["pixels"], pixels);
    assert.ok(Math.abs(found["perimeterM"] - 10 * perimeter) < 0.06);
    assert.ok(Math.abs(found["compactness"] - Math.min(1, (4 * Math.PI * pixels) / perimeter ** 2)) < 1e-4);
    assert.ok(Math.abs(found["contrast"] - contrast) < 1e-3);
    assert.ok(Math.abs(found["meanBlue"] - mean / 100) < 1e-5);
    assert.ok(Math.abs(found["stdBlue"] - std / 100) < 1e-5);
    assert.ok(Math.abs(found["meanRed"] - (0.4 - mean / 100)) < 1e-5);
    const ndvi = [...segments.keys()]
      .filter((i) => segments[i] === segment)
      .map((i) => (3000 - bands.planes.R![i]) / (3000 + bands.planes.R![i]));
    assert.ok(Math.abs(found["ndvi"] - ndvi.reduce((sum, one) => sum + one, 0) / ndvi.length) < 1e-4);
    assert.ok(!("nbr" in found) && !("meanGreen" in found));
  }
});

test("the outline of a disc is as long as its circumference, whose compactness is 1", () => {
  const side = 101;
  const disc = Int32Array.from({ length: side * side }, (_, i) =>
    Math.hypot((i % side) - 50, Math.floor(i / side) - 50) <= 40 ? 0 : NO_SEED,
  );
  const plane = new Int16Array(side * side).fill(1000);
  const bands = { columns: side, rows: side, valid: new Uint8Array(side * side).fill(1), planes: { B: plane } };
  const sums = segmentSums(disc, bands, new Uint8Array(side * side), 1);
  assert.ok(Math.abs(perimeterPx(sums, 0) / (2 * Math.PI * 40) - 1) < 0.02, `${perimeterPx(sums, 0)}`);
});
