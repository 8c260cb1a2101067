import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { Affine } from "@swath/kernel/raster-mathematics/affine";
import type { PixelArray, SourceRaster } from "../source-raster.ts";
import type { PixelWindow } from "../tiff/pixel-window.ts";
import { edgesOf, spansOf, windowOf, type Span, type ToPlane } from "./area-spans.ts";
import { BYTES_PER_PIXEL, isFloat, newPixels, representableNodata } from "./pixel-type.ts";

/** The stored raster: its valid pixels are kept. */
export interface FormerRaster {
  /** The same bands, in the same order. */
  readonly raster: SourceRaster;
  readonly transform: Affine;
}

/** Largest block of rows that is read at once, all bands together. */
const MAX_BLOCK_BYTES = 64 * 1024 * 1024;
/** Grids agree when pixel corners meet within this share of a pixel. */
const LATTICE_TOLERANCE = 0.01;

/**
 * The part of a north-up raster whose pixel centres lie in an area, joined with the stored raster of the same grid: the
 * smallest window that holds both. Pixels outside are nodata, or masked where the bands have no such value.
 * Rows are read from the raster only where the area needs them. Disposing is left to the owners of both rasters.
 *
 * @param transform of `raster`, north-up
 * @param area normal form
 * @returns null when neither has a pixel in the window
 * @throws {RangeError} when the grids of `raster` and `former` do not agree
 */
export function cutRaster(
  raster: SourceRaster,
  transform: Affine,
  area: MultiPolygon,
  toPlane: ToPlane,
  former: FormerRaster | null = null,
): SourceRaster | null {
  const edges = edgesOf(area, transform, toPlane);
  const wanted = windowOf(edges, raster);
  const kept = former === null ? null : keptOf(former, latticeOffset(transform, former.transform));
  const window = unionOf(wanted, kept?.window ?? null);
  if (window === null) return null;
  const nodata = raster.bands.map((band) => representableNodata(band.dataType, band.nodata));
  const cut: Cut = { raster, blocks: blocksOf(raster), window, wanted, spans: spansOf(edges, wanted), kept, nodata };
  const needsMask = raster.hasMask || raster.bands.some((band, i) => nodata[i] === null && !isFloat(band.dataType));
  const [a, b, c, d, e, f] = transform;
  return {
    widthPx: window.widthPx,
    heightPx: window.heightPx,
    bands: raster.bands,
    georeference: {
      kind: "affine",
      transform: [a, b, a * window.column + b * window.row + c, d, e, d * window.column + e * window.row + f],
    },
    crs: raster.crs,
    palette: raster.palette,
    hasMask: needsMask,
    metadata: raster.metadata,
    blockHeightPx: raster.blockHeightPx,
    readRows: (firstRow, rowCount, signal) => readRows(cut, firstRow, rowCount, signal),
    readMask: async (firstRow, rowCount, signal) => (needsMask ? readMask(cut, firstRow, rowCount, signal) : null),
    async [Symbol.asyncDispose]() {},
  };
}

/** The stored raster and its place in the raster that is cut. */
interface Kept {
  readonly raster: SourceRaster;
  readonly window: PixelWindow;
}

/** A raster with the parts of it that the result has. */
interface Cut {
  readonly raster: SourceRaster;
  readonly blocks: RowBlocks;
  /** The result, in pixels of `raster`, as are `wanted` and the window of `kept`. */
  readonly window: PixelWindow;
  /** Null when the area has no pixel. */
  readonly wanted: PixelWindow | null;
  /** Spans of each row of `wanted`. */
  readonly spans: readonly (readonly Span[])[];
  readonly kept: Kept | null;
  readonly nodata: readonly (number | null)[];
}

function keptOf({ raster }: FormerRaster, corner: { readonly column: number; readonly row: number }): Kept {
  return { raster, window: { ...corner, widthPx: raster.widthPx, heightPx: raster.heightPx } };
}

/** Spans of a row of the raster that lie in the area. */
function spansAt({ wanted, spans }: Cut, row: number): readonly Span[] {
  return wanted === null ? [] : (spans[row - wanted.row] ?? []);
}

/** First and end of some rows of the result that the area needs, as rows of the raster. */
function neededRows(cut: Cut, firstRow: number, rowCount: number): Span | null {
  let first = -1;
  let end = -1;
  for (let row = cut.window.row + firstRow; row < cut.window.row + firstRow + rowCount; row += 1) {
    if (spansAt(cut, row).length === 0) continue;
    if (first < 0) first = row;
    end = row + 1;
  }
  return first < 0 ? null : [first, end];
}

/** Rows of the stored raster that lie in some rows of the result. */
function keptRows(cut: Cut, kept: Kept, firstRow: number, rowCount: number): Span | null {
  const first = Math.max(cut.window.row + firstRow - kept.window.row, 0);
  const end = Math.min(cut.window.row + firstRow + rowCount - kept.window.row, kept.window.heightPx);
  return first < end ? [first, end] : null;
}

/** Index of a pixel of the raster in rows of the result that begin at `firstRow`. */
function indexOf({ window }: Cut, row: number, column: number, firstRow: number): number {
  return (row - window.row - firstRow) * window.widthPx + column - window.column;
}

async function readRows(
  cut: Cut,
  firstRow: number,
  rowCount: number,
  signal: AbortSignal,
): Promise<readonly PixelArray[]> {
  const result = cut.raster.bands.map(({ dataType }, band) => {
    const pixels = newPixels(dataType, cut.window.widthPx * rowCount);
    const fill = cut.nodata[band] ?? (isFloat(dataType) ? Number.NaN : 0);
    return fill === 0 ? pixels : pixels.fill(fill);
  });
  await readWanted(cut, firstRow, rowCount, result, signal);
  await readKept(cut, firstRow, rowCount, result, signal);
  return result;
}

/** Copies the pixels of the area. */
async function readWanted(
  cut: Cut,
  firstRow: number,
  rowCount: number,
  result: readonly PixelArray[],
  signal: AbortSignal,
): Promise<void> {
  const needed = neededRows(cut, firstRow, rowCount);
  for (let row = needed?.[0] ?? 0; row < (needed?.[1] ?? 0);) {
    const block = await cut.blocks.at(row, signal);
    const end = Math.min(needed?.[1] ?? 0, block.firstRow + block.rowCount);
    for (; row < end; row += 1) {
      const from = (row - block.firstRow) * cut.raster.widthPx;
      for (const [first, last] of spansAt(cut, row)) {
        const to = indexOf(cut, row, first, firstRow);
        for (const [band, pixels] of result.entries()) {
          pixels.set(block.rows[band]?.subarray(from + first, from + last) ?? [], to);
        }
      }
    }
  }
}

/** Copies the valid pixels of the stored raster. */
async function readKept(
  cut: Cut,
  firstRow: number,
  rowCount: number,
  result: readonly PixelArray[],
  signal: AbortSignal,
): Promise<void> {
  const { kept } = cut;
  const span = kept === null ? null : keptRows(cut, kept, firstRow, rowCount);
  if (kept === null || span === null) return;
  const [first, end] = span;
  const rows = await kept.raster.readRows(first, end - first, signal);
  const mask = await kept.raster.readMask(first, end - first, signal);
  const { column, row: top, widthPx } = kept.window;
  for (const [band, pixels] of result.entries()) {
    const source = rows[band];
    const unset = kept.raster.bands[band]?.nodata ?? null;
    if (source === undefined) continue;
    for (let row = first; row < end; row += 1) {
      const to = indexOf(cut, row + top, column, firstRow);
      copyValid(source, unset, mask, (row - first) * widthPx, widthPx, pixels, to);
    }
  }
}

async function readMask(cut: Cut, firstRow: number, rowCount: number, signal: AbortSignal): Promise<Uint8Array> {
  const { raster, kept } = cut;
  const result = new Uint8Array(cut.window.widthPx * rowCount);
  const needed = neededRows(cut, firstRow, rowCount);
  if (needed !== null) {
    const mask = await raster.readMask(needed[0], needed[1] - needed[0], signal);
    for (let row = needed[0]; row < needed[1]; row += 1) {
      const from = (row - needed[0]) * raster.widthPx;
      for (const [first, end] of spansAt(cut, row)) {
        const to = indexOf(cut, row, first, firstRow);
        if (mask === null) result.fill(255, to, to + end - first);
        else result.set(mask.subarray(from + first, from + end), to);
      }
    }
  }
  const span = kept === null ? null : keptRows(cut, kept, firstRow, rowCount);
  if (kept === null || span === null) return result;
  const mask = await kept.raster.readMask(span[0], span[1] - span[0], signal);
  const { column, row: top, widthPx } = kept.window;
  for (let row = span[0]; row < span[1]; row += 1) {
    const from = (row - span[0]) * widthPx;
    const to = indexOf(cut, row + top, column, firstRow);
    for (let i = 0; i < widthPx; i += 1) if (mask === null || mask[from + i] !== 0) result[to + i] = 255;
  }
  return result;
}

/** Rows of a raster that are decoded together. */
interface RowBlock {
  readonly firstRow: number;
  readonly rowCount: number;
  readonly rows: readonly PixelArray[];
}

interface RowBlocks {
  readonly at: (row: number, signal: AbortSignal) => Promise<RowBlock>;
}

/**
 * Reads a raster by its natural blocks and keeps the last one: rows of a window do not begin where blocks do, and
 * nothing should be decoded twice for that.
 */
function blocksOf(raster: SourceRaster): RowBlocks {
  const rowBytes = raster.bands.reduce((sum, band) => sum + raster.widthPx * BYTES_PER_PIXEL[band.dataType], 0);
  const affordable = Math.max(1, Math.floor(MAX_BLOCK_BYTES / Math.max(1, rowBytes)));
  const height = Math.min(Math.max(1, raster.blockHeightPx), affordable);
  let last: RowBlock | null = null;
  return {
    async at(row, signal) {
      const firstRow = row - (row % height);
      if (last?.firstRow === firstRow) return last;
      last = null;
      const rowCount = Math.min(height, raster.heightPx - firstRow);
      last = { firstRow, rowCount, rows: await raster.readRows(firstRow, rowCount, signal) };
      return last;
    },
  };
}

function copyValid(
  source: PixelArray,
  nodata: number | null,
  mask: Uint8Array | null,
  from: number,
  count: number,
  target: PixelArray,
  to: number,
): void {
  for (let i = 0; i < count; i += 1) {
    const value = source[from + i]!;
    if (value === nodata || Number.isNaN(value) || (mask !== null && mask[from + i] === 0)) continue;
    target[to + i] = value;
  }
}

/** Where the corner of another grid lies, in whole pixels of this one. */
function latticeOffset(transform: Affine, other: Affine): { readonly column: number; readonly row: number } {
  const column = (other[2] - transform[2]) / transform[0];
  const row = (other[5] - transform[5]) / transform[4];
  const agrees =
    Math.abs(other[0] / transform[0] - 1) < 1e-9 &&
    Math.abs(other[4] / transform[4] - 1) < 1e-9 &&
    Math.abs(column - Math.round(column)) < LATTICE_TOLERANCE &&
    Math.abs(row - Math.round(row)) < LATTICE_TOLERANCE;
  if (!agrees) throw new RangeError(`the pixels do not meet: they are ${column}, ${row} pixels apart`);
  return { column: Math.round(column), row: Math.round(row) };
}

function unionOf(one: PixelWindow | null, other: PixelWindow | null): PixelWindow | null {
  if (one === null || other === null) return one ?? other;
  const column = Math.min(one.column, other.column);
  const row = Math.min(one.row, other.row);
  return {
    column,
    row,
    widthPx: Math.max(one.column + one.widthPx, other.column + other.widthPx) - column,
    heightPx: Math.max(one.row + one.heightPx, other.row + other.heightPx) - row,
  };
}
