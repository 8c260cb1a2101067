/**
 * Lee's filter of speckle (Lee 1980) over windows of 5 x 5 pixels of power: the mean where a window is as even as speckle
 * of `looks` looks, the pixel itself where it is much rougher. Each window is summed in one order, so that the result
 * does not depend on where the block begins.
 *
 * @param power linear; NaN where invalid, and such pixels do not count
 */
export function leeFiltered(power: Float32Array, columns: number, rows: number, looks: number): Float32Array {
  const speckle = 1 / looks;
  const filtered = new Float32Array(power.length);
  for (let row = 0; row < rows; row++) {
    const top = Math.max(0, row - RADIUS);
    const bottom = Math.min(rows - 1, row + RADIUS);
    for (let column = 0; column < columns; column++) {
      const i = row * columns + column;
      const own = power[i]!;
      if (!(own >= 0)) {
        filtered[i] = Number.NaN;
        continue;
      }
      const left = Math.max(0, column - RADIUS);
      const right = Math.min(columns - 1, column + RADIUS);
      let sum = 0;
      let squares = 0;
      let count = 0;
      for (let y = top; y <= bottom; y++) {
        for (let x = left; x <= right; x++) {
          const value = power[y * columns + x]!;
          if (!(value >= 0)) continue;
          sum += value;
          squares += value * value;
          count++;
        }
      }
      const mean = sum / count;
      const variance = Math.max(0, squares / count - mean * mean);
      const variation = mean > 0 ? variance / (mean * mean) : 0;
      const weight = variation <= speckle ? 0 : (1 - speckle / variation) / (1 + speckle);
      filtered[i] = mean + Math.min(1, weight) * (own - mean);
    }
  }
  return filtered;
}

const RADIUS = 2;
export const LEE_REACH_PX = RADIUS;
