import type { PixelArray } from "../source-raster.ts";

/** Noise on waves, the same for the same seed: neither constant nor incompressible. */
export function landscape<T extends PixelArray>(pixels: T, widthPx: number, seed: number, scale: number): T {
  let state = seed + 1;
  for (let i = 0; i < pixels.length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const wave = 0.4 + 0.25 * Math.sin((i % widthPx) / (17 + seed)) * Math.cos(i / widthPx / 23);
    pixels[i] = Math.round(scale * (wave + (state >>> 16) / 2 ** 20));
  }
  return pixels;
}
