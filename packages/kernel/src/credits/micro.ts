/** Money is an integer number of micro-credits: 1 credit is 1 000 000 micro-credits. */
export type MicroCredits = bigint;

const MICRO_PER_CREDIT = 1_000_000;
/** Areas are billed in whole square metres, so that sums are exact. */
export const SQUARE_METRES_PER_KM2 = 1_000_000;

/**
 * Micro-credits of a number of credits, rounded half away from zero.
 *
 * @throws {RangeError} if the number is not finite or too large to be exact
 * @example creditsToMicro(84.7) // 84700000n
 */
export function creditsToMicro(credits: number): MicroCredits {
  const micro = Math.sign(credits) * Math.round(Math.abs(credits) * MICRO_PER_CREDIT);
  if (!Number.isSafeInteger(micro)) throw new RangeError(`credits must be finite and below 9e9, got ${credits}`);
  return BigInt(micro);
}

/** Credits of a number of micro-credits, as answers carry them. */
export function microToCredits(micro: MicroCredits): number {
  return Number(micro) / MICRO_PER_CREDIT;
}

/**
 * An exact decimal of millionths, with two to six decimals: of micro-credits in credits, of square metres in km2.
 *
 * @example formatMillionths(84_700_000n) // "84.70"
 */
export function formatMillionths(millionths: bigint): string {
  const digits = String(millionths < 0n ? -millionths : millionths).padStart(7, "0");
  const decimals = digits.slice(-6).replace(/0{1,4}$/, "");
  return `${millionths < 0n ? "-" : ""}${digits.slice(0, -6)}.${decimals}`;
}

/**
 * Whole square metres of an area; this is the only place where a billed area is rounded.
 *
 * @throws {RangeError} if the area is negative or not finite
 * @example km2ToSquareMetres(1.2345678) // 1234568
 */
export function km2ToSquareMetres(areaKm2: number): number {
  if (!(areaKm2 >= 0) || !Number.isFinite(areaKm2)) throw new RangeError(`area must be 0 or more, got ${areaKm2} km2`);
  return Math.round(areaKm2 * SQUARE_METRES_PER_KM2);
}

export function squareMetresToKm2(areaM2: number): number {
  return areaM2 / SQUARE_METRES_PER_KM2;
}
