/**
 * Mean of power over a window around every pixel; NaN where the window is not complete, because what has fewer looks
 * would be judged by the wrong distribution.
 *
 * @param sidePx odd
 */
export function multilook(power: Float32Array, columns: number, rows: number, sidePx: number): Float32Array {
  const reach = (sidePx - 1) / 2;
  const sums = new Float64Array(power.length).fill(Number.NaN);
  for (let row = 0; row < rows; row++) {
    for (let column = reach; column < columns - reach; column++) {
      const at = row * columns + column;
      let sum = 0;
      for (let i = at - reach; i <= at + reach; i++) sum += power[i]!;
      sums[at] = sum;
    }
  }
  const result = new Float32Array(power.length).fill(Number.NaN);
  const count = sidePx * sidePx;
  for (let row = reach; row < rows - reach; row++) {
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      let sum = 0;
      for (let i = at - reach * columns; i <= at + reach * columns; i += columns) sum += sums[i]!;
      // No power is no echo, not an echo of strength 0: the ratio has no meaning there.
      if (sum > 0) result[at] = sum / count;
    }
  }
  return result;
}
