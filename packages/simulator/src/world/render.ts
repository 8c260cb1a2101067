import type { PixelArray } from "@swath/raster/source-raster";
import type { DataType } from "@swath/kernel/scenes/stored-raster";
import type { ModelBand, SceneModel } from "../scene-model.ts";
import { blockPxOf } from "./block.ts";
import { blocksOf, contextOf, insideRow } from "./scene-context.ts";
import { createBandFinisher } from "./finish.ts";
import { cloudExcess } from "./sky.ts";
import { momentOf } from "./weather.ts";

export { BLOCK_PX } from "./block.ts";
export { groundTruth } from "./ground-truth.ts";
export { forgetSurfaces } from "./scene-context.ts";

const EMPTY_PIXELS: Readonly<Record<DataType, (count: number) => PixelArray>> = {
  uint8: (count) => new Uint8Array(count),
  int8: (count) => new Int8Array(count),
  uint16: (count) => new Uint16Array(count),
  int16: (count) => new Int16Array(count),
  uint32: (count) => new Uint32Array(count),
  int32: (count) => new Int32Array(count),
  float32: (count) => new Float32Array(count).fill(NaN),
  float64: (count) => new Float64Array(count).fill(NaN),
};

/**
 * Pixels of a window of one band, row-major. A pixel is the same in every window. Outside the footprint it is 0, NaN
 * in floating-point bands; inside, integer pixels are at least 1. Reads that follow blocks of `BLOCK_PX` are fastest,
 * and bands of one grid share what is drawn.
 *
 * Reflectance is corrected for the angle of the sun.
 *
 * @throws {RangeError} if the band does not exist or the window leaves it
 */
export function drawRows(
  model: SceneModel,
  bandIndex: number,
  firstColumn: number,
  firstRow: number,
  columns: number,
  rows: number,
): PixelArray {
  const band = bandOf(model, bandIndex, firstColumn, firstRow, columns, rows);
  const context = contextOf(model);
  const out = EMPTY_PIXELS[band.dataType](columns * rows);
  const finish = createBandFinisher(context, bandIndex);
  const blockPx = blockPxOf(band);
  const inside = new Uint8Array(columns * Math.min(blockPx, rows));
  const [blockLeft = 0, blockRight = 0, blockTop = 0, blockBottom = 0] = blocksOf(
    band,
    firstColumn,
    firstRow,
    columns,
    rows,
  );
  for (let blockRow = blockTop; blockRow <= blockBottom; blockRow += 1) {
    const top = Math.max(firstRow, blockRow * blockPx);
    const bottom = Math.min(firstRow + rows, (blockRow + 1) * blockPx);
    // Whole rows at once: a row's crossings with the footprint cost the same for one block as for all.
    const masks = inside.subarray(0, columns * (bottom - top));
    for (let row = top; row < bottom; row += 1) {
      insideRow(context, band, row, firstColumn, masks.subarray((row - top) * columns, (row - top + 1) * columns));
    }
    for (let blockColumn = blockLeft; blockColumn <= blockRight; blockColumn += 1) {
      const from = Math.max(firstColumn, blockColumn * blockPx) - firstColumn;
      const to = Math.min(firstColumn + columns, (blockColumn + 1) * blockPx) - firstColumn;
      let drawRow: ReturnType<typeof finish> | null = null;
      for (let row = top; row < bottom; row += 1) {
        const mask = masks.subarray((row - top) * columns + from, (row - top) * columns + to);
        if (!mask.includes(1)) continue;
        drawRow ??= finish(blockColumn, blockRow);
        drawRow(row, firstColumn + from, mask, out, (row - firstRow) * columns + from);
      }
    }
  }
  return out;
}

function bandOf(
  model: SceneModel,
  bandIndex: number,
  firstColumn: number,
  firstRow: number,
  columns: number,
  rows: number,
): ModelBand {
  const band = model.bands[bandIndex];
  if (band === undefined) throw new RangeError(`the scene has ${model.bands.length} bands, got index ${bandIndex}`);
  const inside =
    columns > 0 &&
    rows > 0 &&
    firstColumn >= 0 &&
    firstRow >= 0 &&
    firstColumn + columns <= band.widthPx &&
    firstRow + rows <= band.heightPx;
  if (!inside) {
    throw new RangeError(
      `window ${firstColumn},${firstRow} ${columns}x${rows} leaves the band of ${band.widthPx}x${band.heightPx}`,
    );
  }
  return band;
}

/** Samples per side of the footprint's box when its clouds are counted. */
const CLOUD_SAMPLES = 18;
/** Clouds smaller than this do not change the ratio. */
const CLOUD_DETAIL_M = 800;

/** Ratio of the footprint under clouds, 0 to 1, from the clouds that are drawn; 0 for radar and environmental data. */
export function cloudCoverOf(model: SceneModel): number {
  if (model.datasetType !== "optical" && model.datasetType !== "probabilities") return 0;
  const moment = momentOf(model.acquiredAtMs);
  let samples = 0;
  let cloudy = 0;
  for (const polygon of model.footprint.coordinates) {
    const ring = polygon[0] ?? [];
    let west = Infinity;
    let east = -Infinity;
    let south = Infinity;
    let north = -Infinity;
    for (const [lonDeg, latDeg] of ring) {
      west = Math.min(west, lonDeg);
      east = Math.max(east, lonDeg);
      south = Math.min(south, latDeg);
      north = Math.max(north, latDeg);
    }
    for (let j = 0; j < CLOUD_SAMPLES; j += 1) {
      const latDeg = south + ((j + 0.5) / CLOUD_SAMPLES) * (north - south);
      for (let i = 0; i < CLOUD_SAMPLES; i += 1) {
        const lonDeg = west + ((i + 0.5 + ((j % 2) - 0.5) * 0.5) / CLOUD_SAMPLES) * (east - west);
        if (!insideRing(ring, lonDeg, latDeg)) continue;
        samples += 1;
        if (cloudExcess(moment, lonDeg, latDeg, CLOUD_DETAIL_M) > 0) cloudy += 1;
      }
    }
  }
  return samples === 0 ? 0 : cloudy / samples;
}

function insideRing(ring: readonly (readonly number[])[], x: number, y: number): boolean {
  let inside = false;
  for (let i = 0; i + 1 < ring.length; i += 1) {
    const [ax = 0, ay = 0] = ring[i]!;
    const [bx = 0, by = 0] = ring[i + 1]!;
    if (ay <= y !== by <= y && x < ax + ((y - ay) * (bx - ax)) / (by - ay)) inside = !inside;
  }
  return inside;
}
