import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { createProjection, parseProjString, withFalseOrigin } from "./projection.ts";
import { epsgOfUtmZone, utmProjString, utmZoneAt, utmZoneOfEpsg } from "./utm.ts";
import { lonLatToWebMercator, webMercatorToLonLat, WEB_MERCATOR_PROJ_STRING } from "./web-mercator.ts";
import { controlGridProjection } from "./control-grid.ts";

/** Each expected pair is what `gdaltransform -s_srs EPSG:4326 -t_srs EPSG:<code>` (PROJ 9.1) answers. */
const references: readonly (readonly [string, number, number, number, number])[] = [
  [utmProjString({ zone: 32, south: false }), 9.5, 57, 530373.781618439, 6317497.07135597],
  [utmProjString({ zone: 18, south: true }), -72.47, -38.83, 719615.817247625, 5699046.88601475],
  [
    "+proj=laea +lat_0=52 +lon_0=10 +x_0=4321000 +y_0=3210000 +ellps=GRS80 +towgs84=0,0,0,0,0,0,0 +units=m +no_defs",
    5.5,
    48.25,
    3986893.73770616,
    2803127.06658329,
  ],
  [WEB_MERCATOR_PROJ_STRING, 12.5, 41.9, 1391493.63491592, 5146011.67928279],
];

test("projections agree with PROJ to a millimetre and invert to a nanodegree", () => {
  for (const [definition, lon, lat, x, y] of references) {
    const projection = createProjection(definition);
    const forward = projection.forward(lon, lat);
    assert.ok(Math.hypot(forward[0] - x, forward[1] - y) < 1e-3, `${definition}: ${forward.join(", ")}`);
    const inverse = projection.inverse(x, y);
    assert.ok(Math.hypot(inverse[0] - lon, inverse[1] - lat) < 1e-7, `${definition}: ${inverse.join(", ")}`);
  }
});

test("equal-area projections without a false origin give numbers, not NaN", () => {
  for (const name of [
    "laea +lat_0=40 +lon_0=-90",
    "aea +lat_1=30 +lat_2=60 +lat_0=40 +lon_0=-90",
    "cea +lat_ts=30 +lon_0=-90",
  ]) {
    const [x, y] = createProjection(`+proj=${name} +datum=WGS84`).forward(-91, 41);
    assert.ok(Number.isFinite(x) && Number.isFinite(y), name);
  }
});

test("a false origin is added only to projected systems and only when missing", () => {
  assert.equal(withFalseOrigin("+proj=laea +x_0=5 +no_defs"), "+proj=laea +x_0=5 +no_defs +y_0=0");
  assert.equal(withFalseOrigin("+proj=longlat +datum=WGS84"), "+proj=longlat +datum=WGS84");
  assert.throws(() => parseProjString("EPSG:4326"), RangeError);
});

test("points without an image are a RangeError", () => {
  assert.throws(() => createProjection(WEB_MERCATOR_PROJ_STRING).forward(Number.NaN, 0), RangeError);
  assert.throws(() => createProjection("+proj=nosuch +datum=WGS84"), RangeError);
  assert.throws(() => lonLatToWebMercator(0, 90), RangeError);
});

test("UTM zones and EPSG codes are each other's inverse, with the Norwegian exceptions", () => {
  for (let zone = 1; zone <= 60; zone++) {
    for (const south of [false, true]) assert.deepEqual(utmZoneOfEpsg(epsgOfUtmZone({ zone, south })), { zone, south });
  }
  assert.equal(utmZoneOfEpsg(32_661), null);
  assert.equal(utmZoneOfEpsg(4326), null);
  assert.equal(utmZoneAt(5, 60).zone, 32);
  assert.equal(utmZoneAt(20, 78).zone, 33);
  assert.equal(utmZoneAt(180, 10).zone, 1);
  assert.equal(utmZoneAt(-180, 10).zone, 1);
});

test("Web Mercator by formula equals proj4 and inverts exactly", () => {
  const projection = createProjection(WEB_MERCATOR_PROJ_STRING);
  fc.assert(
    fc.property(
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.double({ min: -85, max: 85, noNaN: true }),
      (lon, lat) => {
        const [x, y] = lonLatToWebMercator(lon, lat);
        const [px, py] = projection.forward(lon, lat);
        const [backLon, backLat] = webMercatorToLonLat(x, y);
        return Math.hypot(x - px, y - py) < 1e-6 && Math.abs(backLon - lon) < 1e-11 && Math.abs(backLat - lat) < 1e-11;
      },
    ),
  );
});

test("a control grid with 3 km nodes reproduces the projection it samples both ways", () => {
  const exact = createProjection(utmProjString({ zone: 32, south: false }));
  const [west, south, east, north] = [8.2, 49.8, 9.6, 50.7];
  const columns = 33;
  const rows = 33;
  const x: number[] = [];
  const y: number[] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const point = exact.forward(
        west + ((east - west) * column) / (columns - 1),
        north - ((north - south) * row) / (rows - 1),
      );
      x.push(point[0]);
      y.push(point[1]);
    }
  }
  const sampled = controlGridProjection({ bounds: [west, south, east, north], columns, rows, x, y });
  fc.assert(
    fc.property(
      fc.double({ min: west, max: east, noNaN: true }),
      fc.double({ min: south, max: north, noNaN: true }),
      (lon, lat) => {
        const a = exact.forward(lon, lat);
        const b = sampled.forward(lon, lat);
        const back = sampled.inverse(a[0], a[1]);
        return Math.hypot(a[0] - b[0], a[1] - b[1]) < 1e-3 && Math.hypot(back[0] - lon, back[1] - lat) < 1e-8;
      },
    ),
  );
  assert.throws(() => sampled.forward(20, 50), RangeError);
  assert.throws(() => sampled.inverse(0, 0), RangeError);
});
