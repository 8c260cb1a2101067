import { fQuantile } from "@swath/kernel/distributions/distributions";

/**
 * Multiple of the mean of `cells` cells that a further cell of the same gamma-distributed clutter exceeds with
 * probability `pfa`: the ratio is F-distributed with 2L and 2LN degrees of freedom, so that the rate is exact.
 *
 * @param looks equivalent number of looks L, above 0
 * @param cells independent cells N of the ring
 */
export function cellAveragingMultiple(pfa: number, looks: number, cells: number): number {
  return fQuantile(pfa, 2 * looks, 2 * looks * cells);
}
