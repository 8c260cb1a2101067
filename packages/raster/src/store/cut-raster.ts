import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { invertAffine, type Affine } from "@swath/kernel/raster-mathematics/affine";
import type { PixelArray, SourceRaster } from "../source-raster.ts";
import { BYTES_PER_PIXEL, isFloat, newPixels, representableNodata } from "./pixel-type.ts";

/** Longitude and latitude to coordinates of the raster's CRS. */
export type ToPlane = (lonDeg: number, latDeg: number) => readonly [x: number, y: number];

/** The stored raster: its valid pixels are kept. */
export interface FormerRaster {
  /** The same bands, in the same order. */
  readonly raster: SourceRaster;
  readonly transform: Affine;
}

/** Edges of an area are straight in longitude and latitude: pieces of this length stay within centimetres of that. */
const STEP_DEG = 0.01;
const MAX_EDGES = 1_000_000;
/** Largest block of rows that is read at once, all bands together. */
const MAX_BLOCK_BYTES = 64 * 1024 * 1024;
/** Grids agree when pixel corners meet within this share of a pixel. */
const LATTICE_TOLERANCE = 0.01;

/** Pixel columns `[first, end)` of a row. */
type Span = readonly [first: number, end: number];

/** Edges in pixels of the raster, four numbers each, the lower end first. */
interface Edges {
  readonly values: readonly number[];
}

interface Window {
  readonly column: number;
  readonly row: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

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
  const offset = former === null ? null : latticeOffset(transform, former.transform);
  const kept: Window | null =
    former === null || offset === null
      ? null
      : { ...offset, widthPx: former.raster.widthPx, heightPx: former.raster.heightPx };
  const window = unionOf(wanted, kept);
  if (window === null) return null;

  const rowSpans = spansOf(edges, wanted);
  const spansAt = (row: number): readonly Span[] => (wanted === null ? [] : (rowSpans[row - wanted.row] ?? []));
  const [a, b, c, d, e, f] = transform;
  const nodata = raster.bands.map((band) => representableNodata(band.dataType, band.nodata));
  const needsMask = raster.hasMask || raster.bands.some((band, i) => nodata[i] === null && !isFloat(band.dataType));

  /** First and last of some rows of the window that the area needs, as rows of `raster`. */
  const neededRows = (firstRow: number, rowCount: number): Span | null => {
    let first = -1;
    let end = -1;
    for (let row = window.row + firstRow; row < window.row + firstRow + rowCount; row += 1) {
      if (spansAt(row).length === 0) continue;
      if (first < 0) first = row;
      end = row + 1;
    }
    return first < 0 ? null : [first, end];
  };
  /** Rows of `former` that lie in some rows of the window. */
  const keptRows = (firstRow: number, rowCount: number): Span | null => {
    if (kept === null) return null;
    const first = Math.max(window.row + firstRow - kept.row, 0);
    const end = Math.min(window.row + firstRow + rowCount - kept.row, kept.heightPx);
    return first < end ? [first, end] : null;
  };
  /** Index of the first column of a row of `source` in rows of the window that begin at `firstRow`. */
  const at = (row: number, column: number, firstRow: number): number =>
    (row - window.row - firstRow) * window.widthPx + column - window.column;

  const blocks = blocksOf(raster);
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

    async readRows(firstRow, rowCount, signal) {
      const result = raster.bands.map(({ dataType }, band) => {
        const pixels = newPixels(dataType, window.widthPx * rowCount);
        const fill = nodata[band] ?? (isFloat(dataType) ? Number.NaN : 0);
        return fill === 0 ? pixels : pixels.fill(fill);
      });
      const needed = neededRows(firstRow, rowCount);
      for (let row = needed?.[0] ?? 0; row < (needed?.[1] ?? 0);) {
        // oxlint-disable-next-line no-await-in-loop -- one block of rows at a time is kept
        const block = await blocks.at(row, signal);
        const end = Math.min(needed?.[1] ?? 0, block.firstRow + block.rowCount);
        for (; row < end; row += 1) {
          const from = (row - block.firstRow) * raster.widthPx;
          for (const [first, last] of spansAt(row)) {
            const to = at(row, first, firstRow);
            for (const [band, pixels] of result.entries()) {
              pixels.set(block.rows[band]?.subarray(from + first, from + last) ?? [], to);
            }
          }
        }
      }
      const keep = keptRows(firstRow, rowCount);
      if (former !== null && kept !== null && keep !== null) {
        const rows = await former.raster.readRows(keep[0], keep[1] - keep[0], signal);
        const mask = await former.raster.readMask(keep[0], keep[1] - keep[0], signal);
        for (const [band, pixels] of result.entries()) {
          const source = rows[band];
          const unset = former.raster.bands[band]?.nodata ?? null;
          if (source === undefined) continue;
          for (let row = keep[0]; row < keep[1]; row += 1) {
            const from = (row - keep[0]) * kept.widthPx;
            copyValid(source, unset, mask, from, kept.widthPx, pixels, at(row + kept.row, kept.column, firstRow));
          }
        }
      }
      return result;
    },

    async readMask(firstRow, rowCount, signal) {
      if (!needsMask) return null;
      const result = new Uint8Array(window.widthPx * rowCount);
      const needed = neededRows(firstRow, rowCount);
      if (needed !== null) {
        const mask = await raster.readMask(needed[0], needed[1] - needed[0], signal);
        for (let row = needed[0]; row < needed[1]; row += 1) {
          const from = (row - needed[0]) * raster.widthPx;
          for (const [first, end] of spansAt(row)) {
            const to = at(row, first, firstRow);
            if (mask === null) result.fill(255, to, to + end - first);
            else result.set(mask.subarray(from + first, from + end), to);
          }
        }
      }
      const keep = keptRows(firstRow, rowCount);
      if (former !== null && kept !== null && keep !== null) {
        const mask = await former.raster.readMask(keep[0], keep[1] - keep[0], signal);
        for (let row = keep[0]; row < keep[1]; row += 1) {
          const from = (row - keep[0]) * kept.widthPx;
          const to = at(row + kept.row, kept.column, firstRow);
          for (let i = 0; i < kept.widthPx; i += 1) if (mask === null || mask[from + i] !== 0) result[to + i] = 255;
        }
      }
      return result;
    },

    async [Symbol.asyncDispose]() {},
  };
}

/** Rows of a raster that are decoded together. */
interface RowBlock {
  readonly firstRow: number;
  readonly rowCount: number;
  readonly rows: readonly PixelArray[];
}

/**
 * Reads a raster by its natural blocks and keeps the last one: rows of a window do not begin where blocks do, and
 * nothing should be decoded twice for that.
 */
function blocksOf(raster: SourceRaster): { readonly at: (row: number, signal: AbortSignal) => Promise<RowBlock> } {
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

/** Edges of all rings, which count by the even-odd rule: parts of a normal form share no area. */
function edgesOf(area: MultiPolygon, transform: Affine, toPlane: ToPlane): Edges {
  const inverse = invertAffine(transform);
  const toPixel = (lon: number, lat: number): readonly [number, number] => {
    const [x, y] = toPlane(lon, lat);
    return [inverse[0] * x + inverse[1] * y + inverse[2], inverse[3] * x + inverse[4] * y + inverse[5]];
  };
  const values: number[] = [];
  for (const ring of area.coordinates.flat()) {
    for (let i = 1; i < ring.length; i += 1) {
      const from = ring[i - 1];
      const to = ring[i];
      if (from === undefined || to === undefined) continue;
      const longest = Math.max(Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1]));
      const steps = Math.max(1, Math.ceil(longest / STEP_DEG));
      if (values.length / 4 + steps > MAX_EDGES) throw new RangeError("the outline to cut along is too long");
      let previous = toPixel(from[0], from[1]);
      for (let s = 1; s <= steps; s += 1) {
        const next =
          s === steps
            ? toPixel(to[0], to[1])
            : toPixel(from[0] + ((to[0] - from[0]) * s) / steps, from[1] + ((to[1] - from[1]) * s) / steps);
        // In one order, so that areas on both sides of an edge agree on every pixel.
        values.push(...(previous[1] <= next[1] ? [...previous, ...next] : [...next, ...previous]));
        previous = next;
      }
    }
  }
  return { values };
}

/** Pixels of the raster whose centres the box around the edges holds. */
function windowOf({ values }: Edges, { widthPx, heightPx }: SourceRaster): Window | null {
  let [west, north, east, south] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i + 1 < values.length; i += 2) {
    west = Math.min(west, values[i]!);
    east = Math.max(east, values[i]!);
    north = Math.min(north, values[i + 1]!);
    south = Math.max(south, values[i + 1]!);
  }
  const column = Math.max(0, Math.ceil(west - 0.5));
  const row = Math.max(0, Math.ceil(north - 0.5));
  const width = Math.min(widthPx, Math.ceil(east - 0.5)) - column;
  const height = Math.min(heightPx, Math.ceil(south - 0.5)) - row;
  return width > 0 && height > 0 ? { column, row, widthPx: width, heightPx: height } : null;
}

/** Spans of every row of the window whose centres the edges enclose. */
function spansOf({ values }: Edges, window: Window | null): readonly (readonly Span[])[] {
  if (window === null) return [];
  const crossings: number[][] = Array.from({ length: window.heightPx }, () => []);
  for (let i = 0; i + 3 < values.length; i += 4) {
    const [x0, y0, x1, y1] = [values[i]!, values[i + 1]!, values[i + 2]!, values[i + 3]!];
    const first = Math.max(Math.ceil(y0 - 0.5), window.row);
    const end = Math.min(Math.ceil(y1 - 0.5), window.row + window.heightPx);
    for (let row = first; row < end; row += 1) {
      crossings[row - window.row]?.push(x0 + ((row + 0.5 - y0) / (y1 - y0)) * (x1 - x0));
    }
  }
  const end = window.column + window.widthPx;
  const columnOf = (x: number): number => Math.min(Math.max(Math.ceil(x - 0.5), window.column), end);
  return crossings.map((row) => {
    const sorted = row.toSorted((one, other) => one - other);
    const spans: Span[] = [];
    for (let i = 0; i + 1 < sorted.length; i += 2) {
      const span: Span = [columnOf(sorted[i]!), columnOf(sorted[i + 1]!)];
      if (span[0] < span[1]) spans.push(span);
    }
    return spans;
  });
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

function unionOf(one: Window | null, other: Window | null): Window | null {
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
