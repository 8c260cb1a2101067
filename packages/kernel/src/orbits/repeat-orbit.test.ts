import assert from "node:assert/strict";
import { test } from "node:test";
import { geodeticOf } from "./ground-point.ts";
import { groundTrack } from "./ground-track.ts";
import { referenceRevolution, repeatOrbit } from "./repeat-orbit.ts";

const sunSynchronous = (revolutions: number, nodalDays: number) =>
  repeatOrbit({ revolutions, nodalDays, inclinationDeg: null });

test("ordered like real missions, orbits get their published inclination and altitude", () => {
  // Mission pages of ESA and USGS: inclination in degrees, mean altitude in kilometres.
  for (const [name, orbit, inclination, altitudeKm] of [
    ["Sentinel-2", sunSynchronous(143, 10), 98.57, 786],
    ["Sentinel-1", sunSynchronous(175, 12), 98.18, 693],
    ["Landsat 8", sunSynchronous(233, 16), 98.2, 705],
    ["Pleiades", sunSynchronous(379, 26), 98.2, 694],
  ] as const) {
    assert.ok(Math.abs(orbit.inclinationDeg - inclination) < 0.05, `${name}: ${orbit.inclinationDeg}`);
    const { epochMs, propagate } = referenceRevolution(orbit);
    const heights = groundTrack(propagate, epochMs, epochMs + orbit.nodalPeriodMs, 60_000).map(
      ({ heightM }) => heightM,
    );
    // Over the flattened earth heights differ by 25 km; above the equator they are lowest.
    const lowest = Math.min(...heights) / 1000;
    assert.ok(Math.abs(lowest - altitudeKm) < 12, `${name}: ${lowest} km`);
  }
});

test("ground tracks close after a cycle, and each revolution is the one before turned west", () => {
  for (const orbit of [
    sunSynchronous(143, 10),
    sunSynchronous(15, 1),
    repeatOrbit({ revolutions: 211, nodalDays: 14, inclinationDeg: 53 }),
  ]) {
    const { epochMs, propagate } = referenceRevolution(orbit);
    for (const part of [0, 0.2, 0.55, 0.9]) {
      const at = part * orbit.nodalPeriodMs;
      const first = geodeticOf(propagate(epochMs + at).positionM);
      const next = geodeticOf(propagate(epochMs + at + orbit.nodalPeriodMs).positionM);
      const again = geodeticOf(propagate(epochMs + at + orbit.cycleMs).positionM);
      const west = (((first.lonDeg - next.lonDeg) % 360) + 360) % 360;
      assert.ok(Math.abs(west - orbit.nodeSpacingDeg) < 1e-4, `${west} and ${orbit.nodeSpacingDeg}`);
      assert.ok(Math.abs(next.latDeg - first.latDeg) < 1e-4);
      assert.ok(Math.abs(next.heightM - first.heightM) < 5);
      // A hundred metres after ten days and more: within the tube that real satellites are kept in.
      assert.ok(Math.abs(again.latDeg - first.latDeg) < 1e-3 && Math.abs(again.lonDeg - first.lonDeg) < 1e-3);
    }
  }
});

test("orders that no orbit fulfils are refused", () => {
  assert.throws(() => sunSynchronous(286, 20), /common divisor/);
  assert.throws(() => sunSynchronous(5, 1), RangeError);
  assert.throws(() => sunSynchronous(17, 1), RangeError);
});

test("a ground track has its ends, its step and a limit", () => {
  const { epochMs, propagate } = referenceRevolution(sunSynchronous(15, 1));
  const track = groundTrack(propagate, epochMs, epochMs + 120_000, 60_000);
  assert.deepEqual(
    track.map(({ timeMs }) => timeMs - epochMs),
    [0, 60_000, 120_000],
  );
  assert.throws(() => groundTrack(propagate, 0, 1, 0), RangeError);
  assert.throws(() => groundTrack(propagate, 0, 1e9, 1), RangeError);
});
