import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { propagatorOfElements } from "@swath/kernel/orbits/sgp4";
import { targetWindows } from "@swath/kernel/tasking/target-windows";
import { orbitingAt } from "./orbiting.ts";
import * as constellation from "./satellites.ts";

const FROM_MS = Date.UTC(2026, 0, 3);
const TO_MS = FROM_MS + 36 * 3_600_000;
const CASES = 200;

/** Windows within an angle from the geodetic nadir, by Skyfield's frames and sgp4; samples near them follow every 5 s. */
const ORACLE = `
import json, sys
import numpy as np
from sgp4.api import Satrec, WGS72
from skyfield.api import load, wgs84
from skyfield.sgp4lib import TEME_to_ITRF

data = json.load(sys.stdin)
ts = load.timescale(builtin=True)
rad = np.pi / 180

def slack(record, target, up, max_off, seconds):
    jd = data["fromMs"] / 86400000.0 + 2440587.5
    whole, part = np.floor(jd), (jd - np.floor(jd)) + seconds / 86400.0
    error, r, v = record.sgp4_array(np.full(len(seconds), whole), part)
    r, v = TEME_to_ITRF(whole + part, r.T, v.T * 86400.0)
    # Geodetic nadir by Bowring's formula, another way than that of the service.
    a, b = 6378.137, 6356.752314245179
    e2, ep2 = 1 - b * b / (a * a), a * a / (b * b) - 1
    p = np.hypot(r[0], r[1])
    theta = np.arctan2(r[2] * a, p * b)
    lat = np.arctan2(r[2] + ep2 * b * np.sin(theta) ** 3, p - e2 * a * np.cos(theta) ** 3)
    lon = np.arctan2(r[1], r[0])
    nadir = -np.array([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])
    look = target[:, None] - r
    distance = np.linalg.norm(look, axis=0)
    look /= distance
    off = np.arccos(np.clip((nadir * look).sum(axis=0), -1, 1)) / rad
    elevation = np.arcsin(np.clip(-(up[:, None] * look).sum(axis=0), -1, 1)) / rad
    return np.minimum(max_off - off, elevation), off, distance

results = []
span = (data["toMs"] - data["fromMs"]) / 1000.0
for case in data["cases"]:
    e = case["elements"]
    record = Satrec()
    epoch = e["epochMs"] / 86400000.0 + 2440587.5 - 2433281.5
    record.sgp4init(WGS72, "i", 5, epoch, 0.0, 0.0, 0.0, e["eccentricity"], e["perigeeDeg"] * rad, e["inclinationDeg"] * rad,
                    e["meanAnomalyDeg"] * rad, e["meanMotionRevPerDay"] * 2 * np.pi / 1440, e["nodeDeg"] * rad)
    place = wgs84.latlon(case["latDeg"], case["lonDeg"])
    target = np.array(place.itrs_xyz.km)
    la, lo = case["latDeg"] * rad, case["lonDeg"] * rad
    up = np.array([np.cos(la) * np.cos(lo), np.cos(la) * np.sin(lo), np.sin(la)])
    coarse = np.arange(0, span + 30, 30.0)
    near, _, _ = slack(record, target, up, case["maxOffNadirDeg"], coarse)
    seconds = np.unique(np.concatenate([np.arange(c - 30, c + 31, 5.0) for c in coarse[near > -8]] + [np.array([0.0, span])]))
    seconds = seconds[(seconds >= 0) & (seconds <= span)]
    value, off, distance = slack(record, target, up, case["maxOffNadirDeg"], seconds)
    inside = value >= 0
    edges = np.flatnonzero(np.diff(inside.astype(int)))
    crossings = []
    for i in edges:
        times = np.linspace(seconds[i], seconds[i + 1], 26)
        values = slack(record, target, up, case["maxOffNadirDeg"], times)[0]
        k = int(np.flatnonzero(np.diff((values >= 0).astype(int)))[0])
        crossings.append(float(times[k] + (times[k + 1] - times[k]) * values[k] / (values[k] - values[k + 1])))
    starts = ([0.0] if inside[0] else []) + [c for c, i in zip(crossings, edges) if not inside[i]]
    ends = [c for c, i in zip(crossings, edges) if inside[i]] + ([span] if inside[-1] else [])
    windows = []
    for start, end in zip(starts, ends):
        during = (seconds >= start) & (seconds <= end)
        at_closest = 999.0
        if during.any():
            best = seconds[during][distance[during].argmin()]
            times = np.arange(best - 6, best + 6, 0.5)
            _, angles, distances = slack(record, target, up, case["maxOffNadirDeg"], times)
            # The vertex of a parabola through the squares of distances.
            vertex = np.polyfit(times - best, distances**2, 2)
            closest = best - vertex[1] / (2 * vertex[0])
            at_closest = float(slack(record, target, up, case["maxOffNadirDeg"], np.array([closest]))[1][0])
        windows.append([start, end, at_closest])
    results.append(windows)
json.dump(results, sys.stdout)
`;

/** A series of numbers from 0 to 1 without a pattern. */
function fraction(index: number, step: number): number {
  return (index * step) % 1;
}

test("windows of the whole constellation are those that Skyfield finds, in 200 cases", (t) => {
  const satellites = Object.values(constellation)
    .flatMap((one) => (Array.isArray(one) ? (one as readonly constellation.Satellite[]) : []))
    .flatMap((satellite) => orbitingAt(satellite, FROM_MS).slice(0, 2));
  assert.ok(satellites.length > 20);
  const cases = Array.from({ length: CASES }, (_, index) => ({
    elements: satellites[index % satellites.length]!.elements,
    lonDeg: fraction(index, 0.618_034) * 360 - 180,
    latDeg: Math.asin(fraction(index, 0.754_878) * 2 - 1) * (180 / Math.PI),
    maxOffNadirDeg: 10 + Math.floor(fraction(index, 0.569_84) * 41),
  }));
  const input = JSON.stringify({ fromMs: FROM_MS, toMs: TO_MS, cases });
  const python = spawnSync("/usr/bin/python3", ["-c", ORACLE], { input, maxBuffer: 1e8 });
  if (python.status !== 0) {
    t.skip(`python3-skyfield is not installed: ${python.stderr?.toString().trim().split("\n").at(-1)}`);
    return;
  }
  const expected: readonly (readonly (readonly [number, number, number])[])[] = JSON.parse(python.stdout.toString());
  let windows = 0;
  for (const [index, one] of cases.entries()) {
    const limits = { kind: "optical", maxOffNadirDeg: one.maxOffNadirDeg, minSunElevationDeg: -90 } as const;
    const found = targetWindows(propagatorOfElements(one.elements), one, limits, FROM_MS, TO_MS);
    // Samples do not show what lies between them.
    const seen = found.filter(({ startMs, endMs }) => Math.floor(endMs / 5000) >= Math.ceil(startMs / 5000));
    const label = JSON.stringify(one);
    assert.equal(seen.length, expected[index]?.length, label);
    for (const [at, [startS, endS, offNadirDeg]] of (expected[index] ?? []).entries()) {
      const window = seen[at]!;
      assert.ok(Math.abs((window.startMs - FROM_MS) / 1000 - startS) < 1, `${label}: start ${startS}`);
      assert.ok(Math.abs((window.endMs - FROM_MS) / 1000 - endS) < 1, `${label}: end ${endS}`);
      const isWhole = window.closestMs > window.startMs && window.closestMs < window.endMs;
      if (isWhole) assert.ok(Math.abs(window.offNadirDeg - offNadirDeg) < 0.05, `${label}: ${offNadirDeg} degrees`);
      windows += 1;
    }
  }
  assert.ok(windows > 200, `${windows} windows`);
});
