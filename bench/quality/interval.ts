import { normalQuantile } from "@swath/kernel/distributions/distributions";
import { quantile, seededRandom } from "../statistics.ts";

export type Interval = readonly [low: number, high: number];

const Z95 = normalQuantile(0.025);
const RESAMPLES = 2000;

/** Wilson's 95 % interval of a share; `[0, 1]` of nothing. */
export function shareInterval(successes: number, total: number): Interval {
  if (total === 0) return [0, 1];
  const share = successes / total;
  const z2 = Z95 * Z95;
  const middle = share + z2 / (2 * total);
  const reach = Z95 * Math.sqrt((share * (1 - share)) / total + z2 / (4 * total * total));
  const scale = 1 + z2 / total;
  return [Math.max(0, (middle - reach) / scale), Math.min(1, (middle + reach) / scale)];
}

/**
 * Bootstrap of whole units, scenes or blocks of pixels, because pixels beside each other are not independent. Null for
 * fewer than three units.
 *
 * @param statistic NaN where a resample cannot tell; such are left out
 */
export function unitInterval<Unit>(
  units: readonly Unit[],
  statistic: (resample: readonly Unit[]) => number,
): Interval | null {
  if (units.length < 3) return null;
  const random = seededRandom(20_240_601);
  const values: number[] = [];
  for (let i = 0; i < RESAMPLES; i += 1) {
    const value = statistic(units.map(() => units[Math.floor(random() * units.length)]!));
    if (Number.isFinite(value)) values.push(value);
  }
  return values.length === 0 ? null : [quantile(values, 0.025), quantile(values, 0.975)];
}
