import assert from "node:assert/strict";
import { test } from "node:test";
import type { Affine } from "@swath/kernel/raster-mathematics/affine";
import type { SourceCrs } from "../source-raster.ts";
import { crsOfEpsg } from "./epsg-crs.ts";
import { requireExtent, requireGroundPoints } from "./require-extent.ts";

async function crs(epsg: number): Promise<SourceCrs> {
  const found = await crsOfEpsg(epsg);
  assert.ok(found !== null);
  return found;
}

/** MODIS tiles: the sphere of 6,371,007.181 m, whose equator is 40,030,230 m long. */
const SINUSOIDAL: SourceCrs = {
  epsg: null,
  proj4: "+proj=sinu +lon_0=0 +x_0=0 +y_0=0 +R=6371007.181 +units=m +no_defs",
  name: "MODIS sinusoidal",
  datumShiftKnown: true,
};

test("grids of common products lie within their CRS", async () => {
  const geographic = await crs(4326);
  const grids: readonly (readonly [SourceCrs, Affine, number, number])[] = [
    [await crs(32_633), [10, 0, 399_960, 0, -10, 5_100_000], 10_980, 10_980],
    // Mirrored, and turned by 30 degrees.
    [await crs(32_633), [-10, 0, 500_000, 0, 10, 5_000_000], 1000, 1000],
    [await crs(32_633), [8.66, 5, 500_000, 5, -8.66, 5_000_000], 1000, 1000],
    // Pixel centres on the poles, from 0 to 360 degrees.
    [geographic, [0.25, 0, -0.125, 0, -0.25, 90.125], 1440, 721],
    // Across the antimeridian, in degrees and in metres.
    [geographic, [0.01, 0, 178, 0, -0.01, 1], 400, 200],
    [await crs(3857), [1000, 0, 19_900_000, 0, -1000, 100_000], 400, 200],
    [await crs(3857), [1000, 0, 20_100_000, 0, -1000, 100_000], 400, 200],
    // Zone numbers in front of the easting.
    [await crs(4647), [20, 0, 32_500_000, 0, -20, 5_900_000], 500, 500],
    [await crs(3413), [25, 0, -200_000, 0, -25, 100_000], 8000, 8000],
    // US survey feet.
    [await crs(2263), [1, 0, 980_000, 0, -1, 200_000], 2500, 2500],
    // The northernmost row of MODIS tiles: all but a sliver lies beyond the edge of the map.
    [SINUSOIDAL, [926.6254, 0, -4_447_802, 0, -926.6254, 10_007_555], 1200, 1200],
  ];
  for (const [system, transform, widthPx, heightPx] of grids) {
    requireExtent("good.tif", system, { transform, widthPx, heightPx });
  }
});

test("grids that are not finite or lie outside of their CRS are unreadable, with the value that is wrong", async () => {
  const utm = await crs(32_633);
  const geographic = await crs(4326);
  const cases: readonly (readonly [SourceCrs, Affine, RegExp])[] = [
    [utm, [10, 0, 500_000, 0, -1e300, 100_000], /at 500000, -[\d.]+e\+30\d of WGS 84 \/ UTM zone 33N/],
    [utm, [-1e300, 0, 500_000, 0, -10, 100_000], /at -[\d.]+e\+30\d, 100000/],
    [utm, [10, 0, Number.NaN, 0, -10, 100_000], /geotransform 10, 0, NaN/],
    [utm, [10, 0, 500_000, 0, Number.NEGATIVE_INFINITY, 100_000], /-Infinity, 100000, expected finite numbers/],
    [utm, [1e-300, 0, 500_000, 0, -10, 100_000], /pixels of 1e-300 x 10 .* numbers tell apart/],
    [utm, [10, 0, 1e300, 0, -10, 100_000], /at 1e\+300, 100000, expected more/],
    [utm, [10, 0, 9_000_000, 0, -10, 100_000], /at 9000000, 100000/],
    [utm, [10, 0, 500_000, 0, -10, 25_000_000], /no place on Earth/],
    [utm, [1e6, 0, 500_000, 0, -1e6, 100_000], /within 6000 x 45000 km/],
    [geographic, [0.01, 0, 10, 0, -0.01, 95], /at 10, 95 of WGS 84, expected .* latitudes within 90 degrees/],
    [geographic, [0.01, 0, 700, 0, -0.01, 10], /at 700, 10/],
    [geographic, [10, 0, -180, 0, -0.1, 10], /1000 degrees wide|at 5\d\d/],
    [await crs(3857), [10, 0, 0, 0, -10, 55_000_000], /at 0, 55000000/],
    [await crs(3035), [10, 0, 40_000_000, 0, -10, 100_000], /no place on Earth/],
  ];
  for (const [system, transform, message] of cases) {
    assert.throws(() => requireExtent("bad.tif", system, { transform, widthPx: 100, heightPx: 100 }), {
      reason: "unreadable",
      code: "SCENE-UNREADABLE",
      message,
    });
  }
});

test("ground control points beyond the poles or the plane of their CRS are unreadable", async () => {
  const point = { column: 0, row: 0, x: 10, y: 50 };
  requireGroundPoints("good.tif", await crs(4326), [point]);
  for (const wrong of [
    { ...point, y: 91 },
    { ...point, x: 1e9 },
    { ...point, x: Number.NaN },
  ]) {
    const system = await crs(4326);
    assert.throws(() => requireGroundPoints("bad.tif", system, [point, wrong]), { reason: "unreadable" });
  }
  assert.throws(() => requireGroundPoints("bad.tif", SINUSOIDAL, [{ ...point, y: 1e9 }]), { reason: "unreadable" });
});
