import type { Palette } from "./palette.ts";
import { BLOCK_PX } from "./block.ts";

/** The kind that covers most of a pixel. */
export const COVER = {
  none: 0,
  water: 1,
  road: 2,
  built: 3,
  trees: 4,
  grass: 5,
  crops: 6,
  shrub: 7,
  bare: 8,
  snow: 9,
  wetland: 10,
  burned: 11,
  river: 12,
} as const;

/** The pixels of one block while it is painted: `channels` numbers each, and their cover. */
export interface Canvas extends Palette {
  readonly columns: number;
  readonly rows: number;
  readonly pixels: Float32Array;
  readonly cover: Uint8Array;
  /** Light of the sun on the slope of a pixel and the grain of its ground, around 1. */
  readonly light: Float32Array;
  /** Rows on which there may be water, 1 each. */
  readonly wetRows: Uint8Array;
  /** The ground that polygons are laid on: anything, anything but the sea, or dry land only. */
  over: "all" | "rivers" | "land";
  /** Where set, pixels with another number than `zone` are left alone. */
  zones: Uint8Array | null;
  zone: number;
}

let plane = new Float32Array(BLOCK_PX * BLOCK_PX);
const lightPlane = new Float32Array(BLOCK_PX * BLOCK_PX);
const coverPlane = new Uint8Array(BLOCK_PX * BLOCK_PX);

/** A canvas on memory that all blocks share: read what was painted before the next is begun. */
export function startCanvas(columns: number, rows: number, palette: Palette): Canvas {
  const size = columns * rows * palette.channels;
  if (plane.length < size) plane = new Float32Array(BLOCK_PX * BLOCK_PX * palette.channels);
  coverPlane.fill(0);
  plane.fill(0, 0, size);
  return {
    ...palette,
    columns,
    rows,
    pixels: plane,
    cover: coverPlane,
    light: lightPlane,
    wetRows: new Uint8Array(rows),
    over: "all",
    zones: null,
    zone: 0,
  };
}

/** Lays a material over one pixel: `opacity` 0 leaves it, 1 replaces it. */
export function blendPixel(canvas: Canvas, pixel: number, material: number, light: number, opacity: number): void {
  const { channels, pixels, table } = canvas;
  const keep = 1 - opacity;
  const lay = light * opacity;
  if (channels === 1) {
    pixels[pixel] = pixels[pixel]! * keep + table[material]! * lay;
    return;
  }
  const from = material * channels;
  const at = pixel * channels;
  for (let k = 0; k < channels; k += 1) pixels[at + k] = pixels[at + k]! * keep + table[from + k]! * lay;
}

/** Lays something one can see through over one pixel: a band that sees through it has 0 for its opacity. */
export function veilPixel(canvas: Canvas, pixel: number, material: number, opacity: number): void {
  const { channels, pixels, table } = canvas;
  const from = material * channels;
  const at = pixel * channels;
  for (let k = 0; k < channels; k += 1) {
    // Smoke hides what it is bright against: thin in a band where it scatters little.
    const colour = table[from + k]!;
    const hides = opacity * Math.min(1, colour / VEIL);
    pixels[at + k] = pixels[at + k]! * (1 - hides) + colour * hides;
  }
}

/** Brightness from which smoke is as dense as it looks. */
const VEIL = 0.3;

/** Dims one pixel; shadows keep more of the short wavelengths, because the sky still lights them. */
export function shadePixel(canvas: Canvas, pixel: number, light: number): void {
  const { channels, pixels, skyLight } = canvas;
  const at = pixel * channels;
  const lost = 1 - light;
  for (let k = 0; k < channels; k += 1) pixels[at + k]! *= light + skyLight[k]! * lost;
}

const SUBROWS = 4;
/** Where the polygon in hand begins and ends on each quarter of a row. */
const lefts = new Float64Array(BLOCK_PX * SUBROWS);
const rights = new Float64Array(BLOCK_PX * SUBROWS);

/** Parts of the pixels of a row that the polygon in hand covers, 0 to 1; written by `scanRow`. */
export const parts = new Float32Array(BLOCK_PX + 2);
/** The rows of the polygon in hand, and the columns of the row in hand: both ends included. */
export const scan = { firstRow: 0, lastRow: -1, low: 0, high: -1 };

/**
 * Takes a convex polygon in hand: walk its rows with `scanRow`. Coverage is exact across and by quarters of a pixel
 * down. Points are pixels from the block's corner, `[x0, y0, x1, y1, …]`.
 *
 * @returns whether any of it is on the canvas
 */
export function scanConvex(canvas: Canvas, points: Float64Array, count: number): boolean {
  const { columns, rows } = canvas;
  let top = Infinity;
  let bottom = -Infinity;
  let left = Infinity;
  let right = -Infinity;
  for (let i = 0; i < count; i += 1) {
    const x = points[2 * i]!;
    const y = points[2 * i + 1]!;
    if (y < top) top = y;
    if (y > bottom) bottom = y;
    if (x < left) left = x;
    if (x > right) right = x;
  }
  if (!(bottom > 0 && top < rows && right > 0 && left < columns)) return false;
  const firstRow = Math.max(0, Math.floor(top));
  const lastRow = Math.min(rows - 1, Math.ceil(bottom) - 1);
  scan.firstRow = firstRow;
  scan.lastRow = lastRow;
  const firstSub = firstRow * SUBROWS;
  const lastSub = lastRow * SUBROWS + SUBROWS - 1;
  for (let sub = firstSub; sub <= lastSub; sub += 1) {
    lefts[sub] = Infinity;
    rights[sub] = -Infinity;
  }
  let px = points[2 * count - 2]!;
  let py = points[2 * count - 1]!;
  for (let i = 0; i < count; i += 1) {
    const qx = points[2 * i]!;
    const qy = points[2 * i + 1]!;
    if (py !== qy) {
      const high = py < qy ? py : qy;
      const low = py < qy ? qy : py;
      const slope = (qx - px) / (qy - py);
      const from = Math.max(firstSub, Math.ceil(high * SUBROWS - 0.5));
      const to = Math.min(lastSub, Math.ceil(low * SUBROWS - 0.5) - 1);
      const base = px + (0.5 / SUBROWS - py) * slope;
      const step = slope / SUBROWS;
      for (let sub = from; sub <= to; sub += 1) {
        const x = base + sub * step;
        if (x < lefts[sub]!) lefts[sub] = x;
        if (x > rights[sub]!) rights[sub] = x;
      }
    }
    px = qx;
    py = qy;
  }
  return true;
}

/**
 * Writes the covered parts of a row's pixels into `parts`, from `scan.low` to `scan.high`. A part is 0 where the canvas
 * is closed to the polygon.
 */
export function scanRow(canvas: Canvas, row: number): boolean {
  const { columns } = canvas;
  const sub = row * SUBROWS;
  let least = Infinity;
  let most = 0;
  let innerFrom = 0;
  let innerTo = Infinity;
  for (let s = sub; s < sub + SUBROWS; s += 1) {
    const from = lefts[s]!;
    const to = rights[s]!;
    if (from > innerFrom) innerFrom = from;
    if (to < innerTo) innerTo = to;
    if (!(to > from)) continue;
    if (from < least) least = from;
    if (to > most) most = to;
  }
  const low = least < 0 ? 0 : Math.floor(least);
  const high = most >= columns ? columns - 1 : Math.ceil(most) - 1;
  if (high < low) return false;
  scan.low = low;
  scan.high = high;
  const wholeFrom = Math.ceil(innerFrom);
  const wholeTo = innerTo >= columns ? columns : Math.floor(innerTo);
  if (wholeTo > wholeFrom) {
    writeParts(sub, low, wholeFrom);
    for (let i = wholeFrom; i < wholeTo; i += 1) parts[i] = 1;
    writeParts(sub, wholeTo, high + 1);
  } else writeParts(sub, low, high + 1);
  if (canvas.zones !== null || (canvas.over !== "all" && canvas.wetRows[row] === 1)) {
    closeParts(canvas, row * columns, low, high);
  }
  return true;
}

/** Writes the parts of columns of a row at an end of the polygon in hand. */
function writeParts(sub: number, first: number, end: number): void {
  for (let column = first; column < end; column += 1) {
    let part = 0;
    for (let s = sub; s < sub + SUBROWS; s += 1) {
      const from = lefts[s]! > column ? lefts[s]! : column;
      const to = rights[s]! < column + 1 ? rights[s]! : column + 1;
      if (to > from) part += to - from;
    }
    part /= SUBROWS;
    parts[column] = part > 0.002 ? part : 0;
  }
}

function closeParts(canvas: Canvas, rowAt: number, low: number, high: number): void {
  const { cover, zones, zone, over } = canvas;
  if (zones !== null) {
    for (let i = low; i <= high; i += 1) if (zones[rowAt + i] !== zone) parts[i] = 0;
  }
  if (over === "all") return;
  const river = over === "land" ? COVER.river : COVER.water;
  for (let i = low; i <= high; i += 1) {
    const under = cover[rowAt + i]!;
    if (under === COVER.water || under === river) parts[i] = 0;
  }
}

/**
 * Paints a convex polygon; `ground` lays it in the light and with the grain of the ground. `cover` is set where more
 * than half of a pixel is painted.
 */
export function fillConvex(
  canvas: Canvas,
  points: Float64Array,
  count: number,
  material: number,
  light: number,
  opacity: number,
  cover: number,
  ground: boolean,
): void {
  if (!scanConvex(canvas, points, count)) return;
  const { columns, channels, pixels, table, cover: covers, light: lights } = canvas;
  const { firstRow, lastRow } = scan;
  const single = table[material]!;
  for (let row = firstRow; row <= lastRow; row += 1) {
    if (!scanRow(canvas, row)) continue;
    const { low, high } = scan;
    const rowAt = row * columns;
    for (let i = low; i <= high; i += 1) {
      const part = parts[i]! * opacity;
      if (part === 0) continue;
      const pixel = rowAt + i;
      if (part > 0.5 && cover !== COVER.none) covers[pixel] = cover;
      if (channels === 0) continue;
      const lit = ground ? light * lights[pixel]! : light;
      if (channels === 1) pixels[pixel] = pixels[pixel]! * (1 - part) + single * (lit * part);
      else blendPixel(canvas, pixel, material, lit, part);
    }
  }
}

/** Lays a shadow on a convex polygon. */
export function shadeConvex(canvas: Canvas, points: Float64Array, count: number, light: number): void {
  if (canvas.channels === 0 || !scanConvex(canvas, points, count)) return;
  const { firstRow, lastRow } = scan;
  for (let row = firstRow; row <= lastRow; row += 1) {
    if (!scanRow(canvas, row)) continue;
    const { low, high } = scan;
    const rowAt = row * canvas.columns;
    for (let i = low; i <= high; i += 1) {
      const part = parts[i]!;
      if (part > 0) shadePixel(canvas, rowAt + i, 1 - (1 - light) * part);
    }
  }
}
