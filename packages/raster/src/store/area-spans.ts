import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { invertAffine, type Affine } from "@swath/kernel/raster-mathematics/affine";
import type { SourceRaster } from "../source-raster.ts";
import type { PixelWindow } from "../tiff/pixel-window.ts";

/** Longitude and latitude to coordinates of the raster's CRS. */
export type ToPlane = (lonDeg: number, latDeg: number) => readonly [x: number, y: number];

/** Edges of an area are straight in longitude and latitude: pieces of this length stay within centimetres of that. */
const STEP_DEG = 0.01;
const MAX_EDGES = 1_000_000;

/** Pixel columns `[first, end)` of a row. */
export type Span = readonly [first: number, end: number];

/** Edges in pixels of the raster, four numbers each, the lower end first. */
export interface Edges {
  readonly values: readonly number[];
}

/** Edges of all rings, which count by the even-odd rule: parts of a normal form share no area. */
export function edgesOf(area: MultiPolygon, transform: Affine, toPlane: ToPlane): Edges {
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
export function windowOf(
  { values }: Edges,
  { widthPx, heightPx }: Pick<SourceRaster, "widthPx" | "heightPx">,
): PixelWindow | null {
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
export function spansOf({ values }: Edges, window: PixelWindow | null): readonly (readonly Span[])[] {
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
