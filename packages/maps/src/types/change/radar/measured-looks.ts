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
/** Small enough that some squares lie beside a flood over a third of the scene. */
const QUIET_SQUARE_PX = 32;
/** Every other pixel each way: averaged neighbours say much the same. */
const STRIDE_PX = 2;
/** Fewer ratios in a square, as a share of its sampled pixels, do not show its looks. */
const LEAST_RATIOS = 0.3;
/** The quarter of squares with the most looks. */
const QUIET_QUANTILE = 0.75;
/** Upper quartile of a standard normal distribution. */
const NORMAL_QUARTILE = 0.6745;
/** Relative deviation of looks from a median of one independent ratio: twice 0.787 / 0.6745, of a half-normal distribution. */
const DEVIATION_OF_ONE = 2.33;

/** Looks of squares by the scatter of ratios. */
interface SquareLooks {
  /** About no change: real changes lower it. */
  readonly aboutUnity: readonly number[];
  /** About the median ratio of the square: only edges of changes lower it. */
  readonly aboutMedian: readonly number[];
}

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
  return squareLooks(blocks, channel, windowPx, pair, SQUARE_PX).aboutUnity;
}

/** Looks of the quiet quarter of squares; null without squares. */
export interface QuietLooks {
  readonly aboutUnity: number | null;
  readonly aboutMedian: number | null;
}

/**
 * Looks that the quietest quarter of squares of 32 pixels reach, less what choosing the quietest of equal squares adds. A change over
 * a third of the scene hardly lowers them.
 */
export function quietLooks(
  blocks: readonly AnalysisBlock[],
  channel: number,
  windowPx: number,
  pair: readonly [ComparedScene, ComparedScene],
): QuietLooks {
  const { aboutUnity, aboutMedian } = squareLooks(blocks, channel, windowPx, pair, QUIET_SQUARE_PX);
  const excess = 1 + (NORMAL_QUARTILE * DEVIATION_OF_ONE) / Math.sqrt(independentRatios(windowPx));
  const quiet = (looks: readonly number[]): number | null => {
    const reached = quantileOf(looks, QUIET_QUANTILE);
    return reached === null ? null : reached / excess;
  };
  return { aboutUnity: quiet(aboutUnity), aboutMedian: quiet(aboutMedian) };
}

/** Number of independent ratios with as much to say about scatter as the ratios of a square, whose windows overlap. */
function independentRatios(windowPx: number): number {
  let squares = 1;
  for (let lag = 1; lag < windowPx; lag++) squares += 2 * (1 - lag / windowPx) ** 2;
  return QUIET_SQUARE_PX ** 2 / squares ** 2;
}

function squareLooks(
  blocks: readonly AnalysisBlock[],
  channel: number,
  windowPx: number,
  pair: readonly [ComparedScene, ComparedScene],
  squarePx: number,
): SquareLooks {
  const aboutUnity: number[] = [];
  const aboutMedian: number[] = [];
  for (const { rect, scenes } of blocks) {
    const { columns, rows } = rect;
    const [before, after] = pair.map(({ scene, shift }) =>
      multilook(shiftedPlane(scenes[scene]![channel]!, columns, rows, shift.dx, shift.dy), columns, rows, windowPx),
    );
    const side = Math.min(squarePx, columns, rows);
    const ratios = new Float32Array(Math.ceil(side / STRIDE_PX) ** 2);
    for (let top = 0; top + side <= rows; top += side) {
      for (let left = 0; left + side <= columns; left += side) {
        let count = 0;
        for (let row = top; row < top + side; row += STRIDE_PX) {
          for (let column = left; column < left + side; column += STRIDE_PX) {
            const at = row * columns + column;
            const ratio = Math.log(after![at]! / before![at]!);
            if (Number.isFinite(ratio)) ratios[count++] = ratio;
          }
        }
        if (count < LEAST_RATIOS * ratios.length) continue;
        const found = ratios.subarray(0, count);
        const middle = medianOf(found);
        pushLooks(aboutUnity, medianOf(found.map(Math.abs)));
        pushLooks(aboutMedian, medianOf(found.map((ratio) => Math.abs(ratio - middle))));
      }
    }
  }
  return { aboutUnity, aboutMedian };
}

function pushLooks(looks: number[], medianAbsoluteLogRatio: number): void {
  if (medianAbsoluteLogRatio > 0) looks.push(looksOfMedian(medianAbsoluteLogRatio));
}

function medianOf(values: Float32Array): number {
  return values.toSorted()[values.length >> 1]!;
}

/** The figure that half of them reach; null of none. */
export function medianLooks(looks: readonly number[]): number | null {
  return quantileOf(looks, 0.5);
}

function quantileOf(values: readonly number[], share: number): number | null {
  return values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? null;
}
