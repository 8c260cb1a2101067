import assert from "node:assert/strict";
import { test } from "node:test";
import { changeVectorRates, irMadRates, logRatioFalseAlarmRate, omnibusRates } from "./change-calibration.ts";

test("alteration detection holds its level once its median is that of chi-square, and not before", () => {
  const { raw, calibrated } = irMadRates(60_000, 4, 11, 0.01, 5);
  assert.ok(raw.falseAlarmRate > 0.2, `raw ${raw.falseAlarmRate}`);
  assert.ok(calibrated.falseAlarmRate < 0.01 && calibrated.falseAlarmRate > 0.002, `${calibrated.falseAlarmRate}`);
  assert.ok(calibrated.detectionRate > 0.98, `${calibrated.detectionRate}`);
});

test("change vectors find most of a tenth that changed and hardly anything else", () => {
  const { falseAlarmRate, detectionRate } = changeVectorRates(60_000, 4, 11);
  assert.ok(falseAlarmRate <= 4e-4, `${falseAlarmRate}`);
  assert.ok(detectionRate >= 0.87, `${detectionRate}`);
});

test("log-ratios hold their level for few looks and many", () => {
  for (const looks of [1, 4.4, 88]) {
    const rate = logRatioFalseAlarmRate(200_000, looks, 5, 0.01);
    // Three standard deviations of 2,000 expected alarms.
    assert.ok(Math.abs(rate - 0.01) < 0.0007, `looks ${looks}: ${rate}`);
  }
});

for (const { dates, alpha, low, high } of [
  // Published calibrations of the method give 0.1003, 0.0097, 0.0010 and 0.0991, 0.0100, 0.0012; the bounds add three
  // standard deviations of 50,000 series.
  { dates: 5, alpha: 0.1, low: 0.096, high: 0.105 },
  { dates: 5, alpha: 0.01, low: 0.0083, high: 0.0115 },
  { dates: 5, alpha: 0.001, low: 0.0005, high: 0.0016 },
  { dates: 25, alpha: 0.1, low: 0.095, high: 0.105 },
  { dates: 25, alpha: 0.01, low: 0.0083, high: 0.0117 },
  { dates: 25, alpha: 0.001, low: 0.0005, high: 0.0018 },
]) {
  test(`the omnibus test of ${dates} dates holds the level ${alpha}`, () => {
    const { changed } = omnibusRates(50_000, dates, 4.4, alpha, 7, 0);
    assert.ok(changed >= low && changed <= high, `${changed}`);
  });
}

test("the omnibus test finds a step of 3 dB in averaged pixels and its date", () => {
  const { changed, datedRight } = omnibusRates(5000, 10, 88, 1e-4, 7, 3);
  assert.ok(changed > 0.999, `${changed}`);
  assert.ok(datedRight > 0.95, `${datedRight}`);
});
