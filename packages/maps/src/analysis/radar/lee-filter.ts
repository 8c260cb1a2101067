/**
 * Lee's filter of speckle (Lee 1980) over windows of 5 x 5 pixels of power: the mean where a window is as even as speckle
 * of `looks` looks, the pixel itself where it is much rougher. Each window is summed in one order, columns first, so that
 * the result does not depend on where the block begins.
 *
 * @param power linear; NaN where invalid, and such pixels do not count
 */
export function leeFiltered(power: Float32Array, columns: number, rows: number, looks: number): Float32Array {
  const speckle = 1 / looks;
  const filtered = new Float32Array(power.length);
  const sums = new Float64Array(columns);
  const squares = new Float64Array(columns);
  const counts = new Int32Array(columns);
  for (let row = 0; row < rows; row++) {
    sums.fill(0);
    squares.fill(0);
    counts.fill(0);
    for (let y = Math.max(0, row - RADIUS); y <= Math.min(rows - 1, row + RADIUS); y++) {
      for (let column = 0, i = y * columns; column < columns; column++, i++) {
        const value = power[i]!;
        if (!(value >= 0)) continue;
        sums[column]! += value;
        squares[column]! += value * value;
        counts[column]!++;
      }
    }
    for (let column = 0; column < columns; column++) {
      const i = row * columns + column;
      const own = power[i]!;
      if (!(own >= 0)) {
        filtered[i] = Number.NaN;
        continue;
      }
      let sum = 0;
      let square = 0;
      let count = 0;
      for (let x = Math.max(0, column - RADIUS); x <= Math.min(columns - 1, column + RADIUS); x++) {
        sum += sums[x]!;
        square += squares[x]!;
        count += counts[x]!;
      }
      const mean = sum / count;
      const variance = Math.max(0, square / count - mean * mean);
      const variation = mean > 0 ? variance / (mean * mean) : 0;
      const weight = variation <= speckle ? 0 : (1 - speckle / variation) / (1 + speckle);
      filtered[i] = mean + Math.min(1, weight) * (own - mean);
    }
  }
  return filtered;
}

const RADIUS = 2;
export const LEE_REACH_PX = RADIUS;
