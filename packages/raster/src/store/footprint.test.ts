import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { createProjection } from "@swath/kernel/crs/projection";
import { utmProjString } from "@swath/kernel/crs/utm";
import { areaKm2 } from "@swath/kernel/geometry/area";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { applyAffine } from "@swath/kernel/raster-mathematics/affine";
import type { Affine } from "@swath/kernel/raster-mathematics/affine";
import { footprintOf, MAX_VERTICES } from "./footprint.ts";
import type { PixelToLonLat } from "./footprint.ts";
import { ValidityMap } from "./validity-map.ts";

/** The validity map of a raster whose pixel (column, row) is valid where the predicate says so. */
function mapOf(width: number, height: number, isValid: (column: number, row: number) => boolean): ValidityMap {
  const map = new ValidityMap(width, height);
  const row = new Uint8Array(width);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) row[x] = isValid(x, y) ? 1 : 0;
    map.addRows(y, 1, row);
  }
  return map;
}

function toLonLat(proj4: string, transform: Affine): PixelToLonLat {
  const projection = createProjection(proj4);
  return (column, row) => projection.inverse(...applyAffine(transform, column, row));
}

const UTM: PixelToLonLat = toLonLat(utmProjString({ zone: 32, south: false }), [10, 0, 500_000, 0, -10, 5_500_000]);
/** One degree is a thousand pixels; the corner is at 10 E, 50 N. */
const DEGREES: PixelToLonLat = (column, row) => [10 + column / 1000, 50 - row / 1000];

/** About one and eleven metres per pixel, near the equator. */
const METRES: PixelToLonLat = (column, row) => [column / 1e5, -row / 1e5];
const TEN_METRES: PixelToLonLat = (column, row) => [column / 1e4, row / 1e4];

function vertices(footprint: MultiPolygon): number {
  return footprint.coordinates.flat().reduce((sum, ring) => sum + ring.length - 1, 0);
}

test("a small scene that is valid everywhere has five positions, its own corners", () => {
  const footprint = footprintOf(
    mapOf(200, 100, () => true),
    DEGREES,
    100,
  );
  assert.deepEqual(
    footprint?.coordinates.map((polygon) => polygon.map((ring) => ring.length)),
    [[5]],
  );
  const ring = footprint?.coordinates[0]?.[0] ?? [];
  assert.deepEqual(new Set(ring.map(String)), new Set(["10,50", "10.2,50", "10.2,49.9", "10,49.9"]));
});

test("edges of a large UTM scene get vertices until they stay within half a pixel", () => {
  const map = new ValidityMap(10_980, 10_980);
  for (let row = 0; row < 10_980; row += 1098) map.addRows(row, 1098, null);
  const footprint = footprintOf(map, UTM, 10);
  assert.ok(footprint !== null);
  assert.ok(vertices(footprint) > 8 && vertices(footprint) < 100, String(vertices(footprint)));
  // Metres of UTM are true to 1 in 2500 on the central meridian: 109.8 km squared, scale 0.9996 at x = 500 km.
  assert.ok(Math.abs(areaKm2(footprint) / 109.8 ** 2 - 1) < 1e-3, String(areaKm2(footprint)));
});

test("an L keeps its corners", () => {
  const footprint = footprintOf(
    mapOf(300, 300, (x, y) => x < 100 || y >= 200),
    DEGREES,
    100,
  );
  assert.equal(footprint === null ? 0 : vertices(footprint), 6);
});

test("a hole stays a hole and a speck is dropped", () => {
  const footprint = footprintOf(
    mapOf(400, 400, (x, y) => {
      if (x === 5 && y === 390) return true;
      return x >= 20 && x < 380 && y >= 20 && y < 380 && !(x >= 100 && x < 200 && y >= 150 && y < 250);
    }),
    DEGREES,
    100,
  );
  assert.deepEqual(
    footprint?.coordinates.map((polygon) => polygon.map((ring) => ring.length)),
    [[5, 5]],
  );
});

test("a rotated valid area becomes a quadrilateral of the same area", () => {
  const side = 400;
  const angle = Math.PI / 9;
  const inside = (x: number, y: number): boolean => {
    const [dx, dy] = [x + 0.5 - 500, y + 0.5 - 500];
    const u = dx * Math.cos(angle) + dy * Math.sin(angle);
    const v = dy * Math.cos(angle) - dx * Math.sin(angle);
    return Math.abs(u) < side / 2 && Math.abs(v) < side / 2;
  };
  const footprint = footprintOf(mapOf(1000, 1000, inside), METRES, 1);
  assert.ok(footprint !== null && vertices(footprint) <= 12, String(footprint && vertices(footprint)));
  const expected = side ** 2 * (0.01113 ** 2 / 100) * 0.9933;
  assert.ok(Math.abs(areaKm2(footprint) / expected - 1) < 0.01, `${areaKm2(footprint)} of ${expected}`);
});

test("a scene across the antimeridian is split there", () => {
  const zone1 = utmProjString({ zone: 1, south: true });
  // The corner lies at 179.3 E; the scene is 200 km wide.
  const [x, y] = createProjection(zone1).forward(-180.7, -17);
  const footprint = footprintOf(
    mapOf(200, 100, () => true),
    toLonLat(zone1, [1000, 0, x, 0, -1000, y]),
    1000,
  );
  assert.equal(footprint?.coordinates.length, 2);
  const longitudes = footprint?.coordinates.flat(2).map(([lon]) => lon) ?? [];
  assert.ok(longitudes.every((lon) => lon >= -180 && lon <= 180));
  assert.ok(longitudes.includes(180) && longitudes.includes(-180));
  assert.ok(footprint !== null && Math.abs(areaKm2(footprint) / 20_000 - 1) < 0.01);
});

test("a raster around the whole Earth covers the whole Earth", () => {
  const footprint = footprintOf(
    mapOf(360, 180, () => true),
    (column, row) => [column - 180, 90 - row],
    111_000,
  );
  assert.ok(footprint !== null);
  assert.ok(Math.abs(areaKm2(footprint) / 510_065_621.724 - 1) < 1e-9, String(areaKm2(footprint)));
});

test("a scene over the pole contains the pole", () => {
  const stere = "+proj=stere +lat_0=-90 +lat_ts=-71 +lon_0=0 +x_0=0 +y_0=0 +datum=WGS84 +units=m";
  const footprint = footprintOf(
    mapOf(200, 200, () => true),
    toLonLat(stere, [10_000, 0, -1_000_000, 0, -10_000, 1_000_000]),
    10_000,
  );
  assert.ok(footprint !== null && footprint.coordinates.flat(2).some(([, lat]) => lat === -90));
  // True scale is at 71 S; nearer the pole the projection shrinks lengths by up to 2.8 %.
  assert.ok(Math.abs(areaKm2(footprint) / 4e6 - 1) < 0.06, String(areaKm2(footprint)));
});

test("one valid pixel among a hundred million is enough for a footprint, none gives null", () => {
  const one = new ValidityMap(10_000, 10_000);
  const row = new Uint8Array(10_000);
  row[5000] = 1;
  one.addRows(7000, 1, row);
  assert.ok((areaKm2(footprintOf(one, UTM, 10) ?? { type: "MultiPolygon", coordinates: [] }) ?? 0) > 0);
  assert.equal(
    footprintOf(
      mapOf(50, 50, () => false),
      UTM,
      10,
    ),
    null,
  );
});

test("any validity gives at most the allowed vertices, inside the raster, with about the valid area", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 31 }), fc.integer({ min: 2, max: 40 }), (seed, size) => {
      // Blobs: the sum of three waves with phases from the seed.
      const phase = [seed % 7, seed % 11, seed % 13];
      const isValid = (x: number, y: number): boolean =>
        Math.sin(x / size + (phase[0] ?? 0)) +
          Math.sin(y / size + (phase[1] ?? 0)) +
          Math.sin((x + y) / (2 * size) + (phase[2] ?? 0)) >
        0;
      let count = 0;
      for (let y = 0; y < 250; y++) for (let x = 0; x < 300; x++) if (isValid(x, y)) count++;
      const footprint = footprintOf(mapOf(300, 250, isValid), TEN_METRES, 11);
      if (footprint === null) return count === 0;
      const inBox = footprint.coordinates
        .flat(2)
        .every(([lon, lat]) => lon >= 0 && lon <= 0.03 && lat >= 0 && lat <= 0.025);
      // Hundreds of equal blobs of a few cells are more than the vertices can tell; larger ones keep their area.
      const expected = count * (11.1319 ** 2 / 1e6) * 0.9933;
      return (
        vertices(footprint) <= MAX_VERTICES &&
        inBox &&
        (size < 6 || Math.abs(areaKm2(footprint) - expected) < 0.15 * expected + 0.02)
      );
    }),
    { numRuns: 30 },
  );
});

test("noise over the whole raster is outlined in bounded time", () => {
  let state = 1;
  const footprint = footprintOf(
    mapOf(1024, 1024, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24 < 150;
    }),
    TEN_METRES,
    11,
  );
  assert.ok(footprint !== null && vertices(footprint) <= MAX_VERTICES && areaKm2(footprint) > 0);
});
