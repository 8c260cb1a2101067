import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { normalForm } from "../geometry/antimeridian.ts";
import { areaKm2 } from "../geometry/area.ts";
import { unionAll } from "../geometry/clip.ts";
import type { MultiPolygon, Position } from "../geometry/geojson.ts";
import { intersectionAreaKm2, prepareArea } from "../geometry/intersection-ratio.ts";
import { cellWeights, type CellWeights, type LonLatGrid } from "./cell-weights.ts";
import { HOUR_MS, meanOf, precipitation, weightedSum, type RainInterval } from "./precipitation.ts";

const WORLD: LonLatGrid = {
  westDeg: -180,
  northDeg: 60,
  cellWidthDeg: 0.1,
  cellHeightDeg: 0.1,
  columns: 3600,
  rows: 1200,
};
const END = Date.UTC(2024, 5, 30, 12);

function area(...rings: readonly (readonly Position[])[]): MultiPolygon {
  return { type: "MultiPolygon", coordinates: normalForm(rings.map((ring) => [[...ring, ...ring.slice(0, 1)]])) };
}

function box(west: number, south: number, east: number, north: number): MultiPolygon {
  return area([
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ]);
}

function hours(count: number, rate: (hour: number) => number | null, lastStartMs = END - HOUR_MS): RainInterval[] {
  return Array.from({ length: count }, (_, i) => {
    const startMs = lastStartMs - (count - 1 - i) * HOUR_MS;
    return { startMs, endMs: startMs + HOUR_MS, meanMmPerH: rate(i) };
  });
}

function meanRain(weights: CellWeights, valueOf: (cell: number) => number): number | null {
  const values = new Float32Array(WORLD.columns * WORLD.rows);
  for (const cell of weights.cells) values[cell] = valueOf(cell);
  return meanOf([weightedSum(weights, { values })], weights.totalKm2);
}

/** A rate that differs from cell to cell. */
function patchy(cell: number): number {
  return (cell * 7919) % 23;
}

/** The hour that begins at that hour of the day. */
function dayHour(hour: number, rate: number): RainInterval {
  const startMs = Date.UTC(2024, 5, 30, hour);
  return { startMs, endMs: startMs + HOUR_MS, meanMmPerH: rate };
}

/** Seven decimals, as stored geometry has: overlays of slivers far below a millimetre have no defined answer. */
function degrees(min: number, max: number): fc.Arbitrary<number> {
  return fc.integer({ min: min * 1e7, max: max * 1e7 }).map((n) => n / 1e7);
}

test("weights are the common areas of polygon and cells, by another algorithm", () => {
  const grid: LonLatGrid = { westDeg: 10, northDeg: 52, cellWidthDeg: 0.25, cellHeightDeg: 0.5, columns: 8, rows: 6 };
  const position = fc.tuple(degrees(9.5, 12.5), degrees(48.5, 52.5));
  fc.assert(
    fc.property(fc.array(position, { minLength: 3, maxLength: 9 }), (positions) => {
      const polygon = unionAll([[[...positions, ...positions.slice(0, 1)]]]);
      const weights = cellWeights(polygon, grid);
      const prepared = prepareArea(polygon);
      const byCell = new Map([...weights.cells].map((cell, i) => [cell, weights.areasKm2[i]]));
      let total = 0;
      for (let cell = 0; cell < grid.columns * grid.rows; cell += 1) {
        const west = grid.westDeg + (cell % grid.columns) * grid.cellWidthDeg;
        const north = grid.northDeg - Math.floor(cell / grid.columns) * grid.cellHeightDeg;
        const square = box(west, north - grid.cellHeightDeg, west + grid.cellWidthDeg, north);
        const expected = intersectionAreaKm2(prepared, prepareArea(square));
        assert.ok(Math.abs((byCell.get(cell) ?? 0) - expected) < 1e-6, `cell ${cell}: ${byCell.get(cell)} ${expected}`);
        total += expected;
      }
      assert.ok(Math.abs(weights.totalKm2 - total) < 1e-5);
    }),
    { numRuns: 150 },
  );
});

test("weights of a polygon with a hole, of either orientation, add up to its area", () => {
  const outer: Position[] = [
    [14, 50],
    [15.4, 50.1],
    [15.3, 50.9],
    [14, 50],
  ];
  const hole: Position[] = [
    [14.9, 50.2],
    [15.1, 50.2],
    [15.1, 50.4],
    [14.9, 50.2],
  ];
  for (const rings of [
    [outer, hole],
    [outer.toReversed(), hole],
    [outer, hole.toReversed()],
  ]) {
    const polygon: MultiPolygon = { type: "MultiPolygon", coordinates: [rings] };
    assert.ok(Math.abs(cellWeights(polygon, WORLD).totalKm2 / areaKm2(polygon) - 1) < 1e-9);
  }
});

test("constant 1 mm/h gives N millimetres in N hours", () => {
  for (const windowHours of [1, 24, 240, 720]) {
    const result = precipitation(
      hours(windowHours, () => 1),
      END,
      windowHours,
    );
    assert.ok(result.kind === "known" && Math.abs(result.precipitationMm - windowHours) < 1e-9);
  }
});

test("a polygon half on a wet cell gives half of its rain", () => {
  // Same latitudes either side of the border between two cells.
  const weights = cellWeights(box(10.05, 45.02, 10.15, 45.08), WORLD);
  assert.equal(weights.cells.length, 2);
  const mean = meanRain(weights, (cell) => (cell % WORLD.columns === 1900 ? 4 : 0));
  assert.ok(mean !== null && Math.abs(mean - 2) < 1e-9);
});

test("half past ten with one hour takes half of two hours", () => {
  const end = Date.UTC(2024, 5, 30, 10, 30);
  assert.deepEqual(precipitation([dayHour(10, 2), dayHour(9, 6), dayHour(8, 100)], end, 1), {
    kind: "known",
    precipitationMm: 4,
    missingHours: 0,
  });
});

test("half-hourly rasters count half an hour each", () => {
  const halves = Array.from({ length: 4 }, (_, i): RainInterval => {
    const startMs = END - 2 * HOUR_MS + (i * HOUR_MS) / 2;
    return { startMs, endMs: startMs + HOUR_MS / 2, meanMmPerH: i };
  });
  assert.deepEqual(precipitation(halves, END, 2), { kind: "known", precipitationMm: 3, missingHours: 0 });
});

test("the rain of a polygon is that of its parts weighted by area", () => {
  fc.assert(
    fc.property(fc.double({ min: 14.05, max: 15.35, noNaN: true }), (cut) => {
      const west = cellWeights(box(14, 50, cut, 50.9), WORLD);
      const east = cellWeights(box(cut, 50, 15.4, 50.9), WORLD);
      const whole = cellWeights(box(14, 50, 15.4, 50.9), WORLD);
      const expected =
        (meanRain(west, patchy)! * west.totalKm2 + meanRain(east, patchy)! * east.totalKm2) /
        (west.totalKm2 + east.totalKm2);
      assert.ok(Math.abs(meanRain(whole, patchy)! - expected) < 1e-9);
    }),
    { numRuns: 50 },
  );
});

test("a box across the antimeridian takes cells of both ends of the grid", () => {
  const weights = cellWeights(box(179.95, 10, -179.95, 10.1), WORLD);
  const columns = new Set([...weights.cells].map((cell) => cell % WORLD.columns));
  assert.deepEqual(
    [...columns].toSorted((a, b) => a - b),
    [0, 3599],
  );
  const mean = meanRain(weights, (cell) => (cell % WORLD.columns === 0 ? 1 : 3));
  assert.ok(mean !== null && Math.abs(mean - 2) < 1e-9);
});

test("a triangle smaller than a cell has the value of the cell", () => {
  const weights = cellWeights(
    area([
      [14.420_01, 50.080_01],
      [14.420_02, 50.080_01],
      [14.420_01, 50.080_02],
    ]),
    WORLD,
  );
  assert.equal(weights.cells.length, 1);
  assert.equal(weights.cells[0], 99 * 3600 + 1944);
  assert.ok(Math.abs(meanRain(weights, () => 7.25)! - 7.25) < 1e-9);
});

test("cells without a value drop out of the mean, and under half of the area there is none", () => {
  const weights = cellWeights(box(10.04, 45.02, 10.14, 45.08), WORLD);
  const dry = (share: number): number | null =>
    meanRain(weights, (cell) => ((cell % WORLD.columns === 1900) === share > 0.5 ? 5 : Number.NaN));
  assert.equal(dry(0.6), 5);
  assert.equal(dry(0.4), null);
  const values = new Int16Array(WORLD.columns * WORLD.rows).fill(-9999);
  for (const cell of weights.cells) if (cell % WORLD.columns === 1900) values[cell] = 12;
  const part = weightedSum(weights, { values, nodata: -9999, scale: 0.5, offset: 1 });
  assert.ok(Math.abs(meanOf([part], weights.totalKm2)! - 7) < 1e-9);
});

test("missing hours up to a fifth are filled in with the mean of the others, more is no answer", () => {
  const missing = (count: number) =>
    precipitation(
      hours(10, (hour) => (hour < count ? null : 2)),
      END,
      10,
    );
  assert.deepEqual(missing(2), { kind: "known", precipitationMm: 20, missingHours: 2 });
  assert.equal(missing(3).kind, "missing");
  assert.equal(precipitation([], END, 1).kind, "missing");
});

test("a raster that is there twice counts once", () => {
  const twice = [...hours(5, () => 1), ...hours(5, () => 1)];
  assert.deepEqual(precipitation(twice, END, 5), { kind: "known", precipitationMm: 5, missingHours: 0 });
});

test("the parts of a polygon beyond the grid have no weight", () => {
  const regional: LonLatGrid = { ...WORLD, westDeg: 10, northDeg: 50, columns: 10, rows: 10 };
  const whole = cellWeights(box(9, 48, 12, 51), regional);
  assert.ok(Math.abs(whole.totalKm2 / areaKm2(box(10, 49, 11, 50)) - 1) < 1e-9);
  assert.equal(cellWeights(box(20, 48, 21, 51), regional).totalKm2, 0);
});
