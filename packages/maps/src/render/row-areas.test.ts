import assert from "node:assert/strict";
import { test } from "node:test";
import { rowAreasKm2 } from "./row-areas.ts";

/** Surface of the ellipsoid of WGS 84, km2 (NGA.STND.0036). */
const EARTH_KM2 = 510_065_621.724;

const sum = (areas: Float64Array): number => areas.reduce((total, one) => total + one, 0);

test("pixels of longitude and latitude have the area of the ellipsoid, row by row", () => {
  const degrees = rowAreasKm2([1, 0, -180, 0, -1, 90], "+proj=longlat +datum=WGS84", 180);
  assert.ok(Math.abs((360 * sum(degrees)) / EARTH_KM2 - 1) < 1e-9, `${360 * sum(degrees)}`);
  // Rows south of the equator mirror those north of it, and rows shrink towards the poles.
  for (const [row, area] of degrees.subarray(0, 90).entries()) {
    assert.ok(Math.abs(area / degrees[179 - row] - 1) < 1e-9);
    assert.ok(row === 0 || area > degrees[row - 1]);
  }
  // A row of ten is the sum of ten rows.
  const [coarse] = rowAreasKm2([10, 0, 0, 0, -10, 60], "+proj=longlat +datum=WGS84", 1);
  const fine = rowAreasKm2([1, 0, 0, 0, -1, 60], "+proj=longlat +datum=WGS84", 10);
  assert.ok(Math.abs(coarse / (10 * sum(fine)) - 1) < 1e-9);
});

test("pixels of Web Mercator have their ground, pixels of UTM the area of their grid", () => {
  const HALF_M = 20_037_508.342789244;
  const rows = 4096;
  const mercator = rowAreasKm2([(2 * HALF_M) / rows, 0, -HALF_M, 0, (-2 * HALF_M) / rows, HALF_M], "+proj=merc +a=6378137 +b=6378137", rows); // prettier-ignore
  // The square ends at 85.051129 degrees: the ellipsoid between these parallels.
  const [band] = rowAreasKm2([360, 0, -180, 0, -2 * 85.0511287798, 85.0511287798], "+proj=longlat +datum=WGS84", 1);
  assert.ok(Math.abs((rows * sum(mercator)) / band - 1) < 1e-3, `${rows * sum(mercator)}, expected ${band}`);
  assert.deepEqual([...rowAreasKm2([10, 0, 0, 0, -10, 0], "+proj=utm +zone=33 +datum=WGS84", 2)], [1e-4, 1e-4]);
});
