/**
 * Discrete Fourier transform in place, without scaling; forward has the negative exponent.
 *
 * @param real @param imaginary of the same length, a power of two
 * @see Cooley and Tukey 1965, radix 2
 */
export class Fourier {
  readonly size: number;
  readonly #cosines: Float64Array;
  readonly #sines: Float64Array;
  readonly #reversed: Uint32Array;

  constructor(size: number) {
    if (size < 2 || (size & (size - 1)) !== 0) throw new RangeError(`got length ${size}, expected a power of two`);
    this.size = size;
    this.#cosines = Float64Array.from({ length: size / 2 }, (_, i) => Math.cos((2 * Math.PI * i) / size));
    this.#sines = Float64Array.from({ length: size / 2 }, (_, i) => Math.sin((2 * Math.PI * i) / size));
    const bits = Math.log2(size);
    this.#reversed = Uint32Array.from({ length: size }, (_, i) => {
      let reversed = 0;
      for (let bit = 0; bit < bits; bit++) if ((i & (1 << bit)) !== 0) reversed |= 1 << (bits - 1 - bit);
      return reversed;
    });
  }

  transform(real: Float64Array, imaginary: Float64Array, inverse = false): void {
    const { size } = this;
    for (let i = 0; i < size; i++) {
      const j = this.#reversed[i]!;
      if (j <= i) continue;
      [real[i], real[j]] = [real[j]!, real[i]!];
      [imaginary[i], imaginary[j]] = [imaginary[j]!, imaginary[i]!];
    }
    for (let half = 1; half < size; half *= 2) {
      const stride = size / (2 * half);
      for (let start = 0; start < size; start += 2 * half) {
        for (let k = 0; k < half; k++) {
          const cos = this.#cosines[k * stride]!;
          const sin = inverse ? this.#sines[k * stride]! : -this.#sines[k * stride]!;
          const a = start + k;
          const b = a + half;
          const re = real[b]! * cos - imaginary[b]! * sin;
          const im = real[b]! * sin + imaginary[b]! * cos;
          real[b] = real[a]! - re;
          imaginary[b] = imaginary[a]! - im;
          real[a]! += re;
          imaginary[a]! += im;
        }
      }
    }
  }

  /** Of a square image, rows then columns. */
  transform2d(real: Float64Array, imaginary: Float64Array, inverse = false): void {
    const { size } = this;
    for (let row = 0; row < size; row++) {
      this.transform(
        real.subarray(row * size, (row + 1) * size),
        imaginary.subarray(row * size, (row + 1) * size),
        inverse,
      );
    }
    const re = new Float64Array(size);
    const im = new Float64Array(size);
    for (let column = 0; column < size; column++) {
      for (let row = 0; row < size; row++) {
        re[row] = real[row * size + column]!;
        im[row] = imaginary[row * size + column]!;
      }
      this.transform(re, im, inverse);
      for (let row = 0; row < size; row++) {
        real[row * size + column] = re[row]!;
        imaginary[row * size + column] = im[row]!;
      }
    }
  }
}
