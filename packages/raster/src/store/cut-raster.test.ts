import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { createProjection } from "@swath/kernel/crs/projection";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { Affine } from "@swath/kernel/raster-mathematics/affine";
import { storeTileGrid, storeTilesArea, storeTilesOf } from "@swath/kernel/tiles/store-tile";
import type { SourceRaster } from "../source-raster.ts";
import { cutRaster } from "./cut-raster.ts";
import { memoryRaster } from "./memory-raster.ts";

const DEGREES: Affine = [0.01, 0, 10, 0, -0.01, 50];
const identity = (lon: number, lat: number): readonly [number, number] => [lon, lat];
const { signal } = new AbortController();

function polygon(...rings: (readonly (readonly [number, number])[])[]): MultiPolygon {
  return { type: "MultiPolygon", coordinates: [rings] };
}

function box(west: number, south: number, east: number, north: number): MultiPolygon {
  return polygon([
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]);
}

/** 20 x 20 pixels of a hundredth of a degree, numbered from 1; rows that were read are kept. */
function numbered(options: { readonly nodata: number | null; readonly mask?: Uint8Array } = { nodata: 0 }) {
  const read: (readonly [number, number])[] = [];
  const raster = memoryRaster({
    widthPx: 20,
    heightPx: 20,
    bands: [Uint16Array.from({ length: 400 }, (_, i) => i + 1)],
    transform: DEGREES,
    blockHeightPx: 4,
    ...options,
  });
  const counted: SourceRaster = {
    ...raster,
    async readRows(firstRow, rowCount, abort) {
      read.push([firstRow, rowCount]);
      return raster.readRows(firstRow, rowCount, abort);
    },
  };
  return { raster: counted, read };
}

async function pixels(raster: SourceRaster | null): Promise<number[][]> {
  assert.ok(raster !== null);
  const [band] = await raster.readRows(0, raster.heightPx, signal);
  assert.ok(band !== undefined);
  return Array.from({ length: raster.heightPx }, (_, row) =>
    Array.from(band.subarray(row * raster.widthPx, (row + 1) * raster.widthPx)),
  );
}

test("a pixel belongs to the area that holds its centre", async () => {
  const { raster, read } = numbered();
  const cut = cutRaster(raster, DEGREES, box(10.014, 49.964, 10.036, 49.986), identity);
  assert.deepEqual(await pixels(cut), [
    [22, 23, 24],
    [42, 43, 44],
    [62, 63, 64],
  ]);
  assert.deepEqual(read, [[0, 4]]);
  const georeference = cut?.georeference;
  assert.ok(georeference?.kind === "affine");
  assert.deepEqual(
    georeference.transform.map((value) => Math.round(value * 1e6) / 1e6),
    [0.01, 0, 10.01, 0, -0.01, 49.99],
  );
});

test("holes and gaps between parts are nodata, and rows that nobody needs are not read", async () => {
  const { raster, read } = numbered();
  const area: MultiPolygon = {
    type: "MultiPolygon",
    coordinates: [
      ...polygon(
        [
          [10, 49.97],
          [10.03, 49.97],
          [10.03, 50],
          [10, 50],
          [10, 49.97],
        ],
        [
          [10.01, 49.98],
          [10.01, 49.99],
          [10.02, 49.99],
          [10.02, 49.98],
          [10.01, 49.98],
        ],
      ).coordinates,
      ...box(10, 49.8, 10.01, 49.81).coordinates,
    ],
  };
  const rows = await pixels(cutRaster(raster, DEGREES, area, identity));
  assert.deepEqual(rows[1], [21, 0, 23]);
  assert.deepEqual(rows[10], [0, 0, 0]);
  assert.deepEqual(rows[19], [381, 0, 0]);
  const again = cutRaster(raster, DEGREES, area, identity);
  read.length = 0;
  await again?.readRows(5, 5, signal);
  assert.deepEqual(read, []);
  for (const row of [0, 1, 2, 19]) await again?.readRows(row, 1, signal);
  assert.deepEqual(
    read,
    [
      [0, 4],
      [16, 4],
    ],
    "a block is read once",
  );
});

test("bands without a nodata value are masked outside the area, on top of their own mask", async () => {
  const mask = new Uint8Array(400).fill(255);
  mask[22] = 0;
  for (const own of [undefined, mask]) {
    const { raster } = numbered({ nodata: null, ...(own === undefined ? {} : { mask: own }) });
    const cut = cutRaster(
      raster,
      DEGREES,
      polygon([
        [10, 49.97],
        [10.03, 49.97],
        [10.03, 50],
        [10, 49.97],
      ]),
      identity,
    );
    assert.equal(cut?.hasMask, true);
    assert.deepEqual(
      [...((await cut?.readMask(0, 3, signal)) ?? [])],
      [0, 0, 255, 0, 255, own === undefined ? 255 : 0, 255, 255, 255].map((value, i) => (i === 6 ? 255 : value)),
    );
  }
});

test("an area beside the raster leaves nothing", () => {
  assert.equal(cutRaster(numbered().raster, DEGREES, box(20, 40, 21, 41), identity), null);
});

test("what is there already stays, and only what is new is read", async () => {
  const first = cutRaster(numbered().raster, DEGREES, box(10, 49.95, 10.05, 50), identity);
  assert.ok(first?.georeference.kind === "affine");
  const { raster, read } = numbered();
  const changed = { ...raster, readRows: raster.readRows.bind(raster) };
  const both = cutRaster(changed, DEGREES, box(10.05, 49.9, 10.1, 49.95), identity, {
    raster: first,
    transform: first.georeference.transform,
  });
  const rows = await pixels(both);
  assert.deepEqual([rows.length, rows[0]?.length], [10, 10]);
  assert.deepEqual(rows[0], [1, 2, 3, 4, 5, 0, 0, 0, 0, 0]);
  assert.deepEqual(rows[9], [0, 0, 0, 0, 0, 186, 187, 188, 189, 190]);
  assert.deepEqual(read, [
    [4, 4],
    [8, 4],
  ]);
  assert.throws(
    () =>
      cutRaster(raster, DEGREES, box(10, 49.9, 10.1, 50), identity, {
        raster: first,
        transform: [0.01, 0, 10.005, 0, -0.01, 50],
      }),
    RangeError,
  );
});

test("neighbouring store tiles share no pixel and leave none out", async () => {
  const grid = storeTileGrid(32_632);
  const { forward } = createProjection("+proj=utm +zone=32 +datum=WGS84 +units=m +x_0=500000 +y_0=0 +no_defs");
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: -2500, max: 2500 }),
      fc.integer({ min: -2500, max: 2500 }),
      fc.integer({ min: 40, max: 130 }),
      async (east, north, sizeM) => {
        const transform: Affine = [sizeM, 0, 497_500 + east, 0, -sizeM, 5_502_500 + north];
        const side = Math.floor(10_000 / sizeM);
        const raster = memoryRaster({
          widthPx: side,
          heightPx: side,
          bands: [new Uint8Array(side * side).fill(1)],
          nodata: 0,
          transform,
        });
        const counts = new Uint8Array(side * side);
        for (const tile of storeTilesOf(box(8.93, 49.6, 9.13, 49.75), grid)) {
          const cut = cutRaster(raster, transform, storeTilesArea([tile], grid), forward);
          if (cut === null || cut.georeference.kind !== "affine") continue;
          const column = Math.round((cut.georeference.transform[2] - transform[2]) / sizeM);
          const row = Math.round((transform[5] - cut.georeference.transform[5]) / sizeM);
          const [band] = await cut.readRows(0, cut.heightPx, signal);
          for (const [i, value] of (band ?? []).entries()) {
            const at = (row + Math.floor(i / cut.widthPx)) * side + column + (i % cut.widthPx);
            counts[at] = (counts[at] ?? 0) + value;
          }
        }
        assert.ok(counts.every((count) => count === 1));
      },
    ),
    { numRuns: 15 },
  );
});
