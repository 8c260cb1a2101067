/** A raster being rescaled; row-major. */
export interface RescaleInput {
  readonly values: ArrayLike<number>;
  /** 0 where a pixel is invalid. */
  readonly valid: Uint8Array;
  readonly widthPx: number;
  readonly heightPx: number;
}

export interface Rescaled {
  readonly values: Float64Array;
  /** 255 where at least half of the weight was valid, else 0, and the value is 0. */
  readonly valid: Uint8Array;
}

/** Which pixels along one axis make an output pixel, and how much each counts; weights of one output add up to 1. */
interface AxisWeights {
  readonly starts: Int32Array;
  readonly counts: Int32Array;
  readonly offsets: Int32Array;
  readonly weights: Float64Array;
}

/** Share of the weight that must be valid, less what rounding takes. */
const MIN_VALID_WEIGHT = 0.5 - 1e-9;

/**
 * The same ground in another number of pixels. Along each axis: the mean over the area of an output pixel when there
 * are fewer, bilinear between pixel centres when there are more. Invalid pixels have no weight.
 */
export function rescaleSmooth(input: RescaleInput, widthPx: number, heightPx: number): Rescaled {
  const { values: source, valid: mask } = input;
  const across = axisWeights(input.widthPx, widthPx);
  const down = axisWeights(input.heightPx, heightPx);
  const sums = new Float64Array(widthPx * input.heightPx);
  const shares = new Float64Array(widthPx * input.heightPx);
  for (let row = 0; row < input.heightPx; row += 1) {
    const base = row * input.widthPx;
    for (let column = 0; column < widthPx; column += 1) {
      const start = base + across.starts[column]!;
      const offset = across.offsets[column]!;
      let sum = 0;
      let share = 0;
      for (let i = 0; i < across.counts[column]!; i += 1) {
        if (mask[start + i] === 0) continue;
        const weight = across.weights[offset + i]!;
        sum += weight * source[start + i]!;
        share += weight;
      }
      sums[row * widthPx + column] = sum;
      shares[row * widthPx + column] = share;
    }
  }
  const values = new Float64Array(widthPx * heightPx);
  const valid = new Uint8Array(widthPx * heightPx);
  for (let row = 0; row < heightPx; row += 1) {
    const start = down.starts[row]!;
    const offset = down.offsets[row]!;
    for (let column = 0; column < widthPx; column += 1) {
      let sum = 0;
      let share = 0;
      for (let i = 0; i < down.counts[row]!; i += 1) {
        const weight = down.weights[offset + i]!;
        sum += weight * sums[(start + i) * widthPx + column]!;
        share += weight * shares[(start + i) * widthPx + column]!;
      }
      if (share < MIN_VALID_WEIGHT) continue;
      values[row * widthPx + column] = sum / share;
      valid[row * widthPx + column] = 255;
    }
  }
  return { values, valid };
}

/** The same ground in another number of pixels, each the one under its centre: for classes and palettes. */
export function rescaleNearest(input: RescaleInput, widthPx: number, heightPx: number): Rescaled {
  const values = new Float64Array(widthPx * heightPx);
  const valid = new Uint8Array(widthPx * heightPx);
  const columns = Int32Array.from({ length: widthPx }, (_, i) => Math.floor(((i + 0.5) * input.widthPx) / widthPx));
  for (let row = 0; row < heightPx; row += 1) {
    const from = Math.floor(((row + 0.5) * input.heightPx) / heightPx) * input.widthPx;
    for (let column = 0; column < widthPx; column += 1) {
      const at = from + columns[column]!;
      if (input.valid[at] === 0) continue;
      values[row * widthPx + column] = input.values[at]!;
      valid[row * widthPx + column] = 255;
    }
  }
  return { values, valid };
}

function axisWeights(from: number, to: number): AxisWeights {
  const starts = new Int32Array(to);
  const counts = new Int32Array(to);
  const offsets = new Int32Array(to);
  const weights: number[] = [];
  const scale = from / to;
  for (let i = 0; i < to; i += 1) {
    offsets[i] = weights.length;
    if (to < from) {
      const begin = i * scale;
      const end = Math.min(from, (i + 1) * scale);
      const first = Math.floor(begin);
      starts[i] = first;
      for (let pixel = first; pixel < end; pixel += 1) {
        weights.push((Math.min(end, pixel + 1) - Math.max(begin, pixel)) / (end - begin));
      }
    } else {
      const centre = Math.min(Math.max((i + 0.5) * scale - 0.5, 0), from - 1);
      const first = Math.min(Math.floor(centre), Math.max(0, from - 2));
      starts[i] = first;
      weights.push(1 - (centre - first));
      if (from > 1) weights.push(centre - first);
    }
    counts[i] = weights.length - offsets[i]!;
  }
  return { starts, counts, offsets, weights: Float64Array.from(weights) };
}
