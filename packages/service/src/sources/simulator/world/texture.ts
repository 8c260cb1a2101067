import { hashUnit } from "../noise.ts";

/**
 * Adds noise of one wavelength to a row of pixels: from place (x, y) on, a step of (dx, dy) metres per pixel. The
 * corners of a cell are hashed once for all pixels in it.
 */
export function addNoiseRow(
  out: Float32Array,
  x: number,
  y: number,
  dx: number,
  dy: number,
  wavelengthM: number,
  strength: number,
  seed: number,
): void {
  const scale = 1 / wavelengthM;
  let u = x * scale;
  let v = y * scale;
  const du = dx * scale;
  const dv = dy * scale;
  let ix = NaN;
  let iy = NaN;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let i = 0; i < out.length; i += 1) {
    const nx = Math.floor(u);
    const ny = Math.floor(v);
    if (nx !== ix || ny !== iy) {
      ix = nx;
      iy = ny;
      a = hashUnit(ix, iy, seed) - 0.5;
      b = hashUnit(ix + 1, iy, seed) - 0.5;
      c = hashUnit(ix, iy + 1, seed) - 0.5;
      d = hashUnit(ix + 1, iy + 1, seed) - 0.5;
    }
    const fx = u - ix;
    const fy = v - iy;
    const sx = fx * fx * (3 - 2 * fx);
    const sy = fy * fy * (3 - 2 * fy);
    const top = a + (b - a) * sx;
    out[i]! += 2 * strength * (top + (c + (d - c) * sx - top) * sy);
    u += du;
    v += dv;
  }
}

/** Wavelengths of ground texture: each resolution shows those that it resolves. */
const WAVELENGTHS_M = [1.7, 6.3, 23, 87, 330, 1250] as const;

/** The two shortest wavelengths that a pixel resolves. */
export function textureWavelengths(pixelM: number): readonly number[] {
  return WAVELENGTHS_M.filter((wavelength) => wavelength >= 2.4 * pixelM).slice(0, 2);
}
