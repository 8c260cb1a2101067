/**
 * How many set pixels lie within `reachPx` columns and rows of each pixel; outside the image nothing is set.
 *
 * @param set 1 where set
 */
export function countAround(set: Uint8Array, columns: number, rows: number, reachPx: number): Int32Array {
  const counts = new Int32Array(columns * rows);
  const sums = new Int32Array(columns);
  for (let row = -reachPx; row < rows; row++) {
    const entering = row + reachPx;
    if (entering < rows) for (let c = 0; c < columns; c++) sums[c]! += set[entering * columns + c]!;
    const leaving = row - reachPx - 1;
    if (leaving >= 0) for (let c = 0; c < columns; c++) sums[c]! -= set[leaving * columns + c]!;
    if (row < 0) continue;
    let sum = 0;
    for (let c = 0; c < Math.min(reachPx, columns); c++) sum += sums[c]!;
    for (let c = 0; c < columns; c++) {
      if (c + reachPx < columns) sum += sums[c + reachPx]!;
      if (c - reachPx - 1 >= 0) sum -= sums[c - reachPx - 1]!;
      counts[row * columns + c] = sum;
    }
  }
  return counts;
}

/** 1 within `reachPx` columns and rows of a set pixel. */
export function dilated(set: Uint8Array, columns: number, rows: number, reachPx: number): Uint8Array {
  if (reachPx <= 0) return set.slice();
  const counts = countAround(set, columns, rows, reachPx);
  const grown = new Uint8Array(set.length);
  for (let i = 0; i < grown.length; i++) grown[i] = counts[i]! > 0 ? 1 : 0;
  return grown;
}

/** 1 where nothing unset lies within `reachPx` columns and rows; beyond the image counts as set. */
export function eroded(set: Uint8Array, columns: number, rows: number, reachPx: number): Uint8Array {
  const inverse = new Uint8Array(set.length);
  for (let i = 0; i < set.length; i++) inverse[i] = set[i] === 0 ? 1 : 0;
  const grown = dilated(inverse, columns, rows, reachPx);
  for (let i = 0; i < set.length; i++) grown[i] = grown[i] === 0 ? 1 : 0;
  return grown;
}
