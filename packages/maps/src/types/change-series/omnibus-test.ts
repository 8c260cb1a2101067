import { chiSquareTail } from "@swath/kernel/distributions/distributions";

/**
 * Test that multilooked powers of k dates are equal, channels being independent (the diagonal case of the complex Wishart
 * distribution).
 *
 * @see Conradsen, Nielsen and Skriver 2016, "Determining the points of change in time series of polarimetric SAR data"
 */
export interface OmnibusTest {
  readonly dates: number;
  readonly channels: number;
  /** Equivalent looks of a power. */
  readonly looks: number;
  readonly rho: number;
  readonly omega2: number;
}

/**
 * The constants of the test of equality of `dates` powers in each of `channels` independent channels (Conradsen, Nielsen
 * and Skriver 2016, diagonal case).
 *
 * @param looks equivalent number of looks of each power
 */
export function omnibusTest(dates: number, channels: number, looks: number): OmnibusTest {
  const [k, n] = [dates, looks];
  const rho = 1 - (k / n - 1 / (n * k)) / (6 * (k - 1));
  const f = (k - 1) * channels;
  return { dates, channels, looks, rho, omega2: -(f / 4) * (1 - 1 / rho) ** 2 };
}

/** P(no change) of the whole series. @param z `-2 rho lnQ` */
export function omnibusTail({ dates, channels, omega2 }: OmnibusTest, z: number): number {
  const f = (dates - 1) * channels;
  const tail = (1 - omega2) * chiSquareTail(z, f) + omega2 * chiSquareTail(z, f + 4);
  return Math.min(1, Math.max(0, tail));
}

/** `-2 rho lnQ` from the sums over dates, each over all channels. @param logs of ln X @param logOfSums of ln sum X */
export function omnibusStatistic(
  { dates: k, channels, looks, rho }: OmnibusTest,
  logs: number,
  logOfSums: number,
): number {
  return -2 * rho * looks * (channels * k * Math.log(k) + logs - k * logOfSums);
}

/** Factor of date j given that the first j - 1 are equal: `1 - (1 + 1/(j(j-1))) / (6n)`. */
export function factorRho(j: number, looks: number): number {
  return 1 - (1 + 1 / (j * (j - 1))) / (6 * looks);
}

/**
 * `-2 rho_j lnR_j`, chi-square with as many degrees of freedom as channels.
 *
 * @param logOfSumBefore @param logOf @param logOfSum sums over channels of ln of the sum of the first j - 1, of date j, of
 * the first j
 */
export function factorStatistic(
  j: number,
  channels: number,
  looks: number,
  logOfSumBefore: number,
  logOf: number,
  logOfSum: number,
): number {
  const constant = channels * (j * Math.log(j) - (j > 1 ? (j - 1) * Math.log(j - 1) : 0));
  return -2 * factorRho(j, looks) * looks * (constant + (j - 1) * logOfSumBefore + logOf - j * logOfSum);
}

/** The statistic that the test exceeds with a probability. */
export function omnibusQuantile(test: OmnibusTest, tail: number): number {
  let [low, high] = [0, 1];
  while (omnibusTail(test, high) > tail && high < 1e6) high *= 2;
  for (let i = 0; i < 80; i++) {
    const middle = (low + high) / 2;
    if (omnibusTail(test, middle) > tail) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
