import type { PixelRect } from "../analysis/block.ts";

/** A tile that a model is given, and the part of it that the tile answers for, in pixels of the grid. */
export interface ModelTile {
  /** Place of the tile's first pixel corner. */
  readonly column: number;
  readonly row: number;
  /** Pixels of the grid per pixel of the model. */
  readonly scaleX: number;
  readonly scaleY: number;
  /** Half-open; cells of all tiles cover the core without overlapping. */
  readonly cell: {
    readonly left: number;
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
  };
}

/**
 * Tiles for a core, each in the middle of its cell: a cell sees at least half the overlap around it. Where the grid has
 * the model's resolution tiles begin at whole pixels, so that nothing is interpolated.
 *
 * @param size rows and columns of the model's input
 * @param overlap pixels of the model, from row to row and from column to column, less than the size
 */
export function modelTiles(
  core: PixelRect,
  size: readonly [heightPx: number, widthPx: number],
  overlap: readonly [heightPx: number, widthPx: number],
  scaleX: number,
  scaleY: number,
): readonly ModelTile[] {
  const tiles: ModelTile[] = [];
  for (const [top, bottom, row] of cellsAlong(core.row, core.rows, size[0], overlap[0], scaleY)) {
    for (const [left, right, column] of cellsAlong(core.column, core.columns, size[1], overlap[1], scaleX)) {
      tiles.push({ column, row, scaleX, scaleY, cell: { left, top, right, bottom } });
    }
  }
  return tiles;
}

function cellsAlong(
  start: number,
  length: number,
  size: number,
  overlap: number,
  scale: number,
): readonly (readonly [from: number, to: number, origin: number])[] {
  const count = Math.max(1, Math.ceil(length / scale / (size - overlap) - 1e-9));
  return Array.from({ length: count }, (_, index) => {
    const from = start + (length * index) / count;
    const to = start + (length * (index + 1)) / count;
    const origin = (from + to - size * scale) / 2;
    return [from, to, scale === 1 ? Math.round(origin) : origin] as const;
  });
}
