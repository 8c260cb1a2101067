import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { addToSample, createSample, samplePercentiles } from "./sketch.ts";
import { createStatistics } from "./statistics.ts";

test("figures of sixteen-bit pixels are exact, nodata and invalid pixels left out", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -32_768, max: 32_767 }), { minLength: 1, maxLength: 300 }), (values) => {
      const nodata = values[0] ?? 0;
      const pixels = Int16Array.from(values);
      const valid = Uint8Array.from(values, (_, index) => (index % 5 === 1 ? 0 : 1));
      const statistics = createStatistics("int16", nodata);
      statistics.add(pixels, 0, pixels.length, valid);
      const counted = values.filter((value, index) => value !== nodata && valid[index] === 1).toSorted((a, b) => a - b);
      const figures = statistics.finish();
      if (counted.length === 0) return figures.validPixels === 0;
      const mean = counted.reduce((sum, value) => sum + value, 0) / counted.length;
      const variance = counted.reduce((sum, value) => sum + (value - mean) ** 2, 0) / counted.length;
      return (
        figures.validPixels === counted.length &&
        figures.min === counted[0] &&
        figures.max === counted.at(-1) &&
        Math.abs(figures.mean - mean) < 1e-6 &&
        Math.abs(figures.std - Math.sqrt(variance)) < 1e-6 &&
        figures.p50 === counted[Math.ceil(counted.length * 0.5) - 1] &&
        figures.p05 === counted[Math.max(Math.ceil(counted.length * 0.05) - 1, 0)]
      );
    }),
  );
});

test("mean and deviation of large, nearly equal floats do not cancel", () => {
  const statistics = createStatistics("float64", null);
  const pixels = Float64Array.from({ length: 1000 }, (_, index) => 1e9 + (index % 2));
  statistics.add(pixels, 0, 1000, null);
  const { mean, std } = statistics.finish();
  assert.equal(mean, 1e9 + 0.5);
  assert.ok(Math.abs(std - 0.5) < 1e-9, String(std));
});

test("NaN is never counted", () => {
  const statistics = createStatistics("float32", null);
  statistics.add(Float32Array.of(1, Number.NaN, 3), 0, 3, null);
  assert.deepEqual(statistics.finish(), {
    validPixels: 2,
    min: 1,
    max: 3,
    mean: 2,
    std: 1,
    p005: 1,
    p05: 1,
    p50: 1,
    p95: 3,
    p995: 3,
  });
});

test("percentiles of a bounded sample are within the stated rank error", () => {
  const sample = createSample(4096);
  // 0 to 99999 in a scrambled order: 70001 is coprime to 100000.
  for (let i = 0; i < 100_000; i++) addToSample(sample, (i * 70_001) % 100_000);
  assert.ok(sample.kept >= 2048 && sample.kept <= 4096);
  const [low = 0, middle = 0, high = 0] = samplePercentiles(sample, [0.05, 0.5, 0.95]);
  // Four standard deviations of the rank at 2048 kept values: 4 * sqrt(0.25 / 2048) = 4.4 %.
  assert.ok(Math.abs(middle - 50_000) < 4400, String(middle));
  assert.ok(Math.abs(low - 5000) < 2000 && Math.abs(high - 95_000) < 2000, `${low} ${high}`);
});
