const BLOCK_PX = 64;
const MIN_VALID_SHARE = 0.5;

/**
 * Equivalent number of looks of power images: the median over blocks of 64 pixels of mean² by variance. Blocks on which
 * there are ships or shores have less and texture lowers it, so that it is a cautious figure.
 *
 * @param use 1 where a pixel counts, null for all that are valid
 * @returns null when no block is valid
 */
export function equivalentLooks(
  windows: readonly { readonly power: Float32Array; readonly use: Uint8Array | null; readonly columns: number }[],
): number | null {
  const looks: number[] = [];
  for (const { power, use, columns } of windows) {
    const rows = power.length / columns;
    const side = Math.min(BLOCK_PX, columns, rows);
    for (let top = 0; top + side <= rows; top += side) {
      for (let left = 0; left + side <= columns; left += side) {
        const value = blockLooks(power, use, columns, left, top, side);
        if (value !== null) looks.push(value);
      }
    }
  }
  if (looks.length === 0) return null;
  looks.sort((a, b) => a - b);
  return looks[Math.floor(looks.length / 2)]!;
}

function blockLooks(
  power: Float32Array,
  use: Uint8Array | null,
  columns: number,
  left: number,
  top: number,
  side: number,
): number | null {
  let [count, sum, squares] = [0, 0, 0];
  for (let row = top; row < top + side; row++) {
    for (let i = row * columns + left; i < row * columns + left + side; i++) {
      const value = power[i]!;
      if (!(value > 0) || (use !== null && use[i] === 0)) continue;
      count++;
      sum += value;
      squares += value * value;
    }
  }
  if (count < MIN_VALID_SHARE * side * side) return null;
  const mean = sum / count;
  const variance = squares / count - mean * mean;
  return variance > 0 ? (mean * mean) / variance : null;
}
