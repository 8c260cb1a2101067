import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { propagatorOfTle } from "../orbits/sgp4.ts";
import { targetGeometry } from "../orbits/target-geometry.ts";
import { targetWindows } from "./target-windows.ts";

/** Sentinel-2A in October 2026. */
const TLE = [
  "1 40697U 15028A   26274.29857647 -.00000002  00000+0  15863-4 0  9990",
  "2 40697  98.5653 347.6046 0001070  85.9280 274.2026 14.30818852588907",
] as const;
const FROM_MS = Date.parse("2026-10-02T00:00:00Z");
const DAY_MS = 86_400_000;
const TO_MS = FROM_MS + 14 * DAY_MS;

/** Skyfield 1.45, events of a pass within an angle from nadir. */
const PASSES = [
  {
    site: "Prague",
    target: { lonDeg: 14.42, latDeg: 50.08 },
    windows: [
      ["2026-10-02T10:36:18.436Z", "2026-10-02T10:37:32.905Z"],
      ["2026-10-03T10:05:59.120Z", "2026-10-03T10:08:15.036Z"],
      ["2026-10-04T20:58:33.871Z", "2026-10-04T21:00:47.272Z"],
      ["2026-10-05T20:29:08.460Z", "2026-10-05T20:30:34.651Z"],
      ["2026-10-06T10:15:54.228Z", "2026-10-06T10:18:13.411Z"],
      ["2026-10-07T09:47:04.823Z", "2026-10-07T09:47:15.659Z"],
      ["2026-10-07T21:08:46.966Z", "2026-10-07T21:10:29.528Z"],
      ["2026-10-08T20:38:43.388Z", "2026-10-08T20:40:50.081Z"],
      ["2026-10-09T10:25:58.456Z", "2026-10-09T10:28:00.930Z"],
      ["2026-10-10T09:56:13.515Z", "2026-10-10T09:58:03.669Z"],
      ["2026-10-11T20:48:32.746Z", "2026-10-11T20:50:52.641Z"],
      ["2026-10-12T10:36:17.427Z", "2026-10-12T10:37:31.974Z"],
      ["2026-10-13T10:05:58.068Z", "2026-10-13T10:08:14.068Z"],
      ["2026-10-14T20:58:32.743Z", "2026-10-14T21:00:46.124Z"],
      ["2026-10-15T20:29:07.274Z", "2026-10-15T20:30:33.461Z"],
    ],
  },
  {
    site: "Libreville",
    target: { lonDeg: 9.45, latDeg: 0.3 },
    windows: [
      ["2026-10-02T21:45:07.456Z", "2026-10-02T21:47:17.481Z"],
      ["2026-10-04T09:49:46.781Z", "2026-10-04T09:52:05.413Z"],
      ["2026-10-05T21:54:59.586Z", "2026-10-05T21:57:15.201Z"],
      ["2026-10-07T09:59:50.060Z", "2026-10-07T10:01:51.959Z"],
      ["2026-10-08T22:05:21.679Z", "2026-10-08T22:06:42.853Z"],
      ["2026-10-09T21:35:53.687Z", "2026-10-09T21:36:39.735Z"],
      ["2026-10-11T09:40:09.503Z", "2026-10-11T09:41:51.105Z"],
      ["2026-10-12T21:45:06.506Z", "2026-10-12T21:47:16.464Z"],
      ["2026-10-14T09:49:45.771Z", "2026-10-14T09:52:04.482Z"],
      ["2026-10-15T21:54:58.480Z", "2026-10-15T21:57:14.017Z"],
    ],
  },
  {
    site: "Tromso",
    target: { lonDeg: 18.9, latDeg: 69.6 },
    windows: [
      ["2026-10-02T10:30:34.289Z", "2026-10-02T10:32:47.079Z"],
      ["2026-10-02T18:44:54.439Z", "2026-10-02T18:45:37.666Z"],
      ["2026-10-02T20:24:16.646Z", "2026-10-02T20:25:25.322Z"],
      ["2026-10-03T10:01:16.158Z", "2026-10-03T10:02:08.333Z"],
      ["2026-10-03T11:40:48.951Z", "2026-10-03T11:41:48.222Z"],
      ["2026-10-03T19:53:45.387Z", "2026-10-03T19:56:00.605Z"],
      ["2026-10-04T11:10:26.307Z", "2026-10-04T11:12:35.511Z"],
      ["2026-10-04T19:23:51.942Z", "2026-10-04T19:26:07.625Z"],
      ["2026-10-05T10:40:29.041Z", "2026-10-05T10:42:48.574Z"],
      ["2026-10-05T18:54:27.783Z", "2026-10-05T18:55:54.337Z"],
      ["2026-10-06T10:10:53.666Z", "2026-10-06T10:12:30.308Z"],
      ["2026-10-06T20:03:49.514Z", "2026-10-06T20:05:53.445Z"],
      ["2026-10-07T11:20:29.254Z", "2026-10-07T11:22:24.687Z"],
      ["2026-10-07T19:33:46.471Z", "2026-10-07T19:36:06.907Z"],
      ["2026-10-08T10:50:25.887Z", "2026-10-08T10:52:46.840Z"],
      ["2026-10-08T19:04:11.273Z", "2026-10-08T19:06:01.700Z"],
      ["2026-10-09T10:20:41.357Z", "2026-10-09T10:22:40.908Z"],
      ["2026-10-09T20:13:58.355Z", "2026-10-09T20:15:42.564Z"],
      ["2026-10-10T11:30:35.341Z", "2026-10-10T11:32:09.679Z"],
      ["2026-10-10T19:43:43.863Z", "2026-10-10T19:46:04.258Z"],
      ["2026-10-11T11:00:24.595Z", "2026-10-11T11:02:42.133Z"],
      ["2026-10-11T19:13:59.358Z", "2026-10-11T19:16:05.333Z"],
      ["2026-10-12T10:30:33.265Z", "2026-10-12T10:32:46.118Z"],
      ["2026-10-12T18:44:53.376Z", "2026-10-12T18:45:36.658Z"],
      ["2026-10-12T20:24:15.615Z", "2026-10-12T20:25:24.278Z"],
      ["2026-10-13T10:01:15.038Z", "2026-10-13T10:02:07.380Z"],
      ["2026-10-13T11:40:47.857Z", "2026-10-13T11:41:47.223Z"],
      ["2026-10-13T19:53:44.297Z", "2026-10-13T19:55:59.523Z"],
      ["2026-10-14T11:10:25.188Z", "2026-10-14T11:12:34.452Z"],
      ["2026-10-14T19:23:50.799Z", "2026-10-14T19:26:06.499Z"],
      ["2026-10-15T10:40:27.876Z", "2026-10-15T10:42:47.475Z"],
      ["2026-10-15T18:54:26.583Z", "2026-10-15T18:55:53.174Z"],
    ],
  },
] as const;

test("windows of two weeks over three places are those that Skyfield finds, edges within a second", () => {
  const propagate = propagatorOfTle(...TLE);
  const limits = { kind: "optical", maxOffNadirDeg: 30, minSunElevationDeg: -90 } as const;
  for (const { site, target, windows } of PASSES) {
    const found = targetWindows(propagate, target, limits, FROM_MS, TO_MS);
    assert.equal(found.length, windows.length, site);
    for (const [index, [start, end]] of windows.entries()) {
      const { startMs, endMs } = found[index] ?? { startMs: 0, endMs: 0 };
      assert.ok(Math.abs(startMs - Date.parse(start)) < 1000, `${site} ${start}: ${new Date(startMs).toISOString()}`);
      assert.ok(Math.abs(endMs - Date.parse(end)) < 1000, `${site} ${end}: ${new Date(endMs).toISOString()}`);
    }
  }
});

test("no second of two weeks within the limits is left out, and none without is let in", () => {
  const propagate = propagatorOfTle(...TLE);
  const place = fc.record({
    lonDeg: fc.double({ min: -180, max: 180, noNaN: true }),
    latDeg: fc.double({ min: -88, max: 88, noNaN: true }),
  });
  fc.assert(
    fc.property(place, fc.integer({ min: 5, max: 55 }), (target, maxOffNadirDeg) => {
      const limits = { kind: "optical", maxOffNadirDeg, minSunElevationDeg: -90 } as const;
      const windows = targetWindows(propagate, target, limits, FROM_MS, FROM_MS + 2 * DAY_MS);
      let index = 0;
      for (let timeMs = FROM_MS; timeMs < FROM_MS + 2 * DAY_MS; timeMs += 10_000) {
        while ((windows[index]?.endMs ?? Infinity) < timeMs) index += 1;
        const { startMs, endMs } = windows[index] ?? { startMs: Infinity, endMs: Infinity };
        const isAtEdge = Math.abs(timeMs - startMs) < 5 || Math.abs(timeMs - endMs) < 5;
        const { offNadirDeg, elevationDeg } = targetGeometry(propagate(timeMs), target.lonDeg, target.latDeg);
        const isWithin = offNadirDeg <= maxOffNadirDeg && elevationDeg >= 0;
        assert.ok(isAtEdge || isWithin === (timeMs >= startMs && timeMs <= endMs), new Date(timeMs).toISOString());
      }
    }),
    { numRuns: 40 },
  );
});

test("an optical window needs the sun in its middle, a radar window the right side and incidence", () => {
  const propagate = propagatorOfTle(...TLE);
  const prague = { lonDeg: 14.42, latDeg: 50.08 };
  const byDay = { kind: "optical", maxOffNadirDeg: 30, minSunElevationDeg: 15 } as const;
  const days = targetWindows(propagate, prague, byDay, FROM_MS, TO_MS);
  assert.equal(days.length, 8);
  assert.ok(days.every(({ pass, sunElevationDeg }) => pass === "descending" && sunElevationDeg >= 15));
  const radar = { kind: "radar", minIncidenceDeg: 20, maxIncidenceDeg: 40, lookSides: ["right"], dwellS: 10 } as const;
  const looks = targetWindows(propagate, prague, radar, FROM_MS, TO_MS);
  assert.ok(looks.length > 0);
  for (const { startMs, endMs, closestMs, incidenceDeg, lookSide } of looks) {
    assert.equal(lookSide, "right");
    assert.ok(incidenceDeg >= 20 && incidenceDeg <= 40);
    assert.deepEqual([startMs, endMs], [closestMs - 5000, closestMs + 5000]);
    const { rangeRateMs } = targetGeometry(propagate(closestMs), prague.lonDeg, prague.latDeg);
    assert.ok(Math.abs(rangeRateMs) < 0.1);
  }
  const left = targetWindows(propagate, prague, { ...radar, lookSides: ["left"] }, FROM_MS, TO_MS);
  const both = targetWindows(propagate, prague, { ...radar, lookSides: ["left", "right"] }, FROM_MS, TO_MS);
  assert.equal(both.length, looks.length + left.length);
});

test("a window that the interval cuts keeps the part within it", () => {
  const propagate = propagatorOfTle(...TLE);
  const { target, windows } = PASSES[0];
  const limits = { kind: "optical", maxOffNadirDeg: 30, minSunElevationDeg: -90 } as const;
  const [start, end] = windows[1].map((iso) => Date.parse(iso)) as [number, number];
  const middle = (start + end) / 2;
  const [before, ...none] = targetWindows(propagate, target, limits, middle - DAY_MS / 24, middle);
  const [after] = targetWindows(propagate, target, limits, middle, middle + DAY_MS / 24);
  assert.deepEqual(none, []);
  assert.equal(before?.endMs, middle);
  assert.equal(after?.startMs, middle);
  assert.ok(Math.abs((before?.startMs ?? 0) - start) < 1000 && Math.abs((after?.endMs ?? 0) - end) < 1000);
});
