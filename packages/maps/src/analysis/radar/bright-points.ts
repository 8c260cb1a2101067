import { boxSum } from "../texture/box-sum.ts";
import { countAround } from "../texture/mask-morphology.ts";

/**
 * Quarters of the surroundings: squares of 5 x 5 pixels whose middles lie three pixels away both ways, so that all four
 * together are 11 x 11 pixels without the row and the column of the pixel.
 */
const QUARTER_RADIUS_PX = 2;
const QUARTER_OFFSET_PX = 3;
/** A quarter of which fewer pixels count, of 25, says nothing. */
const LEAST_COUNT = 8;
/** Hundredths of a decibel above the surroundings from which a pixel is a point: speckle of 5 looks exceeds them seldom. */
const POINT = 200;

export const BRIGHT_POINT_REACH_PX = QUARTER_RADIUS_PX + QUARTER_OFFSET_PX;

/**
 * By how much pixels rise more than 2 dB above the brightest of the quarters around them, hundredths of a decibel: corners
 * of walls and ground, poles and fences do. The brightest quarter is taken, as in GO-CFAR, because at the edge of a bright
 * field one of them is as bright as the field.
 *
 * @param decibels hundredths of a decibel @param counts 1 for pixels that count; others are 0 in the result
 */
export function brightPoints(decibels: Int16Array, counts: Uint8Array, columns: number): Int16Array {
  const rows = counts.length / columns;
  const values = new Float64Array(counts.length);
  for (let i = 0; i < values.length; i++) values[i] = counts[i] === 1 ? decibels[i]! : 0;
  const sums = boxSum(values, columns, rows, QUARTER_RADIUS_PX);
  const numbers = countAround(counts, columns, rows, QUARTER_RADIUS_PX);
  const excess = new Int16Array(counts.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      if (counts[at] === 0) continue;
      let brightest = Number.NEGATIVE_INFINITY;
      for (let quarter = 0; quarter < 4; quarter++) {
        const y = row + (quarter < 2 ? -QUARTER_OFFSET_PX : QUARTER_OFFSET_PX);
        const x = column + ((quarter & 1) === 0 ? -QUARTER_OFFSET_PX : QUARTER_OFFSET_PX);
        if (y < 0 || y >= rows || x < 0 || x >= columns) continue;
        const middle = y * columns + x;
        if (numbers[middle]! < LEAST_COUNT) continue;
        brightest = Math.max(brightest, sums[middle]! / numbers[middle]!);
      }
      if (brightest === Number.NEGATIVE_INFINITY) continue;
      excess[at] = Math.max(0, Math.floor(decibels[at]! - brightest - POINT));
    }
  }
  return excess;
}

/** Excess of pixels of pure independent speckle, hundredths of a decibel, by looks: means over 400 x 400 simulated pixels. */
const OF_SPECKLE = [
  [1, 76.8],
  [2, 33.4],
  [3, 19.3],
  [4.4, 10.8],
  [5, 8.5],
  [8, 3.5],
  [16, 0.55],
] as const;

/** What speckle of so many looks has in `brightPoints` on average, hundredths of a decibel. */
export function speckleExcess(looks: number): number {
  const [first, last] = [OF_SPECKLE[0], OF_SPECKLE[OF_SPECKLE.length - 1]!];
  if (looks <= first[0]) return first[1];
  if (looks >= last[0]) return last[1];
  const above = OF_SPECKLE.findIndex(([known]) => known >= looks);
  const [lowLooks, low] = OF_SPECKLE[above - 1]!;
  const [highLooks, high] = OF_SPECKLE[above]!;
  const part = Math.log(looks / lowLooks) / Math.log(highLooks / lowLooks);
  return low * (high / low) ** part;
}
