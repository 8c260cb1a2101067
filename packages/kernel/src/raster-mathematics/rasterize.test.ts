import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { lonLatToWebMercator } from "../crs/web-mercator.ts";
import { areaKm2 } from "../geometry/area.ts";
import type { MultiPolygon, Position } from "../geometry/geojson.ts";
import { pixelAreasM2 } from "./pixel-area.ts";
import { polygonCoverage, type MercatorGrid } from "./rasterize.ts";

/** A grid over a longitude and latitude, `sizePx` pixels of `pixelSizeM`. */
function gridAt(lonDeg: number, latDeg: number, pixelSizeM: number, sizePx: number): MercatorGrid {
  const [originXM, originYM] = lonLatToWebMercator(lonDeg, latDeg);
  return { originXM, originYM, pixelSizeM, widthPx: sizePx, heightPx: sizePx };
}

function multi(...polygons: readonly (readonly (readonly Position[])[])[]): MultiPolygon {
  return { type: "MultiPolygon", coordinates: polygons };
}

function box(west: number, south: number, east: number, north: number): readonly Position[] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

function coveredM2(coverage: Uint8Array, grid: MercatorGrid): number {
  const areas = pixelAreasM2(grid.originYM, grid.pixelSizeM, grid.heightPx);
  return coverage.reduce((sum, value, i) => sum + (value / 255) * (areas[Math.floor(i / grid.widthPx)] ?? 0), 0);
}

test("the covered area is the polygon's area to half a pixel along its perimeter", () => {
  const grid = gridAt(10, 50.2, 100, 256);
  fc.assert(
    fc.property(
      fc.array(fc.record({ radius: fc.double({ min: 0.02, max: 0.1, noNaN: true }) }), { minLength: 3, maxLength: 40 }),
      (points) => {
        const ring = points.map(({ radius }, i): Position => {
          const angle = (2 * Math.PI * i) / points.length;
          return [10.115 + radius * Math.cos(angle), 50.13 + 0.6 * radius * Math.sin(angle)];
        });
        ring.push(ring[0] ?? [0, 0]);
        const polygon = multi([ring]);
        const exactM2 = areaKm2(polygon) * 1e6;
        let perimeterPx = 0;
        for (const [i, to] of ring.entries()) {
          const from = ring[Math.max(i - 1, 0)] ?? to;
          const [ax, ay] = lonLatToWebMercator(from[0], from[1]);
          const [bx, by] = lonLatToWebMercator(to[0], to[1]);
          perimeterPx += Math.hypot(bx - ax, by - ay) / grid.pixelSizeM;
        }
        const errorM2 = Math.abs(coveredM2(polygonCoverage(polygon, grid), grid) - exactM2);
        // A pixel here is 64 m on the ground.
        assert.ok(errorM2 < 0.5 * perimeterPx * 64 * 64 * 0.25, `${errorM2} of ${exactM2}`);
      },
    ),
    { numRuns: 60 },
  );
});

test("a polygon over the whole grid covers every pixel fully, whatever its orientation", () => {
  const grid = gridAt(10, 50, 50, 64);
  const ring = box(9, 49, 11, 51);
  assert.ok(polygonCoverage(multi([ring]), grid).every((value) => value === 255));
  assert.ok(polygonCoverage(multi([ring.toReversed()]), grid).every((value) => value === 255));
});

test("two polygons that share an edge cover each sample exactly once", () => {
  const grid = gridAt(10, 50, 50, 128);
  fc.assert(
    fc.property(
      fc.double({ min: 10.001, max: 10.05, noNaN: true }),
      fc.double({ min: 10.001, max: 10.05, noNaN: true }),
      (a, b) => {
        const west: readonly Position[] = [
          [9, 49],
          [a, 49],
          [b, 51],
          [9, 51],
          [9, 49],
        ];
        const east: readonly Position[] = [
          [a, 49],
          [11, 49],
          [11, 51],
          [b, 51],
          [a, 49],
        ];
        const left = polygonCoverage(multi([west]), grid);
        const right = polygonCoverage(multi([east]), grid);
        const both = polygonCoverage(multi([west], [east]), grid);
        for (const [i, value] of left.entries()) {
          assert.ok(Math.abs(value + (right[i] ?? 0) - 255) <= 1);
          assert.equal(both[i], 255);
        }
      },
    ),
    { numRuns: 30 },
  );
});

test("holes are left out and overlapping polygons count once", () => {
  const grid = gridAt(10, 50, 50, 64);
  const hole = polygonCoverage(multi([box(9, 49, 11, 51), box(10.005, 49.98, 10.02, 49.995)]), grid);
  assert.equal(hole[0], 255);
  assert.equal(hole[20 * 64 + 25], 0);
  const twice = polygonCoverage(multi([box(9, 49, 11, 51)], [box(10.005, 49.98, 10.02, 49.995)]), grid);
  assert.ok(twice.every((value) => value === 255));
});

test("a polygon split at the antimeridian is whole on a grid that crosses it", () => {
  const grid = gridAt(179.9, 1, 200, 128);
  const split = multi([box(179.95, 0.9, 180, 0.95)], [box(-180, 0.9, -179.95, 0.95)]);
  const unsplit = multi([box(179.95, 0.9, 180.05, 0.95)]);
  assert.deepEqual(polygonCoverage(split, grid), polygonCoverage(unsplit, grid));
});

test("pixels of a whole Web Mercator square add up to the area between its parallels", () => {
  const side = 40_075_016.685_578_49;
  const rows = pixelAreasM2(side / 2, side / 1024, 1024);
  const total = rows.reduce((sum, area) => sum + area * 1024, 0) / 1e6;
  const expected = areaKm2({
    type: "Polygon",
    coordinates: [box(-180, -85.051_128_779_806_59, 180, 85.051_128_779_806_59)],
  });
  assert.ok(Math.abs(total / expected - 1) < 1e-9);
});
