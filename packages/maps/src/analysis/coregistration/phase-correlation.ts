import { Fourier } from "./fft.ts";

/** Where the second of two images lies against the first. */
export interface MeasuredShift {
  /** What the first shows at (column, row), the second shows at (column + dx, row + dy). */
  readonly dx: number;
  readonly dy: number;
  /** Height of the peak over the surface, in its standard deviations; noise reaches 5. */
  readonly significance: number;
}

/** Spectra are damped so that the peak is a bell of this standard deviation, pixels: its top can be found to a fraction. */
const PEAK_SIGMA_PX = 1;
/** Noise of the highest frequencies says nothing: components below this share of the strongest are left out. */
const MIN_POWER = 1e-12;

/**
 * Phase correlation of the gradients of two images (Kuglin and Hines 1975), to a fraction of a pixel. Lengths of gradients
 * are compared, so that a field that turned from dark to bright still fits.
 *
 * @param first @param second planes of both dates, row-major, NaN where invalid
 * @param maxShiftPx largest shift that is looked for
 * @returns null when the images are too small or empty
 */
export function phaseCorrelation(
  first: readonly Float32Array[],
  second: readonly Float32Array[],
  columns: number,
  rows: number,
  maxShiftPx: number,
): MeasuredShift | null {
  const size = 2 ** Math.floor(Math.log2(Math.min(columns, rows)));
  if (size < 4 * maxShiftPx) return null;
  const a = gradients(first, columns, rows, size);
  const b = gradients(second, columns, rows, size);
  if (a === null || b === null) return null;
  const surface = correlationSurface(a, b, size);
  return highestNear(surface, size, maxShiftPx);
}

/** Lengths of the gradients of the planes, each plane weighing the same, under a window that falls to 0 at the edges. */
function gradients(planes: readonly Float32Array[], columns: number, rows: number, size: number): Float64Array | null {
  const left = (columns - size) >> 1;
  const top = (rows - size) >> 1;
  const sum = new Float64Array(size * size);
  let any = false;
  for (const plane of planes) {
    const lengths = new Float64Array(size * size);
    let total = 0;
    let valid = 0;
    for (let y = 0; y < size; y++) {
      for (let x = 0; x < size; x++) {
        const column = Math.min(Math.max(left + x, 1), columns - 2);
        const at = Math.min(Math.max(top + y, 1), rows - 2) * columns + column;
        const length = Math.hypot(plane[at + 1]! - plane[at - 1]!, plane[at + columns]! - plane[at - columns]!);
        lengths[y * size + x] = length;
        if (Number.isNaN(length)) continue;
        total += length;
        valid++;
      }
    }
    if (valid < (size * size) / 2 || !(total > 0)) continue;
    any = true;
    const mean = total / valid;
    for (let i = 0; i < sum.length; i++) {
      // A few edges of great contrast would decide alone.
      if (!Number.isNaN(lengths[i]!)) sum[i]! += Math.min(lengths[i]! / mean, MAX_GRADIENT) - 1;
    }
  }
  if (!any) return null;
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) sum[y * size + x]! *= hann(x, size) * hann(y, size);
  }
  return sum;
}

const MAX_GRADIENT = 4;

function hann(at: number, size: number): number {
  return 0.5 - 0.5 * Math.cos((2 * Math.PI * (at + 0.5)) / size);
}

function correlationSurface(a: Float64Array, b: Float64Array, size: number): Float64Array {
  const fourier = new Fourier(size);
  const aIm = new Float64Array(a.length);
  const bIm = new Float64Array(b.length);
  fourier.transform2d(a, aIm);
  fourier.transform2d(b, bIm);
  const re = new Float64Array(a.length);
  const im = new Float64Array(a.length);
  let strongest = 0;
  for (let i = 0; i < a.length; i++) {
    re[i] = a[i]! * b[i]! + aIm[i]! * bIm[i]!;
    im[i] = a[i]! * bIm[i]! - aIm[i]! * b[i]!;
    strongest = Math.max(strongest, Math.hypot(re[i]!, im[i]!));
  }
  const damping = -2 * (Math.PI * PEAK_SIGMA_PX) ** 2;
  for (let v = 0; v < size; v++) {
    const fv = (v < size / 2 ? v : v - size) / size;
    for (let u = 0; u < size; u++) {
      const fu = (u < size / 2 ? u : u - size) / size;
      const i = v * size + u;
      const length = Math.hypot(re[i]!, im[i]!);
      const gain = length > MIN_POWER * strongest ? Math.exp(damping * (fu * fu + fv * fv)) / length : 0;
      re[i]! *= gain;
      im[i]! *= gain;
    }
  }
  fourier.transform2d(re, im, true);
  return re;
}

function highestNear(surface: Float64Array, size: number, maxShiftPx: number): MeasuredShift | null {
  const at = (x: number, y: number): number => surface[((y + size) % size) * size + ((x + size) % size)]!;
  let [bestX, bestY, best] = [0, 0, -Infinity];
  let sum = 0;
  let squares = 0;
  for (const value of surface) {
    sum += value;
    squares += value * value;
  }
  for (let y = -maxShiftPx; y <= maxShiftPx; y++) {
    for (let x = -maxShiftPx; x <= maxShiftPx; x++) {
      if (at(x, y) > best) [bestX, bestY, best] = [x, y, at(x, y)];
    }
  }
  const mean = sum / surface.length;
  const std = Math.sqrt(squares / surface.length - mean * mean);
  if (!(std > 0)) return null;
  return {
    dx: bestX + bellTop(at(bestX - 1, bestY), best, at(bestX + 1, bestY)),
    dy: bestY + bellTop(at(bestX, bestY - 1), best, at(bestX, bestY + 1)),
    significance: (best - mean) / std,
  };
}

/** Where a bell through three neighbouring heights has its top, -0.5 to 0.5 from the middle one. */
function bellTop(before: number, middle: number, after: number): number {
  if (!(before > 0 && after > 0)) return 0;
  const [a, b, c] = [Math.log(before), Math.log(middle), Math.log(after)];
  const bend = a - 2 * b + c;
  return bend < 0 ? Math.min(Math.max((a - c) / (2 * bend), -0.5), 0.5) : 0;
}
