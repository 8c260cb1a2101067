import assert from "node:assert/strict";
import { test } from "node:test";
import { propagatorOfTle } from "./sgp4.ts";
import { targetGeometry } from "./target-geometry.ts";

/** Edges of access windows of 30 degrees off nadir, found with Skyfield 1.45 for the same elements. */
const EDGES = [
  {
    site: "Prague",
    lat: 50.08,
    lon: 14.42,
    events: [
      "2026-10-02T10:36:18.436Z",
      "2026-10-02T10:37:32.905Z",
      "2026-10-03T10:05:59.120Z",
      "2026-10-03T10:08:15.036Z",
      "2026-10-04T20:58:33.871Z",
      "2026-10-04T21:00:47.272Z",
      "2026-10-05T20:29:08.460Z",
      "2026-10-05T20:30:34.651Z",
      "2026-10-06T10:15:54.228Z",
      "2026-10-06T10:18:13.411Z",
      "2026-10-07T09:47:04.823Z",
      "2026-10-07T09:47:15.659Z",
    ],
  },
  {
    site: "Libreville",
    lat: 0.3,
    lon: 9.45,
    events: [
      "2026-10-02T21:45:07.456Z",
      "2026-10-02T21:47:17.481Z",
      "2026-10-04T09:49:46.781Z",
      "2026-10-04T09:52:05.413Z",
      "2026-10-05T21:54:59.586Z",
      "2026-10-05T21:57:15.201Z",
      "2026-10-07T09:59:50.060Z",
      "2026-10-07T10:01:51.959Z",
      "2026-10-08T22:05:21.679Z",
      "2026-10-08T22:06:42.853Z",
      "2026-10-09T21:35:53.687Z",
      "2026-10-09T21:36:39.735Z",
    ],
  },
  {
    site: "Sydney",
    lat: -33.9,
    lon: 151.2,
    events: [
      "2026-10-03T12:41:42.049Z",
      "2026-10-03T12:43:58.126Z",
      "2026-10-03T23:55:19.037Z",
      "2026-10-03T23:57:34.699Z",
      "2026-10-06T12:51:36.708Z",
      "2026-10-06T12:53:55.195Z",
      "2026-10-07T00:05:13.140Z",
      "2026-10-07T00:07:32.069Z",
      "2026-10-09T13:01:49.009Z",
      "2026-10-09T13:03:32.956Z",
      "2026-10-10T00:15:26.708Z",
      "2026-10-10T00:17:11.436Z",
    ],
  },
  {
    site: "Tromso",
    lat: 69.6,
    lon: 18.9,
    events: [
      "2026-10-02T10:30:34.289Z",
      "2026-10-02T10:32:47.079Z",
      "2026-10-02T18:44:54.439Z",
      "2026-10-02T18:45:37.666Z",
      "2026-10-02T20:24:16.646Z",
      "2026-10-02T20:25:25.322Z",
      "2026-10-03T10:01:16.158Z",
      "2026-10-03T10:02:08.333Z",
      "2026-10-03T11:40:48.951Z",
      "2026-10-03T11:41:48.222Z",
      "2026-10-03T19:53:45.387Z",
      "2026-10-03T19:56:00.605Z",
    ],
  },
] as const;

const propagate = propagatorOfTle(
  "1 40697U 15028A   26274.29857647 -.00000002  00000+0  15863-4 0  9990",
  "2 40697  98.5653 347.6046 0001070  85.9280 274.2026 14.30818852588907",
);

test("at the edges of windows that another library found the off-nadir angle is the limit", () => {
  for (const { site, lat, lon, events } of EDGES) {
    for (const utc of events) {
      const { offNadirDeg } = targetGeometry(propagate(Date.parse(utc)), lon, lat);
      // One second moves the angle by up to a third of a degree.
      assert.ok(Math.abs(offNadirDeg - 30) < 0.12, `${site} ${utc}: ${offNadirDeg}`);
    }
  }
});

test("windows open while the satellite comes nearer and close while it leaves", () => {
  for (const { lat, lon, events } of EDGES) {
    for (const [index, utc] of events.entries()) {
      const { rangeRateMs } = targetGeometry(propagate(Date.parse(utc)), lon, lat);
      assert.equal(rangeRateMs < 0, index % 2 === 0, utc);
    }
  }
});

test("angles fit the plane triangle of earth centre, satellite and target", () => {
  for (const { lat, lon, events } of EDGES) {
    for (const utc of events) {
      const state = propagate(Date.parse(utc));
      const seen = targetGeometry(state, lon, lat);
      const radius = Math.hypot(...state.positionM);
      // The law of sines on a sphere; the flattening of the earth changes it by less than half a degree.
      const incidence =
        (Math.asin((radius / 6_371_000) * Math.sin((seen.offNadirDeg * Math.PI) / 180)) * 180) / Math.PI;
      assert.ok(Math.abs(incidence - seen.incidenceDeg) < 0.5, `${incidence} and ${seen.incidenceDeg}`);
      assert.equal(seen.incidenceDeg, 90 - seen.elevationDeg);
    }
  }
});

test("by day the descending satellite that looks right sees what is west of its track", () => {
  const state = propagate(Date.parse("2026-10-02T10:36:18.436Z"));
  const seen = targetGeometry(state, 14.42, 50.08);
  assert.equal(seen.pass, "descending");
  // Seen from the target, a satellite that looks right while flying south-south-west stands in the east.
  assert.equal(seen.lookSide, seen.azimuthDeg < 180 ? "right" : "left");
});
