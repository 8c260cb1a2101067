import assert from "node:assert/strict";
import { test } from "node:test";
import { DEGREE, meridianRadiusM, primeVerticalRadiusM, WGS84_A_M } from "../geometry/wgs84.ts";
import { tileBounds, tileMercatorBounds } from "../tiles/tile.ts";
import { approximateResolution } from "./approximate-resolution.ts";
import { localDatetime } from "./local-datetime.ts";

const WEB_MERCATOR =
  "+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +nadgrids=@null +no_defs";

test("a recorded Web Mercator tile has its recorded resolution", () => {
  // formats.md: tile 15/30320/18979 at 256 px, 4.24 (x) and 4.22 (y).
  const [west, south, east, north] = tileMercatorBounds([15, 30_320, 18_979]);
  const pixel = (east - west) / 256;
  assert.deepEqual(approximateResolution(WEB_MERCATOR, (west + east) / 2, (south + north) / 2, pixel, -pixel), {
    approximateResolutionX: 4.24,
    approximateResolutionY: 4.22,
  });
});

test("Web Mercator scales are cos(lat) N / a and cos(lat) M / a", () => {
  const [, south, , north] = tileBounds([10, 500, 200]);
  const [west, mercatorSouth, east, mercatorNorth] = tileMercatorBounds([10, 500, 200]);
  assert.ok(south < north);
  const y = (mercatorSouth + mercatorNorth) / 2;
  const lat = Math.atan(Math.sinh(y / WGS84_A_M)) / DEGREE;
  const result = approximateResolution(WEB_MERCATOR, (west + east) / 2, y, 1000, -1000);
  const scale = (1000 * Math.cos(lat * DEGREE)) / WGS84_A_M;
  assert.ok(Math.abs(result.approximateResolutionX - scale * primeVerticalRadiusM(lat)) < 0.01);
  assert.ok(Math.abs(result.approximateResolutionY - scale * meridianRadiusM(lat)) < 0.01);
});

test("a UTM pixel at the central meridian is larger on the ground by 1 / 0.9996", () => {
  const utm = "+proj=utm +zone=33 +datum=WGS84 +units=m +no_defs";
  assert.deepEqual(approximateResolution(utm, 500_000, 5_550_000, 100, -100), {
    approximateResolutionX: 100.04,
    approximateResolutionY: 100.04,
  });
});

test("a geographic pixel is measured along its parallel and meridian", () => {
  const result = approximateResolution("+proj=longlat +datum=WGS84 +no_defs", 14, 50, 0.1, -0.1);
  assert.ok(
    Math.abs(result.approximateResolutionX - 0.1 * DEGREE * primeVerticalRadiusM(50) * Math.cos(50 * DEGREE)) < 0.01,
  );
  assert.ok(Math.abs(result.approximateResolutionY - 0.1 * DEGREE * meridianRadiusM(50)) < 0.01);
});

test("a CRS in feet answers metres", () => {
  const feet = "+proj=tmerc +lat_0=0 +lon_0=-75 +k=1 +x_0=0 +y_0=0 +datum=WGS84 +units=us-ft +no_defs";
  assert.equal(approximateResolution(feet, 0, 14_000_000, 1000, -1000).approximateResolutionX, 304.8);
});

test("a place the CRS does not have is refused", () => {
  assert.throws(() => approximateResolution("+proj=longlat +datum=WGS84 +no_defs", 0, 90, 1, 0), RangeError);
});

test("local time is that of the nautical zone", () => {
  const at = Date.UTC(2024, 5, 30, 23, 15);
  assert.equal(localDatetime(at, 14.4), "2024-07-01 00:15:00 UTC+01:00");
  assert.equal(localDatetime(at, -74), "2024-06-30 18:15:00 UTC-05:00");
  assert.equal(localDatetime(at, 0), "2024-06-30 23:15:00 UTC+00:00");
  assert.equal(localDatetime(at, 190), "2024-06-30 12:15:00 UTC-11:00");
  const last = Date.UTC(9999, 11, 31, 23, 59, 59);
  assert.equal(localDatetime(last, 14.4), "9999-12-31 23:59:59 UTC+00:00");
  assert.equal(localDatetime(last, -74), "9999-12-31 18:59:59 UTC-05:00");
});
