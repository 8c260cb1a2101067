import type { AnalysisBlock } from "../../../analysis/block.ts";
import { shiftedPlane } from "../../../analysis/coregistration/shifted-plane.ts";
import { looksOfMedian } from "./log-ratio.ts";
import { multilook } from "./multilook.ts";

/** A scene of a pair with where it lies, pixels. */
export interface ComparedScene {
  readonly scene: number;
  readonly shift: { readonly dx: number; readonly dy: number };
}

const SQUARE_PX = 64;
/** Every other pixel each way: averaged neighbours say much the same. */
const STRIDE_PX = 2;
/** Fewer ratios in a square do not tell its looks. */
const FEWEST_RATIOS = 300;

/**
 * Looks of averaged power as the scatter of ratios between two scenes shows them, one figure for each square of 64 pixels:
 * those for which half of the ratios are as near to 1. Texture cancels in ratios, correlation of neighbours does not, and
 * ground that changes has few looks; squares keep a changed sea from lowering those of the land.
 *
 * @param windowPx pixels per side that are averaged
 */
export function looksOfSquares(
  blocks: readonly AnalysisBlock[],
  channel: number,
  windowPx: number,
  pair: readonly [ComparedScene, ComparedScene],
): readonly number[] {
  const looks: number[] = [];
  for (const { rect, scenes } of blocks) {
    const { columns, rows } = rect;
    const [before, after] = pair.map(({ scene, shift }) =>
      multilook(shiftedPlane(scenes[scene]![channel]!, columns, rows, shift.dx, shift.dy), columns, rows, windowPx),
    );
    const side = Math.min(SQUARE_PX, columns, rows);
    const ratios = new Float32Array(Math.ceil(side / STRIDE_PX) ** 2);
    for (let top = 0; top + side <= rows; top += side) {
      for (let left = 0; left + side <= columns; left += side) {
        let count = 0;
        for (let row = top; row < top + side; row += STRIDE_PX) {
          for (let column = left; column < left + side; column += STRIDE_PX) {
            const at = row * columns + column;
            const ratio = Math.abs(Math.log(after![at]! / before![at]!));
            if (Number.isFinite(ratio)) ratios[count++] = ratio;
          }
        }
        if (count < FEWEST_RATIOS) continue;
        const median = ratios.subarray(0, count).toSorted()[count >> 1]!;
        if (median > 0) looks.push(looksOfMedian(median));
      }
    }
  }
  return looks;
}

/** The figure that half of them reach; null of none. */
export function medianLooks(looks: readonly number[]): number | null {
  return looks.toSorted((a, b) => a - b)[Math.floor((looks.length - 1) / 2)] ?? null;
}
