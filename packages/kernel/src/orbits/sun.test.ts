import assert from "node:assert/strict";
import { test } from "node:test";
import { siderealAngle } from "./sgp4.ts";
import { sunPosition } from "./sun.ts";

test("the sun stands overhead where Meeus' example 25.a puts it", () => {
  // 1992 October 13, 0 h TD (58.9 s before UTC): apparent right ascension 198.38083, declination -7.78507 degrees.
  const timeMs = Date.UTC(1992, 9, 13) - 58_900;
  const lon = 198.38083 - (siderealAngle(timeMs) * 180) / Math.PI;
  const { elevationDeg } = sunPosition(timeMs, lon, -7.78507);
  assert.ok(elevationDeg > 90 - 0.012, `${elevationDeg}`);
});

test("the sun culminates in the south of the northern and in the north of the southern hemisphere", () => {
  const noon = Date.parse("2026-03-20T12:07:00Z");
  assert.ok(Math.abs(sunPosition(noon, 0, 50).azimuthDeg - 180) < 1);
  const north = sunPosition(noon, 0, -50).azimuthDeg;
  assert.ok(Math.min(north, 360 - north) < 1);
});

test("elevation at the equinox is 90 degrees less the latitude, and negative at night", () => {
  assert.ok(Math.abs(sunPosition(Date.parse("2026-03-20T12:07:00Z"), 0, 50).elevationDeg - 40) < 0.3);
  assert.ok(sunPosition(Date.parse("2026-03-20T00:07:00Z"), 0, 50).elevationDeg < -39);
});

test("angles agree with the metadata of a Landsat 8 scene", () => {
  // LC08_L2SP_008059_20191201_20200825_02_T1: SCENE_CENTER_TIME, the middle of its corners, SUN_ELEVATION, SUN_AZIMUTH.
  const sun = sunPosition(Date.parse("2019-12-01T15:13:51.861Z"), -75.0706, 1.4437);
  assert.ok(Math.abs(sun.elevationDeg - 57.0873) < 0.3, `elevation ${sun.elevationDeg}`);
  assert.ok(Math.abs(sun.azimuthDeg - 136.317) < 0.3, `azimuth ${sun.azimuthDeg}`);
});
