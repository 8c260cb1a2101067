import assert from "node:assert/strict";
import { test } from "node:test";
import { sunPosition } from "./sun.ts";

test("the sun stands overhead at the tropic at noon of the solstice", () => {
  assert.ok(sunPosition(new Date("2026-06-21T12:00:00Z"), 0, 23.44).elevationDeg > 89);
});

test("the sun culminates in the south of the northern and in the north of the southern hemisphere", () => {
  assert.ok(Math.abs(sunPosition(new Date("2026-03-20T12:07:00Z"), 0, 50).azimuthDeg - 180) < 1);
  const north = sunPosition(new Date("2026-03-20T12:07:00Z"), 0, -50).azimuthDeg;
  assert.ok(Math.min(north, 360 - north) < 1);
});

test("elevation at the equinox is 90 degrees less the latitude and negative at night", () => {
  assert.ok(Math.abs(sunPosition(new Date("2026-03-20T12:07:00Z"), 0, 50).elevationDeg - 40) < 0.3);
  assert.ok(sunPosition(new Date("2026-03-20T00:07:00Z"), 0, 50).elevationDeg < -39);
});

test("angles agree with the metadata of a Landsat 8 scene", () => {
  // LC08_L2SP_008059_20191201: centre 1.44 N, 74.0 W at 15:12:56 UTC, SUN_ELEVATION 57.2, SUN_AZIMUTH 138.6.
  const sun = sunPosition(new Date("2019-12-01T15:12:56Z"), -74, 1.44);
  assert.ok(sun.elevationDeg > 50 && sun.elevationDeg < 65);
  assert.ok(sun.azimuthDeg > 130 && sun.azimuthDeg < 145);
});
