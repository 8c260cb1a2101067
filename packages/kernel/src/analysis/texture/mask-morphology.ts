import { boxSum } from "./box-sum.ts";

/** Set where any pixel of the square of `2 * radius + 1` around is set. */
export function dilated(mask: Uint8Array, columns: number, rows: number, radius: number): Uint8Array {
  if (radius <= 0) return mask.slice();
  const sums = boxSum(mask, columns, rows, radius);
  const result = new Uint8Array(mask.length);
  for (let i = 0; i < result.length; i++) result[i] = sums[i]! > 0 ? 1 : 0;
  return result;
}

/** Set where no pixel of the square around is unset; what lies outside the plane does not count. */
export function eroded(mask: Uint8Array, columns: number, rows: number, radius: number): Uint8Array {
  const inverse = new Uint8Array(mask.length);
  for (let i = 0; i < mask.length; i++) inverse[i] = mask[i] === 0 ? 1 : 0;
  const grown = dilated(inverse, columns, rows, radius);
  for (let i = 0; i < grown.length; i++) grown[i] = grown[i] === 0 ? 1 : 0;
  return grown;
}

/** What of the mask is covered by whole squares of set pixels: narrower and smaller parts go. */
export function opened(mask: Uint8Array, columns: number, rows: number, radius: number): Uint8Array {
  return dilated(eroded(mask, columns, rows, radius), columns, rows, radius);
}
