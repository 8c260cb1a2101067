import { rm } from "node:fs/promises";
import type { WarpPlan } from "@swath/kernel/raster-mathematics/warp-plan";
import type { PixelArray, SourceBand, SourceCrs, SourceRaster } from "../source-raster.ts";
import { PixelSpool } from "./pixel-spool.ts";
import type { PixelWindow } from "./pixel-spool.ts";
import { highestValue, isFloat, newPixels, representableNodata, toPixelValue } from "./pixel-type.ts";

/** Side of the blocks that are resampled at a time. */
const BLOCK_PX = 256;
/** Positions are computed exactly on a lattice of this step and interpolated between. */
const LATTICE_PX = 16;
/** Source pixels of one band read for a block. */
const MAX_WINDOW_PX = 4 * 1024 * 1024;
/** Share of valid source pixels, by weight, that makes a resampled pixel valid. */
const MIN_WEIGHT = 0.5;

export interface WarpOptions {
  /** Temporary file for the unpacked source; removed on disposal. */
  readonly spoolPath: string;
  readonly crs: SourceCrs;
  /** Bands whose values are classes keep the nearest one; the rest are interpolated bilinearly. One flag per band. */
  readonly isClass: readonly boolean[];
  readonly signal: AbortSignal;
}

interface Strip {
  readonly firstRow: number;
  readonly rowCount: number;
  readonly bands: readonly PixelArray[];
  readonly mask: Uint8Array;
}

/** Validity of a source window by band, and the values themselves. */
interface SourceWindow {
  readonly window: PixelWindow;
  readonly pixels: PixelArray;
  readonly valid: Uint8Array | null;
}

/**
 * A raster seen on the north-up grid of a plan. The source is unpacked into a temporary file once; rows are then
 * resampled on demand, block by block, so memory depends on neither size. Pixels outside the source are nodata, or
 * masked where a band has no nodata value.
 *
 * The source is not disposed of.
 */
export async function warpRaster(source: SourceRaster, plan: WarpPlan, options: WarpOptions): Promise<SourceRaster> {
  const spool = await PixelSpool.create(options.spoolPath, source, options.signal);
  const nodata = source.bands.map(({ dataType, nodata: value }) => representableNodata(dataType, value));
  const hasMask = source.hasMask || nodata.includes(null);
  let latest: Strip | null = null;

  const strip = (firstRow: number, rowCount: number, signal: AbortSignal): Strip => {
    if (latest !== null && latest.firstRow === firstRow && latest.rowCount === rowCount) return latest;
    const length = plan.widthPx * rowCount;
    const result: Strip = {
      firstRow,
      rowCount,
      bands: source.bands.map(({ dataType }, index) => filled(newPixels(dataType, length), nodata[index] ?? 0)),
      mask: new Uint8Array(length),
    };
    for (let row = 0; row < rowCount; row += BLOCK_PX) {
      for (let column = 0; column < plan.widthPx; column += BLOCK_PX) {
        signal.throwIfAborted();
        warpBlock(result, column, row, Math.min(BLOCK_PX, plan.widthPx - column), Math.min(BLOCK_PX, rowCount - row));
      }
    }
    latest = result;
    return result;
  };

  const warpBlock = (target: Strip, column: number, row: number, columns: number, rowCount: number): void => {
    const positions = sourcePositions(plan, column, target.firstRow + row, columns, rowCount);
    const window = windowAround(positions, source.widthPx, source.heightPx);
    if (window === null) return;
    if (window.widthPx * window.heightPx > MAX_WINDOW_PX && columns > 1 && rowCount > 1) {
      // Control points may squeeze much of the source into a block: smaller blocks need smaller windows.
      const [halfX, halfY] = [columns >> 1, rowCount >> 1];
      warpBlock(target, column, row, halfX, halfY);
      warpBlock(target, column + halfX, row, columns - halfX, halfY);
      warpBlock(target, column, row + halfY, halfX, rowCount - halfY);
      warpBlock(target, column + halfX, row + halfY, columns - halfX, rowCount - halfY);
      return;
    }
    const mask = source.hasMask ? spool.readMask(window) : null;
    source.bands.forEach((band, index) => {
      const pixels = target.bands[index];
      if (pixels === undefined) return;
      const read = spool.readBand(index, window);
      const from: SourceWindow = { window, pixels: read, valid: validity(band, read, nodata[index] ?? null, mask) };
      const at = row * plan.widthPx + column;
      const resample = options.isClass[index] === true ? nearest : bilinear;
      resample(from, positions, columns, rowCount, (offset, value) => {
        const y = Math.floor(offset / columns);
        const to = at + y * plan.widthPx + (offset - y * columns);
        pixels[to] = asideOf(nodata[index] ?? null, band, value);
        target.mask[to] = 255;
      });
    });
  };

  return {
    widthPx: plan.widthPx,
    heightPx: plan.heightPx,
    bands: source.bands,
    georeference: { kind: "affine", transform: plan.transform },
    crs: options.crs,
    palette: source.palette,
    hasMask,
    metadata: source.metadata,
    blockHeightPx: BLOCK_PX,
    readRows: async (firstRow, rowCount, signal) => strip(firstRow, rowCount, signal).bands,
    readMask: async (firstRow, rowCount, signal) => (hasMask ? strip(firstRow, rowCount, signal).mask : null),
    async [Symbol.asyncDispose]() {
      await spool[Symbol.asyncDispose]();
      await rm(options.spoolPath, { force: true });
    },
  };
}

function filled(pixels: PixelArray, value: number): PixelArray {
  if (value !== 0) pixels.fill(value);
  return pixels;
}

/** Source columns and rows of the pixel centres of a block: x and y in turn, row-major. */
function sourcePositions(plan: WarpPlan, column: number, row: number, columns: number, rows: number): Float64Array {
  const [a, , c, , e, f] = plan.transform;
  const nodesX = Math.ceil(columns / LATTICE_PX) + 1;
  const nodesY = Math.ceil(rows / LATTICE_PX) + 1;
  const lattice = new Float64Array(nodesX * nodesY * 2);
  for (let j = 0; j < nodesY; j++) {
    for (let i = 0; i < nodesX; i++) {
      const [u, v] = plan.toSource(a * (column + i * LATTICE_PX + 0.5) + c, e * (row + j * LATTICE_PX + 0.5) + f);
      lattice[(j * nodesX + i) * 2] = u;
      lattice[(j * nodesX + i) * 2 + 1] = v;
    }
  }
  const positions = new Float64Array(columns * rows * 2);
  for (let y = 0; y < rows; y++) {
    const j = Math.floor(y / LATTICE_PX);
    const downShare = (y - j * LATTICE_PX) / LATTICE_PX;
    for (let x = 0; x < columns; x++) {
      const i = Math.floor(x / LATTICE_PX);
      const rightShare = (x - i * LATTICE_PX) / LATTICE_PX;
      const upper = (j * nodesX + i) * 2;
      const lower = upper + nodesX * 2;
      for (let axis = 0; axis < 2; axis++) {
        const top = lattice[upper + axis]! * (1 - rightShare) + lattice[upper + 2 + axis]! * rightShare;
        const bottom = lattice[lower + axis]! * (1 - rightShare) + lattice[lower + 2 + axis]! * rightShare;
        positions[(y * columns + x) * 2 + axis] = top * (1 - downShare) + bottom * downShare;
      }
    }
  }
  return positions;
}

/** The part of the source that a block needs, with the neighbours of bilinear interpolation; null when there is none. */
function windowAround(positions: Float64Array, widthPx: number, heightPx: number): PixelWindow | null {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i += 2) {
    const u = positions[i]!;
    const v = positions[i + 1]!;
    if (u < left) left = u;
    if (u > right) right = u;
    if (v < top) top = v;
    if (v > bottom) bottom = v;
  }
  const column = Math.max(Math.floor(left - 1), 0);
  const row = Math.max(Math.floor(top - 1), 0);
  const width = Math.min(Math.ceil(right + 1), widthPx) - column;
  const height = Math.min(Math.ceil(bottom + 1), heightPx) - row;
  return width > 0 && height > 0 ? { column, row, widthPx: width, heightPx: height } : null;
}

function validity(
  band: SourceBand,
  pixels: PixelArray,
  nodata: number | null,
  mask: Uint8Array | null,
): Uint8Array | null {
  if (nodata === null && !isFloat(band.dataType)) return mask;
  const valid = new Uint8Array(pixels.length);
  for (let i = 0; i < pixels.length; i++) {
    const value = pixels[i]!;
    valid[i] = value === nodata || value !== value || (mask !== null && mask[i] === 0) ? 0 : 1;
  }
  return valid;
}

type Resampler = (
  from: SourceWindow,
  positions: Float64Array,
  columns: number,
  rows: number,
  put: (offset: number, value: number) => void,
) => void;

const nearest: Resampler = ({ window, pixels, valid }, positions, columns, rows, put) => {
  for (let offset = 0; offset < columns * rows; offset++) {
    const x = Math.floor(positions[offset * 2]!) - window.column;
    const y = Math.floor(positions[offset * 2 + 1]!) - window.row;
    if (x < 0 || y < 0 || x >= window.widthPx || y >= window.heightPx) continue;
    const at = y * window.widthPx + x;
    if (valid === null || valid[at] !== 0) put(offset, pixels[at]!);
  }
};

const bilinear: Resampler = ({ window, pixels, valid }, positions, columns, rows, put) => {
  const { widthPx, heightPx } = window;
  for (let offset = 0; offset < columns * rows; offset++) {
    // Pixel centres lie at halves.
    const u = positions[offset * 2]! - 0.5 - window.column;
    const v = positions[offset * 2 + 1]! - 0.5 - window.row;
    if (u < -0.5 || v < -0.5 || u >= widthPx - 0.5 || v >= heightPx - 0.5) continue;
    const x = Math.floor(u);
    const y = Math.floor(v);
    const shareX = u - x;
    const shareY = v - y;
    let total = 0;
    let weight = 0;
    let inside = 0;
    for (let dy = 0; dy < 2; dy++) {
      const row = y + dy;
      if (row < 0 || row >= heightPx) continue;
      const weightY = dy === 0 ? 1 - shareY : shareY;
      for (let dx = 0; dx < 2; dx++) {
        const column = x + dx;
        if (column < 0 || column >= widthPx) continue;
        const at = row * widthPx + column;
        const share = weightY * (dx === 0 ? 1 - shareX : shareX);
        inside += share;
        if (valid !== null && valid[at] === 0) continue;
        total += pixels[at]! * share;
        weight += share;
      }
    }
    // Neighbours beyond the outer pixel centres do not exist, which does not make the pixel less valid.
    if (weight > 0 && weight >= MIN_WEIGHT * inside) put(offset, total / weight);
  }
};

/** A resampled value as the band holds it, moved off nodata when it happens to fall on it. */
function asideOf(nodata: number | null, band: SourceBand, value: number): number {
  const pixel = band.dataType === "float32" ? Math.fround(value) : toPixelValue(band.dataType, value);
  if (nodata === null || pixel !== nodata || isFloat(band.dataType)) return pixel;
  return pixel === highestValue(band.dataType) ? pixel - 1 : pixel + 1;
}
