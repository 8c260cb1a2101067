import assert from "node:assert/strict";
import { test } from "node:test";
import { seededNormal, seededUniform } from "../clutter/simulate-clutter.ts";
import { Fourier } from "./fft.ts";
import { phaseCorrelation } from "./phase-correlation.ts";
import { consensus } from "./scene-shift.ts";
import { shiftedPlane } from "./shifted-plane.ts";
import { nth } from "../nth-testing.ts";

test("the transform is that of its definition and goes back", () => {
  const normal = seededNormal(seededUniform(3));
  const real = Float64Array.from({ length: 16 }, normal);
  const imaginary = Float64Array.from({ length: 16 }, normal);
  const [re, im] = [real.slice(), imaginary.slice()];
  const fourier = new Fourier(16);
  fourier.transform(re, im);
  for (let k = 0; k < 16; k++) {
    let [sumRe, sumIm] = [0, 0];
    for (let n = 0; n < 16; n++) {
      const angle = (-2 * Math.PI * k * n) / 16;
      sumRe += nth(real, n) * Math.cos(angle) - nth(imaginary, n) * Math.sin(angle);
      sumIm += nth(real, n) * Math.sin(angle) + nth(imaginary, n) * Math.cos(angle);
    }
    assert.ok(Math.hypot(nth(re, k) - sumRe, nth(im, k) - sumIm) < 1e-12);
  }
  fourier.transform(re, im, true);
  for (let n = 0; n < 16; n++) assert.ok(Math.abs(nth(re, n) / 16 - nth(real, n)) < 1e-12);
  assert.throws(() => new Fourier(12), RangeError);
});

/** Fields with straight edges, exact at any place, so that shifts by fractions need no interpolation. */
function field(x: number, y: number, seed: number): number {
  const uniform = seededUniform(seed);
  let value = 0;
  for (let i = 0; i < 40; i++) {
    const [cx, cy, angle, radius, level] = [
      uniform() * 256,
      uniform() * 256,
      uniform() * 6.3,
      8 + uniform() * 30,
      uniform(),
    ];
    const u = (x - cx) * Math.cos(angle) + (y - cy) * Math.sin(angle);
    const v = -(x - cx) * Math.sin(angle) + (y - cy) * Math.cos(angle);
    // An edge that a sensor blurs to about a pixel.
    value += level / (1 + Math.exp((Math.max(Math.abs(u), Math.abs(v)) - radius) * 2));
  }
  return value;
}

function image(side: number, dx: number, dy: number, gain: number, noise: number, seed: number): Float32Array {
  const normal = seededNormal(seededUniform(seed));
  return Float32Array.from(
    { length: side * side },
    (_, i) => gain * field((i % side) - dx, Math.floor(i / side) - dy, 5) + noise * normal(),
  );
}

test("shifts are found to a fifth of a pixel, also of an image that turned from dark to bright", () => {
  const before = image(128, 0, 0, 1, 0.02, 1);
  for (const [dx, dy, gain] of [
    [0, 0, 1],
    [3, -5, 1],
    [1.4, 2.7, 1],
    [-6.25, 0.5, -2],
  ] as const) {
    const shift = phaseCorrelation([before], [image(128, dx, dy, gain, 0.02, 2)], 128, 128, 16);
    assert.ok(shift !== null);
    assert.ok(Math.hypot(shift.dx - dx, shift.dy - dy) < 0.2, `${shift.dx}, ${shift.dy}; expected ${dx}, ${dy}`);
    assert.ok(shift.significance > 8, `${shift.significance}`);
  }
});

function speckled(seed: number): Float32Array {
  return image(128, 0, 0, 0, 1, seed);
}

test("noise has no shift, and tiny or empty images are not measured", () => {
  const shift = phaseCorrelation([speckled(1)], [speckled(2)], 128, 128, 16);
  assert.ok(shift !== null && shift.significance < 8, `${shift?.significance}`);
  assert.equal(phaseCorrelation([speckled(1).slice(0, 900)], [speckled(2).slice(0, 900)], 30, 30, 16), null);
  const empty = new Float32Array(128 * 128).fill(Number.NaN);
  assert.equal(phaseCorrelation([empty], [speckled(1)], 128, 128, 16), null);
});

test("the shift is what most windows agree on, and none when they do not", () => {
  const agreed = consensus([
    { dx: 2, dy: 1 },
    { dx: 2.2, dy: 1 },
    { dx: 1.8, dy: 1 },
    { dx: -9, dy: 12 },
  ]);
  assert.equal(agreed.status, "measured");
  assert.ok(Math.abs(agreed.dx - 2) < 1e-9 && Math.abs(agreed.dy - 1) < 1e-9);
  assert.deepEqual([agreed.windows, agreed.agreeing], [4, 3]);
  const torn = consensus([
    { dx: 2, dy: 1 },
    { dx: 5, dy: 1 },
    { dx: -3, dy: 1 },
  ]);
  assert.deepEqual([torn.status, torn.dx, torn.dy], ["inconsistent", 0, 0]);
  assert.ok(torn.residualPx !== null && torn.residualPx > 1);
  assert.equal(consensus([]).status, "not-measured");
});

test("a moved plane is bilinear, and has no value where it needs what is not there", () => {
  const plane = Float32Array.from({ length: 20 }, (_, i) => (i % 5) * 10 + Math.floor(i / 5));
  const moved = shiftedPlane(plane, 5, 4, 1.5, 1);
  // At (column, row) the value at (column + 1.5, row + 1).
  assert.equal(moved[0], 16);
  assert.equal(moved[5 * 2 + 2], 38);
  assert.ok(Number.isNaN(moved[3]) && Number.isNaN(moved[15]));
  assert.deepEqual([...shiftedPlane(plane, 5, 4, -1, 0).subarray(1, 5)], [0, 10, 20, 30]);
  assert.equal(shiftedPlane(plane, 5, 4, 0.05, 0), plane);
  const holed = plane.slice();
  holed[7] = Number.NaN;
  assert.deepEqual([...shiftedPlane(holed, 5, 4, 0.5, 0)].map(Number.isNaN).filter(Boolean).length, 2 + 4);
});
