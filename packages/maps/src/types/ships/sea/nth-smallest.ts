/**
 * The value that would be at a position if the values were sorted (Hoare's selection, linear time). Reorders the values.
 *
 * @param values without NaN
 * @param position 0 to length - 1
 */
export function nthSmallest(values: Float32Array | Float64Array, position: number): number {
  let left = 0;
  let right = values.length - 1;
  while (left < right) {
    const pivot = values[(left + right) >>> 1]!;
    let i = left;
    let j = right;
    while (i <= j) {
      while (values[i]! < pivot) i++;
      while (values[j]! > pivot) j--;
      if (i > j) break;
      const kept = values[i]!;
      values[i++] = values[j]!;
      values[j--] = kept;
    }
    if (position <= j) right = j;
    else if (position >= i) left = i;
    else break;
  }
  return values[position]!;
}
