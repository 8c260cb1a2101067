import type { AnalysisBlock, PixelGround, PixelRect } from "./block.ts";

/** A block, all of it core, of a made-up square scene; NaN beyond the scene. */
export function cutBlock(
  planes: readonly Float32Array[],
  sidePx: number,
  rect: PixelRect,
  ground: PixelGround,
): AnalysisBlock {
  const scene = planes.map((plane) => {
    const cut = new Float32Array(rect.columns * rect.rows).fill(Number.NaN);
    for (let row = Math.max(0, rect.row); row < Math.min(sidePx, rect.row + rect.rows); row++) {
      for (let column = Math.max(0, rect.column); column < Math.min(sidePx, rect.column + rect.columns); column++) {
        cut[(row - rect.row) * rect.columns + column - rect.column] = plane[row * sidePx + column]!;
      }
    }
    return cut;
  });
  return { rect, core: rect, scenes: [scene], land: null, ground };
}
