import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { createProjection } from "@swath/kernel/crs/projection";
import { controlGridProjection } from "@swath/kernel/crs/control-grid";
import { bufferSource, fileSource } from "../tiff/byte-sources.ts";
import { gdalInstalled, runGdal, temporaryFolder, writeRaw } from "../tiff/gdal-testing.ts";
import { openTiff } from "../tiff/open.ts";
import { TAG } from "../tiff/tags.ts";
import { buildTiff, double, geoKeyTag, imageTags } from "../tiff/tiff-building.ts";
import { controlGridFor } from "./control-grid.ts";
import { crsOfEpsg } from "./epsg-crs.ts";
import { coversPoint } from "./geo-keys-crs.ts";
import { crsOfWkt } from "./wkt-crs.ts";

const skip = gdalInstalled ? false : "gdaltransform is not installed";
const { signal } = new AbortController();

function gdalPoint(target: string, lon: number, lat: number): readonly [number, number] {
  const [x = Number.NaN, y = Number.NaN] = runGdal(
    "gdaltransform",
    ["-s_srs", "EPSG:4326", "-t_srs", target],
    `${lon} ${lat}\n`,
  )
    .trim()
    .split(/\s+/)
    .map(Number);
  return [x, y];
}

function distance(a: readonly [number, number], b: readonly [number, number]): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

/** EPSG code, a point inside its area of use, and the distance to PROJ that its datum allows, in CRS units. */
const EPSG_CASES: readonly (readonly [number, number, number, number])[] = [
  [32_601, -177.2, 62.3, 1e-4],
  [32_760, 178.4, -37.8, 1e-4],
  [3857, -70.6, -33.4, 1e-4],
  [3395, 12.5, 41.9, 1e-3],
  [4258, 10, 50, 1e-9],
  [25_832, 9.2, 48.7, 1e-3],
  [26_914, -99.1, 47, 1e-3],
  [3035, 5.5, 48.25, 1e-3],
  [2154, 2.3, 48.8, 1e-3],
  [2193, 174.7, -36.8, 1e-3],
  [28_355, 145, -37.8, 1e-3],
  [3112, 149.1, -35.3, 1e-3],
  [5070, -96, 40, 1e-3],
  [6350, -96, 40, 1e-3],
  [3031, 77, -69, 1e-3],
  [3413, -50, 69, 1e-3],
  [3976, 166.6, -77.8, 1e-3],
  [6933, 12, -8, 1e-3],
  [2180, 21, 52.2, 1e-3],
  [2263, -73.9, 40.7, 1e-2],
  [3067, 25, 60.2, 1e-3],
  [2056, 7.45, 46.95, 2],
  [21_781, 7.45, 46.95, 2],
  [27_700, -1.5, 52.5, 5],
  [28_992, 5.1, 52.1, 1],
  [31_370, 4.4, 50.8, 1],
  [31_467, 9.2, 48.7, 3],
  [5514, 14.4, 50.1, 12],
  [2052, 27.2, -26.2, 1e-3],
  [26_931, -134.4, 58.3, 1e-2],
  [26_714, -99.1, 40, 25],
];

test(
  "EPSG codes project like PROJ, to the accuracy of a Helmert shift where the datum needs one",
  { skip },
  async () => {
    for (const [epsg, lon, lat, tolerance] of EPSG_CASES) {
      const crs = await crsOfEpsg(epsg);
      assert.ok(crs !== null, `EPSG:${epsg}`);
      const ours = createProjection(crs.proj4).forward(lon, lat);
      const away = distance(ours, gdalPoint(`EPSG:${epsg}`, lon, lat));
      assert.ok(away <= tolerance, `EPSG:${epsg} is ${away} away: ${crs.proj4}`);
      assert.equal(crs.datumShiftKnown, true, `EPSG:${epsg}`);
      assert.ok(coversPoint(crs, ...ours));
    }
  },
);

test("codes that no proj string expresses give null", async () => {
  for (const epsg of [9999, 5773, 6247]) assert.equal(await crsOfEpsg(epsg), null, `EPSG:${epsg}`);
});

const PROJ_CASES: readonly (readonly [string, number, number])[] = [
  ["+proj=sinu +lon_0=0 +x_0=0 +y_0=0 +R=6371007.181 +units=m", -55, -12],
  ["+proj=laea +lat_0=45 +lon_0=-100 +x_0=0 +y_0=0 +datum=WGS84", -98, 44],
  ["+proj=aea +lat_1=20 +lat_2=-23 +lat_0=0 +lon_0=25 +datum=WGS84", 27, 3],
  ["+proj=lcc +lat_1=33 +lat_2=45 +lat_0=39 +lon_0=-96 +x_0=1000 +y_0=2000 +datum=WGS84", -95, 40],
  ["+proj=lcc +lat_1=46.8 +lat_0=46.8 +lon_0=2 +k_0=0.999 +x_0=600000 +y_0=200000 +ellps=GRS80", 3, 47],
  ["+proj=tmerc +lat_0=10 +lon_0=33 +k=0.9995 +x_0=250000 +y_0=0 +datum=WGS84", 33.5, 11],
  ["+proj=merc +lon_0=15 +k=0.9 +datum=WGS84", 16, 20],
  ["+proj=merc +lat_ts=30 +lon_0=15 +datum=WGS84", 16, 20],
  ["+proj=stere +lat_0=90 +lat_ts=75 +lon_0=-10 +datum=WGS84", 5, 80],
  ["+proj=stere +lat_0=-90 +lat_ts=-71 +lon_0=0 +datum=WGS84", 5, -80],
  ["+proj=sterea +lat_0=52 +lon_0=5 +k=0.9999 +x_0=155000 +y_0=463000 +datum=WGS84", 5.5, 52.2],
  ["+proj=aeqd +lat_0=40 +lon_0=-75 +datum=WGS84", -74, 41],
  ["+proj=eqc +lat_ts=20 +lon_0=10 +datum=WGS84", 11, 21],
  ["+proj=cea +lat_ts=30 +lon_0=10 +datum=WGS84", 11, 21],
  ["+proj=poly +lat_0=0 +lon_0=-54 +x_0=5000000 +y_0=10000000 +ellps=GRS80", -50, -10],
  ["+proj=utm +zone=33 +south +datum=WGS84", 15.4, -12],
  [
    "+proj=tmerc +lat_0=0 +lon_0=9 +k=1 +x_0=3500000 +ellps=bessel +towgs84=598.1,73.7,418.2,0.202,0.045,-2.455,6.7",
    9.1,
    49,
  ],
  ["+proj=lcc +lat_1=33 +lat_2=45 +lat_0=39 +lon_0=-96 +x_0=609601.2192 +y_0=0 +datum=WGS84 +units=us-ft", -95, 40],
  ["+proj=longlat +R=6371000", 3, 4],
];

test("user-defined projections that GDAL writes as keys are read back as the same projection", { skip }, async () => {
  using folder = temporaryFolder();
  const raw = join(folder.path, "a.raw");
  const path = join(folder.path, "a.tif");
  writeRaw(raw, { widthPx: 2, heightPx: 2, dataType: "uint8", bands: [new Uint8Array(4)] });
  for (const [definition, lon, lat] of PROJ_CASES) {
    const expected = gdalPoint(definition, lon, lat);
    for (const [profile, version] of [
      ["GDALGeoTIFF", "1.1"],
      ["GeoTIFF", "1.0"],
    ] as const) {
      const placed = [
        "-a_ullr",
        "0",
        "20",
        "20",
        "0",
        "-co",
        `PROFILE=${profile}`,
        "-co",
        `GEOTIFF_VERSION=${version}`,
      ];
      runGdal("gdal_translate", ["-q", raw, path, "-a_srs", definition, ...placed]);
      await using source = await fileSource(path);
      await using raster = await openTiff(source);
      assert.ok(raster.crs !== null, definition);
      const away = distance(createProjection(raster.crs.proj4).forward(lon, lat), expected);
      assert.ok(away < 0.01, `${definition} ${profile} ${version} is ${away} away: ${raster.crs.proj4}`);
    }
  }
});

test("keys of MODIS sinusoidal on a sphere give the projection that its user guide states", async () => {
  const keys = geoKeyTag({ 1024: 1, 1025: 1, 2048: 32_767, 3072: 32_767, 3074: 32_767, 3075: 24, 3076: 9001 });
  assert.ok(keys.type === "short");
  // Radius and centre longitude are doubles: keys 2057 and 3080 point into GeoDoubleParams.
  const values = [...keys.values, 2057, TAG.geoDoubleParams, 1, 0, 3080, TAG.geoDoubleParams, 1, 1];
  values[3] = 9;
  const tags = imageTags(1, 1, {
    [TAG.geoKeyDirectory]: { type: "short", values },
    [TAG.geoDoubleParams]: double(6_371_007.181, 0),
  });
  const raster = await openTiff(bufferSource(buildTiff([{ tags, blocks: [Uint8Array.of(1)] }])));
  assert.ok(raster.crs !== null);
  // x = R * lon * cos(lat), y = R * lat.
  const radians = Math.PI / 180;
  const [x, y] = createProjection(raster.crs.proj4).forward(-55, -12);
  assert.ok(Math.abs(x - 6_371_007.181 * -55 * radians * Math.cos(12 * radians)) < 1e-6);
  assert.ok(Math.abs(y - 6_371_007.181 * -12 * radians) < 1e-6);
  assert.equal(raster.crs.epsg, null);
});

test("WKT of Esri citations is understood, and nonsense is not", { skip }, async () => {
  const wkt =
    'PROJCS["Albers",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Albers"],PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",25.0],PARAMETER["Standard_Parallel_1",20.0],PARAMETER["Standard_Parallel_2",-23.0],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]';
  const crs = await crsOfWkt(wkt);
  assert.ok(crs !== null);
  const expected = gdalPoint("+proj=aea +lat_1=20 +lat_2=-23 +lat_0=0 +lon_0=25 +datum=WGS84", 27, 3);
  assert.ok(distance(createProjection(crs.proj4).forward(27, 3), expected) < 1e-3);
  assert.equal((await crsOfWkt('GEOGCS["x",AUTHORITY["EPSG","4326"]]'))?.epsg, 4326);
  for (const text of [
    "",
    "PROJCS[",
    'PROJCS["x"',
    "PROJCS[".repeat(100),
    'LOCAL_CS["x"]',
    'PROJCS["x",PROJECTION["y"]]',
  ]) {
    assert.equal(await crsOfWkt(text), null, text);
  }
});

test(
  "a control grid of a datum with a shift agrees with PROJ inside the bounds, and is not made without need",
  { skip },
  async () => {
    const crs = await crsOfEpsg(27_700);
    assert.ok(crs !== null);
    const grid = await controlGridFor(crs, [-2, 52, -1, 52.6], signal);
    assert.ok(grid !== null);
    const projection = controlGridProjection(grid);
    for (const [lon, lat] of [
      [-2, 52],
      [-1.37, 52.21],
      [-1, 52.6],
      [-1.9, 52.59],
    ] as const) {
      assert.ok(distance(projection.forward(lon, lat), gdalPoint("EPSG:27700", lon, lat)) < 0.005);
      const [backLon, backLat] = projection.inverse(...projection.forward(lon, lat));
      assert.ok(Math.hypot(backLon - lon, backLat - lat) < 1e-9);
    }
    const utm = await crsOfEpsg(32_633);
    assert.ok(utm !== null);
    assert.equal(await controlGridFor(utm, [14, 50, 15, 51], signal), null);
  },
);
