import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { areaKm2, edgeAreaKm2, ringAreaKm2 } from "./area.ts";
import type { Polygon } from "./geojson.ts";
import { DEGREE, meridianArcM, meridianRadiusM, primeVerticalRadiusM, WGS84_A_M, WGS84_F } from "./wgs84.ts";

type Pair = [number, number];

function polygon(...rings: Pair[][]): Polygon {
  return { type: "Polygon", coordinates: rings };
}

function box(west: number, south: number, east: number, north: number): Pair[] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

/** Surface integral of M · N · cos φ over a polygon given as a function lat -> width in degrees, midpoint rule. */
function integralKm2(south: number, north: number, widthDeg: (lat: number) => number): number {
  const rows = 4000;
  const step = (north - south) / rows;
  let sum = 0;
  for (let i = 0; i < rows; i += 1) {
    const lat = south + (i + 0.5) * step;
    sum += meridianRadiusM(lat) * primeVerticalRadiusM(lat) * Math.cos(lat * DEGREE) * widthDeg(lat);
  }
  return (sum * step * DEGREE * DEGREE) / 1e6;
}

test("a box of a degree and a half agrees with Karney's geodesic polygon up to the bulge of its parallels", () => {
  // 9954.2419 km² has geodesics as edges; straight parallels lie south of them and add 0.004 %.
  const area = areaKm2(polygon(box(14, 50, 15.4, 50.9)));
  assert.ok(Math.abs(area / 9954.2419 - 1) < 4.5e-5);
  assert.ok(Math.abs(area / integralKm2(50, 50.9, () => 1.4) - 1) < 1e-8);
});

test("the whole Earth has its published area", () => {
  assert.ok(Math.abs(areaKm2(polygon(box(-180, -90, 180, 90))) - 510_065_621.724) < 0.001);
});

test("sloping edges are integrated along straight lines in longitude and latitude", () => {
  // A triangle 20 degrees high: width shrinks linearly with latitude.
  const triangle = polygon([
    [0, 40],
    [10, 40],
    [5, 60],
    [0, 40],
  ]);
  const expected = integralKm2(40, 60, (lat) => (10 * (60 - lat)) / 20);
  assert.ok(Math.abs(areaKm2(triangle) / expected - 1) < 1e-7);
});

test("holes are subtracted, orientation does not matter", () => {
  const outer = box(0, 0, 4, 4);
  const hole = box(1, 1, 2, 2);
  const expected = ringAreaKm2(outer) - ringAreaKm2(hole);
  assert.equal(areaKm2(polygon(outer, hole)), expected);
  assert.ok(Math.abs(areaKm2(polygon(outer.toReversed(), hole.toReversed())) - expected) < 1e-6);
});

test("cutting a polygon along a line keeps the area", () => {
  fc.assert(
    fc.property(
      fc.double({ min: -170, max: 160, noNaN: true }),
      fc.double({ min: -85, max: 70, noNaN: true }),
      fc.double({ min: 0.001, max: 10, noNaN: true }),
      fc.double({ min: 0.001, max: 15, noNaN: true }),
      fc.double({ min: 0.05, max: 0.95, noNaN: true }),
      (west, south, width, height, share) => {
        const cutLeft: Pair = [west, south + share * height];
        const cutRight: Pair = [west + width, south + (1 - share) * height];
        const whole = ringAreaKm2(box(west, south, west + width, south + height));
        const lower = ringAreaKm2([[west, south], [west + width, south], cutRight, cutLeft, [west, south]]);
        const upper = ringAreaKm2([cutLeft, cutRight, [west + width, south + height], [west, south + height], cutLeft]);
        assert.ok(Math.abs((lower + upper) / whole - 1) < 1e-9);
      },
    ),
  );
});

test("an edge of any height adds what its hundred parts add, to eleven digits", () => {
  fc.assert(
    fc.property(
      fc.double({ min: -89, max: 80, noNaN: true }),
      fc.oneof(fc.double({ min: 0.001, max: 0.1, noNaN: true }), fc.double({ min: 0.1, max: 9, noNaN: true })),
      (south, height) => {
        const part = (index: number): number =>
          edgeAreaKm2(
            index / 100,
            south + (height * index) / 100,
            (index + 1) / 100,
            south + (height * (index + 1)) / 100,
          );
        const parts = Array.from({ length: 100 }, (_, index) => part(index)).reduce((sum, one) => sum + one, 0);
        const whole = edgeAreaKm2(0, south, 1, south + height);
        // Across the equator the halves cancel: the digits are those of the larger one.
        const scale =
          Math.abs(edgeAreaKm2(0, south, 1, south)) + Math.abs(edgeAreaKm2(0, south + height, 1, south + height));
        assert.ok(Math.abs(whole - parts) <= 1e-11 * scale, `${whole}, expected ${parts}`);
      },
    ),
  );
});

test("a ten-metre square keeps six digits", () => {
  const side = 1e-4;
  const area = areaKm2(polygon(box(14.4, 50.1, 14.4 + side, 50.1 + side)));
  const lat = 50.1 + side / 2;
  const expected =
    (meridianRadiusM(lat) * primeVerticalRadiusM(lat) * Math.cos(lat * DEGREE) * (side * DEGREE) ** 2) / 1e6;
  assert.ok(Math.abs(area / expected - 1) < 1e-6);
});

test("the quarter meridian has its published length", () => {
  // 10 001 965.729 m, WGS84.
  assert.ok(Math.abs(meridianArcM(0, 90) - 10_001_965.729) < 0.001);
  assert.equal(WGS84_A_M * (1 - WGS84_F) < WGS84_A_M, true);
});
