import type { Georeference } from "../source-raster.ts";
import type { TiffLayout } from "./layout.ts";

/** A rectangle of pixels of an image. */
export interface PixelWindow {
  readonly column: number;
  readonly row: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

type Grid = Pick<TiffLayout, "widthPx" | "heightPx" | "blockWidthPx" | "blockHeightPx">;

/**
 * The smallest window around this one that consists of whole blocks of all images, which have the same size in pixels.
 * At least one block; at most the image.
 */
export function alignedWindow(window: PixelWindow, grids: readonly Grid[]): PixelWindow {
  const widthPx = grids[0]?.widthPx ?? 0;
  const heightPx = grids[0]?.heightPx ?? 0;
  let left = clamp(Math.floor(window.column), 0, widthPx - 1);
  let top = clamp(Math.floor(window.row), 0, heightPx - 1);
  let right = clamp(Math.ceil(window.column + window.widthPx), left + 1, widthPx);
  let bottom = clamp(Math.ceil(window.row + window.heightPx), top + 1, heightPx);
  for (let changed = true; changed;) {
    changed = false;
    for (const { blockWidthPx, blockHeightPx } of grids) {
      const next = [
        left - (left % blockWidthPx),
        top - (top % blockHeightPx),
        Math.min(widthPx, Math.ceil(right / blockWidthPx) * blockWidthPx),
        Math.min(heightPx, Math.ceil(bottom / blockHeightPx) * blockHeightPx),
      ] as const;
      changed ||= next[0] !== left || next[1] !== top || next[2] !== right || next[3] !== bottom;
      [left, top, right, bottom] = next;
    }
  }
  return { column: left, row: top, widthPx: right - left, heightPx: bottom - top };
}

/** The image that the blocks of an aligned window make. */
export function windowLayout(layout: TiffLayout, window: PixelWindow): TiffLayout {
  const { blockWidthPx, blockHeightPx, blocksAcross, blocksDown } = layout;
  const firstColumn = Math.floor(window.column / blockWidthPx);
  const firstRow = Math.floor(window.row / blockHeightPx);
  const across = Math.ceil((window.column + window.widthPx) / blockWidthPx) - firstColumn;
  const down = Math.ceil((window.row + window.heightPx) / blockHeightPx) - firstRow;
  const planes = layout.planar ? layout.samples : 1;
  const offsets = new Float64Array(across * down * planes);
  const byteCounts = new Float64Array(across * down * planes);
  for (let plane = 0; plane < planes; plane++) {
    for (let row = 0; row < down; row++) {
      const from = (plane * blocksDown + firstRow + row) * blocksAcross + firstColumn;
      const to = (plane * down + row) * across;
      offsets.set(layout.offsets.subarray(from, from + across), to);
      byteCounts.set(layout.byteCounts.subarray(from, from + across), to);
    }
  }
  return {
    ...layout,
    widthPx: window.widthPx | 0,
    heightPx: window.heightPx | 0,
    blocksAcross: across,
    blocksDown: down,
    offsets,
    byteCounts,
  };
}

/** The same positions on the ground for pixels counted from the window's corner. */
export function windowGeoreference(georeference: Georeference, { column, row }: PixelWindow): Georeference {
  if (georeference.kind === "affine") {
    const [a, b, c, d, e, f] = georeference.transform;
    return { kind: "affine", transform: [a, b, a * column + b * row + c, d, e, d * column + e * row + f] };
  }
  if (georeference.kind === "none") return georeference;
  return {
    kind: "gcps",
    points: georeference.points.map((point) => ({ ...point, column: point.column - column, row: point.row - row })),
  };
}

/** Where the blocks of an image lie in the file, absent ones left out. */
export function blockRanges({ offsets, byteCounts }: TiffLayout): { readonly start: number; readonly end: number }[] {
  const ranges: { start: number; end: number }[] = [];
  for (const [i, start] of offsets.entries()) {
    const bytes = byteCounts[i] ?? 0;
    if (start > 0 && bytes > 0) ranges.push({ start, end: start + bytes });
  }
  return ranges;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
