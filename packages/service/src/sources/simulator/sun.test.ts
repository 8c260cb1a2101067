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
  // LC08_L2SP_008059_20191201_20200825_02_T1: SCENE_CENTER_TIME, the middle of its corners, SUN_ELEVATION, SUN_AZIMUTH.
  const sun = sunPosition(new Date("2019-12-01T15:13:51.861Z"), -75.0706, 1.4437);
  assert.ok(Math.abs(sun.elevationDeg - 57.0873) < 0.3, `elevation ${sun.elevationDeg}`);
  assert.ok(Math.abs(sun.azimuthDeg - 136.317) < 0.3, `azimuth ${sun.azimuthDeg}`);
});
