import { chiSquareQuantile } from "@swath/kernel/distributions/distributions";
import type { PixelPairs } from "./irmad.ts";
import { otsuThreshold } from "./otsu.ts";

/** How far the standardised values of a pixel moved, and from where on that is a change. Plain data. */
export interface ChangeVectorModel {
  readonly firstMean: Float64Array;
  readonly firstStd: Float64Array;
  readonly secondMean: Float64Array;
  readonly secondStd: Float64Array;
  /** Distance from which a pixel has changed, in standard deviations. */
  readonly threshold: number;
  /** Distance that one pixel in a hundred exceeds. */
  readonly p99: number;
}

const MIN_PIXELS = 100;
/**
 * Where nothing changed, Otsu parts noise from noise. No pixel changed whose distance would be reached by more than this
 * share of unchanged ones, if the median of all distances is that of unchanged ones.
 */
const NOISE_TAIL = 1e-3;

/**
 * Change vector analysis: bands of each date are standardised over what both dates show, the length of the difference is
 * parted by Otsu's threshold.
 *
 * @returns null when there are too few pixels or a band has no contrast
 */
export function estimateChangeVectors({ first, second, count }: PixelPairs): ChangeVectorModel | null {
  if (first.length === 0 || count < MIN_PIXELS) return null;
  const [firstMean, firstStd] = moments(first);
  const [secondMean, secondStd] = moments(second);
  if ([...firstStd, ...secondStd].some((std) => !(std > 0))) return null;
  const distances = new Float64Array(count);
  const standard = { firstMean, firstStd, secondMean, secondStd };
  for (let i = 0; i < count; i++) {
    let sum = 0;
    for (let band = 0; band < first.length; band++)
      sum += difference(standard, band, first[band]![i]!, second[band]![i]!) ** 2;
    distances[i] = Math.sqrt(sum);
  }
  const sorted = distances.toSorted();
  const median = sorted[Math.floor(count / 2)]!;
  const noise = median * Math.sqrt(chiSquareQuantile(NOISE_TAIL, first.length) / chiSquareQuantile(0.5, first.length));
  return {
    ...standard,
    threshold: Math.max(partingDistance(distances, median), noise),
    p99: sorted[Math.min(count - 1, Math.floor(count * 0.99))]!,
  };
}

/**
 * Otsu's threshold of the logarithms: of the distances themselves, it follows the few largest (0.62 of simulated changes were
 * found, 0.94 this way, both without a false alarm).
 */
function partingDistance(distances: Float64Array, median: number): number {
  if (!(median > 0)) return otsuThreshold(distances);
  return median * Math.expm1(otsuThreshold(distances.map((distance) => Math.log1p(distance / median))));
}

/** Standardised value of a band at the second date less that at the first. */
export function difference(
  model: Pick<ChangeVectorModel, "firstMean" | "firstStd" | "secondMean" | "secondStd">,
  band: number,
  x: number,
  y: number,
): number {
  return (y - model.secondMean[band]!) / model.secondStd[band]! - (x - model.firstMean[band]!) / model.firstStd[band]!;
}

function moments(variables: readonly Float64Array[]): readonly [mean: Float64Array, std: Float64Array] {
  const mean = Float64Array.from(variables, (values) => values.reduce((sum, value) => sum + value, 0) / values.length);
  const std = Float64Array.from(variables, (values, band) =>
    Math.sqrt(values.reduce((sum, value) => sum + (value - mean[band]!) ** 2, 0) / values.length),
  );
  return [mean, std];
}
