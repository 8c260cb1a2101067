import { BLOCK_PX } from "./block.ts";

/** What covers most of a pixel. */
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

/** The pixels of one block while it is painted: `channels` numbers each, and what covers them. */
export interface Canvas {
  readonly columns: number;
  readonly rows: number;
  readonly channels: number;
  /** Material table with `channels` numbers per material. */
  readonly table: Float32Array;
  readonly pixels: Float32Array;
  readonly cover: Uint8Array;
  /** Light of the sun on the slope of a pixel and the grain of its ground, around 1. */
  readonly light: Float32Array;
  /** What polygons are laid on: anything, anything but the sea, or dry land only. */
  over: "all" | "rivers" | "land";
  /** Where set, pixels with another number than `zone` are left alone. */
  zones: Uint8Array | null;
  zone: number;
}

const planes = new Map<number, Float32Array>();
const lights = new Float32Array(BLOCK_PX * BLOCK_PX);
const covers = new Uint8Array(BLOCK_PX * BLOCK_PX);

/** A canvas on memory that all blocks share: read what was painted before the next is begun. */
export function startCanvas(columns: number, rows: number, channels: number, table: Float32Array): Canvas {
  let plane = planes.get(channels);
  if (plane === undefined) {
    plane = new Float32Array(BLOCK_PX * BLOCK_PX * channels);
    planes.set(channels, plane);
  }
  covers.fill(0);
  plane.fill(0, 0, columns * rows * channels);
  return {
    columns,
    rows,
    channels,
    table,
    pixels: plane,
    cover: covers,
    light: lights,
    over: "all",
    zones: null,
    zone: 0,
  };
}

/** Lays a material over one pixel: `opacity` 0 leaves it, 1 replaces it. */
export function blendPixel(canvas: Canvas, pixel: number, material: number, light: number, opacity: number): void {
  const { channels, pixels, table } = canvas;
  const from = material * channels;
  const at = pixel * channels;
  const keep = 1 - opacity;
  const lay = light * opacity;
  pixels[at] = pixels[at]! * keep + table[from]! * lay;
  pixels[at + 1] = pixels[at + 1]! * keep + table[from + 1]! * lay;
  if (channels === 2) return;
  pixels[at + 2] = pixels[at + 2]! * keep + table[from + 2]! * lay;
  pixels[at + 3] = pixels[at + 3]! * keep + table[from + 3]! * lay;
  pixels[at + 4] = pixels[at + 4]! * keep + table[from + 4]! * lay;
  pixels[at + 5] = pixels[at + 5]! * keep + table[from + 5]! * lay;
  pixels[at + 6] = pixels[at + 6]! * keep + table[from + 6]! * lay;
  pixels[at + 7] = pixels[at + 7]! * keep + table[from + 7]! * lay;
}

/** Adds a material to one pixel. */
export function addToPixel(canvas: Canvas, pixel: number, material: number, light: number): void {
  const { channels, pixels, table } = canvas;
  const from = material * channels;
  const at = pixel * channels;
  pixels[at]! += table[from]! * light;
  pixels[at + 1]! += table[from + 1]! * light;
  if (channels === 2) return;
  pixels[at + 2]! += table[from + 2]! * light;
  pixels[at + 3]! += table[from + 3]! * light;
  pixels[at + 4]! += table[from + 4]! * light;
  pixels[at + 5]! += table[from + 5]! * light;
  pixels[at + 6]! += table[from + 6]! * light;
  pixels[at + 7]! += table[from + 7]! * light;
}

/** Dims one pixel; shadows keep more of the short wavelengths, because the sky still lights them. */
export function shadePixel(canvas: Canvas, pixel: number, light: number): void {
  const { channels, pixels } = canvas;
  const at = pixel * channels;
  if (channels < 8) {
    for (let k = 0; k < channels; k += 1) pixels[at + k]! *= light;
    return;
  }
  const lost = 1 - light;
  pixels[at]! *= light + 0.2 * lost;
  pixels[at + 1]! *= light + 0.16 * lost;
  pixels[at + 2]! *= light + 0.08 * lost;
  for (let k = 3; k < channels; k += 1) pixels[at + k]! *= light;
}

/** Parts of a row of pixels that a polygon covers. */
const parts = new Float32Array(BLOCK_PX + 2);
/** Where rows of whole pixels begin (+1) and end (-1). */
const edges = new Float32Array(BLOCK_PX + 2);
const SUBROWS = 4;

/** Receives a pixel of a polygon and how much of it is covered, 0 to 1. */
export type PixelVisitor = (pixel: number, part: number) => void;

/**
 * Visits the pixels of a convex polygon with the part of each that lies inside; exact across, by quarters of a pixel
 * down. Points are pixels from the block's corner, `[x0, y0, x1, y1, …]`.
 */
export function coverConvex(canvas: Canvas, points: Float64Array, count: number, visit: PixelVisitor): void {
  const { columns, rows, zones, zone, over, cover } = canvas;
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
  if (bottom <= 0 || top >= rows || right <= 0 || left >= columns) return;
  const firstRow = Math.max(0, Math.floor(top));
  const lastRow = Math.min(rows - 1, Math.ceil(bottom) - 1);
  for (let row = firstRow; row <= lastRow; row += 1) {
    let low = columns;
    let high = -1;
    let subrows = 0;
    for (let sub = 0; sub < SUBROWS; sub += 1) {
      const y = row + (sub + 0.5) / SUBROWS;
      let from = Infinity;
      let to = -Infinity;
      let px = points[2 * count - 2]!;
      let py = points[2 * count - 1]!;
      for (let i = 0; i < count; i += 1) {
        const qx = points[2 * i]!;
        const qy = points[2 * i + 1]!;
        if (py <= y !== qy <= y) {
          const x = px + ((y - py) * (qx - px)) / (qy - py);
          if (x < from) from = x;
          if (x > to) to = x;
        }
        px = qx;
        py = qy;
      }
      if (from < 0) from = 0;
      if (to > columns) to = columns;
      if (!(to > from)) continue;
      subrows += 1;
      const first = Math.floor(from);
      const last = Math.min(columns - 1, Math.floor(to));
      if (first < low) low = first;
      if (last > high) high = last;
      if (first === last) parts[first]! += to - from;
      else {
        parts[first]! += first + 1 - from;
        parts[last]! += to - last;
        edges[first + 1]! += 1;
        edges[last]! -= 1;
      }
    }
    if (subrows === 0) continue;
    let inner = 0;
    for (let i = low; i <= high; i += 1) {
      inner += edges[i]!;
      const part = (parts[i]! + inner) / SUBROWS;
      parts[i] = 0;
      edges[i] = 0;
      if (part <= 0.002) continue;
      const pixel = row * columns + i;
      if (zones !== null && zones[pixel] !== zone) continue;
      if (over !== "all") {
        const under = cover[pixel];
        if (under === COVER.water || (over === "land" && under === COVER.river)) continue;
      }
      visit(pixel, part);
    }
  }
}

/** Paints a convex polygon. `cover` is set where more than half of a pixel is painted. */
export function fillConvex(
  canvas: Canvas,
  points: Float64Array,
  count: number,
  material: number,
  light: number,
  opacity: number,
  cover: number,
): void {
  coverConvex(canvas, points, count, (pixel, part) => {
    blendPixel(canvas, pixel, material, light, part * opacity);
    if (part * opacity > 0.5 && cover !== COVER.none) canvas.cover[pixel] = cover;
  });
}

/** Lays a shadow on a convex polygon. */
export function shadeConvex(canvas: Canvas, points: Float64Array, count: number, light: number): void {
  coverConvex(canvas, points, count, (pixel, part) => shadePixel(canvas, pixel, 1 - (1 - light) * part));
}
