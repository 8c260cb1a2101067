import { componentMembers, connectedComponents } from "@swath/kernel/raster-mathematics/connected-components";
import { pixelsRectangle } from "@swath/kernel/raster-mathematics/min-area-rectangle";
import type { AnalysisBlock, FoundObject } from "../../analysis/block.ts";

/** Regions end at the edges of cells of this many pixels, which lie the same way in every block. */
export const REGION_CELL_PX = 64;
/** Changes this near to each other are one region. */
const GAP_PX = 4;

/** Changed pixels for regions; planes of the size of the block. */
export interface ChangedPixels {
  /** 1 where changed. */
  readonly changed: Uint8Array;
  /** How strongly: a statistic that follows chi-square where nothing changed. */
  readonly statistic: Float32Array;
  /** Statistic from which a pixel counts as changed. */
  readonly threshold: number;
  readonly classes: Uint8Array;
  readonly classNames: Readonly<Record<number, string>>;
  /** Factor of confidences. */
  readonly trust: number;
}

/**
 * Places worth looking at: groups of changed pixels within a cell, `count` patches each, of the class that most of their
 * pixels have. Cutting at cells bounds their size, so that a region is the same whichever block it is found in.
 */
export function attentionRegions(block: AnalysisBlock, pixels: ChangedPixels): readonly FoundObject[] {
  const { core, rect } = block;
  const regions: FoundObject[] = [];
  for (let row = cellStart(core.row); row < core.row + core.rows; row += REGION_CELL_PX) {
    for (let column = cellStart(core.column); column < core.column + core.columns; column += REGION_CELL_PX) {
      const left = Math.max(column, core.column) - rect.column;
      const top = Math.max(row, core.row) - rect.row;
      const columns = Math.min(column + REGION_CELL_PX, core.column + core.columns) - rect.column - left;
      const rows = Math.min(row + REGION_CELL_PX, core.row + core.rows) - rect.row - top;
      regions.push(...regionsOfCell(block, pixels, left, top, columns, rows));
    }
  }
  return regions;
}

function cellStart(at: number): number {
  return Math.floor(at / REGION_CELL_PX) * REGION_CELL_PX;
}

function regionsOfCell(
  block: AnalysisBlock,
  pixels: ChangedPixels,
  left: number,
  top: number,
  columns: number,
  rows: number,
): readonly FoundObject[] {
  const width = block.rect.columns;
  const cell = new Uint8Array(columns * rows);
  let any = false;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (pixels.changed[(top + row) * width + left + column] !== 1) continue;
      cell[row * columns + column] = 1;
      any = true;
    }
  }
  if (!any) return [];
  const patches = connectedComponents(cell, columns, rows).labels;
  return componentMembers(connectedComponents(cell, columns, rows, GAP_PX)).map((members) => {
    const inBlock = members.map((at) => (top + Math.floor(at / columns)) * width + left + (at % columns));
    const count = new Set(Array.from(members, (at) => patches[at]!)).size;
    return region(block, pixels, inBlock, count);
  });
}

function region(
  { rect, ground }: AnalysisBlock,
  { statistic, threshold, classes, classNames, trust }: ChangedPixels,
  members: Int32Array,
  count: number,
): FoundObject {
  let [sum, highest, x, y] = [0, 0, 0, 0];
  const perClass = new Map<number, number>();
  for (const member of members) {
    sum += statistic[member]!;
    highest = Math.max(highest, statistic[member]!);
    x += (member % rect.columns) + 0.5;
    y += Math.floor(member / rect.columns) + 0.5;
    perClass.set(classes[member]!, (perClass.get(classes[member]!) ?? 0) + 1);
  }
  const pixels = members.length;
  const mean = sum / pixels;
  const [mostFrequent] = [...perClass].toSorted(([a, m], [b, n]) => n - m || a - b)[0]!;
  return {
    className: classNames[mostFrequent] ?? "changed",
    centre: [rect.column + x / pixels, rect.row + y / pixels],
    corners: pixelsRectangle(members, rect.columns).corners.map(
      ([column, row]) => [rect.column + column, rect.row + row] as const,
    ),
    areaM2: pixels * ground.metresPerPixelX * ground.metresPerPixelY,
    count,
    // One half at the threshold itself, 0.9 at five times as much.
    confidence: trust * (1 - threshold / (2 * Math.max(mean, threshold))),
    properties: { meanZ: Number(mean.toFixed(2)), maxZ: Number(highest.toFixed(2)) },
  };
}
