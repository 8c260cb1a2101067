/** Uniform numbers in [0, 1) of 32 bits, the same for the same seed (sfc32, Doty-Humphrey 2010). */
export function seededUniform(seed: number): () => number {
  let [a, b, c, counter] = [0x9e37_79b9 ^ seed, 0x243f_6a88, 0xb7e1_5162, seed | 1];
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 4_294_967_296;
  };
  for (let i = 0; i < 20; i++) next();
  return next;
}

/** Standard normal numbers by the polar method. */
export function seededNormal(uniform: () => number): () => number {
  let spare = Number.NaN;
  return () => {
    if (spare === spare) {
      const value = spare;
      spare = Number.NaN;
      return value;
    }
    for (;;) {
      const x = 2 * uniform() - 1;
      const y = 2 * uniform() - 1;
      const s = x * x + y * y;
      if (s >= 1 || s === 0) continue;
      const factor = Math.sqrt((-2 * Math.log(s)) / s);
      spare = y * factor;
      return x * factor;
    }
  };
}

/** Gamma-distributed numbers of mean 1 (Marsaglia and Tsang 2000). @param shape above 0 */
export function seededGamma(shape: number, uniform: () => number): () => number {
  const boosted = shape < 1 ? shape + 1 : shape;
  const d = boosted - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  const normal = seededNormal(uniform);
  return () => {
    for (;;) {
      const x = normal();
      const cube = (1 + c * x) ** 3;
      if (cube <= 0) continue;
      const u = uniform();
      const square = x * x;
      if (u >= 1 - 0.0331 * square * square && Math.log(u) >= 0.5 * square + d * (1 - cube + Math.log(cube))) continue;
      const value = d * cube;
      return (shape < 1 ? value * (1 - uniform()) ** (1 / shape) : value) / shape;
    }
  };
}

/** Fills an array with independent clutter of mean `mean`: speckle on gamma texture. @param nu Infinity for no texture */
export function fillClutter(
  values: Float32Array,
  looks: number,
  nu: number,
  mean: number,
  uniform: () => number,
): void {
  const speckle = seededGamma(looks, uniform);
  if (nu === Infinity) {
    for (let i = 0; i < values.length; i++) values[i] = mean * speckle();
    return;
  }
  const texture = seededGamma(nu, uniform);
  for (let i = 0; i < values.length; i++) values[i] = mean * speckle() * texture();
}
