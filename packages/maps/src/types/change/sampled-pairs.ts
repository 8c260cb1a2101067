import type { AnalysisBlock, AnalysisSurvey } from "../../analysis/block.ts";
import { movedPlane } from "../../analysis/coregistration/moved-plane.ts";
import type { Coregistration } from "../../analysis/coregistration/scene-shift.ts";
import type { PixelPairs } from "./optical/irmad.ts";

/** Statistics of so many pixels are good to a thousandth, and take a second. */
const MAX_SAMPLES = 200_000;

/**
 * What statistics are estimated on: all of the scenes when the overview has their full resolution, else the windows,
 * because averaging pixels changes their noise.
 */
export function fullResolutionBlocks({ overview, windows }: AnalysisSurvey): readonly AnalysisBlock[] {
  const [window] = windows;
  if (window === undefined) return [overview];
  return overview.ground.metresPerPixelX < 1.5 * window.ground.metresPerPixelX ? [overview] : windows;
}

/** Pixels that are valid in all planes of both scenes and not 0 in all of either, evenly spread, at most `MAX_SAMPLES`. */
export function sampledPairs(
  blocks: readonly AnalysisBlock[],
  coregistration: Pick<Coregistration, "dx" | "dy" | "tilt">,
): PixelPairs {
  const total = blocks.reduce((sum, { rect }) => sum + rect.columns * rect.rows, 0);
  const step = Math.max(1, Math.ceil(total / MAX_SAMPLES));
  const bands = blocks[0]?.scenes[0]?.length ?? 0;
  const first = Array.from({ length: bands }, () => new Float64Array(Math.ceil(total / step) + blocks.length));
  const second = first.map((values) => new Float64Array(values.length));
  let count = 0;
  for (const { rect, scenes } of blocks) {
    const before = scenes[0]!;
    const after = scenes[1]!.map((plane) => movedPlane(plane, rect, coregistration));
    const size = rect.columns * rect.rows;
    // Rows are not a multiple of the step, lest only some columns are seen.
    const stride = step > 1 && rect.columns % step === 0 ? step + 1 : step;
    for (let at = 0; at < size; at += stride) {
      let sum = 0;
      let light = 0;
      let lightAfter = 0;
      for (let band = 0; band < bands; band++) {
        const x = before[band]![at]!;
        const y = after[band]![at]!;
        first[band]![count] = x;
        second[band]![count] = y;
        sum += x + y;
        light += Math.abs(x);
        lightAfter += Math.abs(y);
      }
      // Black borders that no file declares would be the calmest pixels of all.
      if (Number.isFinite(sum) && light > 0 && lightAfter > 0) count++;
    }
  }
  return {
    first: first.map((values) => values.subarray(0, count)),
    second: second.map((values) => values.subarray(0, count)),
    count,
  };
}
