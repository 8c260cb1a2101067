import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { createProjection } from "../crs/projection.ts";
import { utmProjString } from "../crs/utm.ts";
import { WEB_MERCATOR_HALF_SIDE_M, webMercatorToLonLat } from "../crs/web-mercator.ts";
import {
  affineLattice,
  buildControlLattice,
  latticeExtent,
  neededCells,
  type ControlLattice,
  type PixelMapping,
} from "./control-lattice.ts";

function at(values: Float64Array, index: number): number {
  return values[index] ?? Number.NaN;
}

function positionAt(lattice: ControlLattice, column: number, row: number): readonly [x: number, y: number] {
  const { cellPx, columns, widthPx, heightPx } = lattice;
  const cellColumn = Math.min(Math.floor(column / cellPx), columns - 2);
  const cellRow = Math.min(Math.floor(row / cellPx), lattice.rows - 2);
  const s = (column - cellColumn * cellPx) / Math.min(cellPx, widthPx - cellColumn * cellPx);
  const t = (row - cellRow * cellPx) / Math.min(cellPx, heightPx - cellRow * cellPx);
  const i = cellRow * columns + cellColumn;
  const mix = (v: Float64Array): number =>
    (at(v, i) * (1 - s) + at(v, i + 1) * s) * (1 - t) + (at(v, i + columns) * (1 - s) + at(v, i + columns + 1) * s) * t;
  return [mix(lattice.x), mix(lattice.y)];
}

test("positions of a tile in UTM pixels are within a hundredth of a pixel of the projection, at every zoom", () => {
  const projection = createProjection(utmProjString({ zone: 32, south: false }));
  for (const z of [6, 9, 12, 15]) {
    const sideM = (2 * WEB_MERCATOR_HALF_SIDE_M) / 2 ** z;
    const left = Math.floor(2 ** z * (10.9 / 360 + 0.5)) * sideM - WEB_MERCATOR_HALF_SIDE_M;
    const top = WEB_MERCATOR_HALF_SIDE_M - Math.floor(0.3 * 2 ** z) * sideM;
    const pixelM = sideM / 512;
    const mapping: PixelMapping = (column, row) => {
      const [x, y] = projection.forward(...webMercatorToLonLat(left + column * pixelM, top - row * pixelM));
      return [(x - 500_000) / pixelM, (5_500_000 - y) / pixelM];
    };
    const lattice = buildControlLattice(512, 512, mapping);
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 512, noNaN: true }),
        fc.double({ min: 0, max: 512, noNaN: true }),
        (column, row) => {
          const exact = mapping(column, row) ?? [Number.NaN, Number.NaN];
          const got = positionAt(lattice, column, row);
          assert.ok(Math.hypot(got[0] - exact[0], got[1] - exact[1]) < 0.015, `zoom ${z}`);
        },
      ),
    );
  }
});

test("the cells get smaller only where the mapping bends", () => {
  assert.equal(buildControlLattice(512, 512, (x, y) => [2 * x + y, y - x]).cellPx, 128);
  assert.equal(buildControlLattice(512, 512, (x, y) => [x + (x * x) / 1e5, y]).cellPx, 32);
  // A saddle has no error in the middle of a cell.
  assert.ok(buildControlLattice(512, 512, (x, y) => [x + (x * x - y * y) / 1e5, y]).cellPx < 128);
});

test("places without source are NaN and left out of the extent", () => {
  const lattice = buildControlLattice(256, 100, (x, y) => (x > 200 ? null : [x + 5, y]));
  assert.equal(lattice.cellPx, 8);
  assert.deepEqual(latticeExtent(lattice), [5, 0, 205, 100]);
  assert.equal(latticeExtent(affineLattice(8, 8, () => null)), null);
});

test("a part of a lattice keeps the corners of cells with a needed pixel, and no others", () => {
  const lattice = buildControlLattice(100, 60, (column, row) => [column + 1000, row + 500], {
    maxErrorPx: 0.01,
    firstCellPx: 32,
    minCellPx: 8,
  });
  const asked: (readonly number[])[] = [];
  const part = neededCells(lattice, (...rectangle) => {
    asked.push(rectangle);
    const [column, row, widthPx, heightPx] = rectangle;
    return column <= 97 && 97 < column + widthPx && row <= 40 && 40 < row + heightPx;
  });
  assert.deepEqual(asked.length, 4 * 2);
  assert.deepEqual(asked.at(-1), [96, 32, 4, 28]);
  assert.deepEqual(latticeExtent(part), [1096, 532, 1100, 560]);
  assert.equal(part.x.filter((x) => !Number.isNaN(x)).length, 4);
  assert.equal(latticeExtent(neededCells(lattice, () => false)), null);
  assert.deepEqual(
    neededCells(lattice, () => true),
    lattice,
  );
});
