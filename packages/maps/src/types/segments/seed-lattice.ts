import type { PixelRect } from "../../analysis/block.ts";

/** Distance of seeds, pixels: they lie at 10, 30, 50, … of the grid in both directions, whatever the block. */
export const SPACING_PX = 20;
const FIRST_PX = SPACING_PX / 2;

/** Seeds of a block. A square of pixels with seeds at its corners is a cell of the lattice. */
export interface SeedLattice {
  /** Position of the first seed in pixels of the block. */
  readonly column: number;
  readonly row: number;
  /** Its place among the seeds of the grid: 0 is the first within the image, -1 lies just outside. */
  readonly firstX: number;
  readonly firstY: number;
  readonly seedsX: number;
  readonly seedsY: number;
}

/** Seeds within a block; blocks of fewer than two each way have no cell. */
export function seedLattice({ column, row, columns, rows }: PixelRect): SeedLattice {
  const firstX = Math.ceil((column - FIRST_PX) / SPACING_PX);
  const firstY = Math.ceil((row - FIRST_PX) / SPACING_PX);
  const lastX = Math.floor((column + columns - FIRST_PX) / SPACING_PX);
  const lastY = Math.floor((row + rows - FIRST_PX) / SPACING_PX);
  return {
    column: FIRST_PX + SPACING_PX * firstX - column,
    row: FIRST_PX + SPACING_PX * firstY - row,
    firstX,
    firstY,
    seedsX: Math.max(0, lastX - firstX + 1),
    seedsY: Math.max(0, lastY - firstY + 1),
  };
}

/** The same seeds with the position of the first one in pixels of another block. */
export function latticeIn(lattice: SeedLattice, from: PixelRect, to: PixelRect): SeedLattice {
  return {
    ...lattice,
    column: lattice.column + from.column - to.column,
    row: lattice.row + from.row - to.row,
  };
}
