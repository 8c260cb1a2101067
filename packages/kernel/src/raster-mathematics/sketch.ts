/** Any typed array of pixels. */
export type Pixels =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

/**
 * Order statistics of a stream of numbers in bounded memory.
 *
 * Keeps every `stride`-th value in `capacity` places; when they are full every second one is dropped and the stride
 * doubles. The kept values are between `capacity / 2` and `capacity` evenly spread ones, so the rank error of a
 * percentile `p` has the standard deviation `sqrt(p * (1 - p) / kept)`: below 0.05 % at the median and 0.007 % at
 * 0.5 % for a capacity of 2^21. Streams of up to `capacity` values are kept whole and give exact answers.
 */
export interface ValueSample {
  readonly capacity: number;
  values: Float64Array;
  kept: number;
  stride: number;
  /** Values to skip before the next one is kept. */
  skip: number;
}

/** Most values a sample keeps unless told otherwise: one to two million stay after a long stream. */
export const SAMPLE_CAPACITY = 2 ** 21;

const FIRST_CAPACITY = 4096;

/** An empty sample. @throws {RangeError} when `capacity` is not an even number of at least 2 */
export function createSample(capacity: number = SAMPLE_CAPACITY): ValueSample {
  if (!Number.isInteger(capacity) || capacity < 2 || capacity % 2 !== 0) {
    throw new RangeError(`capacity is ${capacity}, expected an even whole number of at least 2`);
  }
  return { capacity, values: new Float64Array(Math.min(capacity, FIRST_CAPACITY)), kept: 0, stride: 1, skip: 0 };
}

/** Adds one value. */
export function addToSample(sample: ValueSample, value: number): void {
  if (sample.skip > 0) {
    sample.skip--;
    return;
  }
  if (sample.kept === sample.values.length) makeRoom(sample);
  sample.values[sample.kept++] = value;
  sample.skip = sample.stride - 1;
}

function makeRoom(sample: ValueSample): void {
  if (sample.values.length < sample.capacity) {
    const larger = new Float64Array(Math.min(sample.values.length * 2, sample.capacity));
    larger.set(sample.values);
    sample.values = larger;
    return;
  }
  const half = sample.capacity / 2;
  for (let i = 0; i < half; i++) sample.values[i] = sample.values[2 * i]!;
  sample.kept = half;
  sample.stride *= 2;
}

/**
 * Values at the given fractions of the sorted sample (nearest rank: the smallest value with at least that share of
 * values at or below it). Sorts the sample in place.
 *
 * @param fractions each 0 to 1
 * @returns zeros when the sample is empty
 */
export function samplePercentiles(sample: ValueSample, fractions: readonly number[]): readonly number[] {
  const sorted = sample.values.subarray(0, sample.kept).toSorted();
  return fractions.map((fraction) => sorted[nearestRank(fraction, sorted.length)] ?? 0);
}

/** Zero-based index of the nearest-rank percentile among `count` sorted values. */
export function nearestRank(fraction: number, count: number): number {
  return Math.min(Math.max(Math.ceil(fraction * count) - 1, 0), Math.max(count - 1, 0));
}
