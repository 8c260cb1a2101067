/**
 * From here on doubles lie 1.5e-8 or more apart: they have no seven decimals to keep, and rounding them by way of
 * an integer would move them. Heights and measures may be that large, degrees are not.
 */
const COARSE = 1e8;

/** A number with seven decimals, in degrees about a centimetre; never -0. Idempotent. */
export function roundDegrees(value: number): number {
  return Math.abs(value) < COARSE ? Math.round(value * 1e7) / 1e7 + 0 : value;
}
