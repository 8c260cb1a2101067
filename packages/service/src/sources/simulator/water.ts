import type { Landscape } from "./landscape.ts";
import type { Paint } from "./materials.ts";
import { coastAxes } from "./landscape.ts";
import { distanceToCurve, sample } from "./lattice.ts";
import { blend, fill, MATERIALS } from "./materials.ts";
import { noise, smoothStep } from "./noise.ts";

/** Paints sea and river: shallow and turbid near the shore, a plume at the mouth, swell in deep water. */
export function createWaterPainter(landscape: Landscape): (x: number, y: number, paint: Paint) => void {
  const { seed, resolutionM } = landscape.options;
  const shelfM = 0.16 * landscape.sizeM;
  // The swell runs ashore; waves shorter than two pixels would alias.
  const waveM = Math.max(38, 3 * resolutionM);
  return (x, y, paint) => {
    const shore = sample(landscape.lattice, landscape.shore, x, y);
    const { inland, along } = coastAxes(landscape, x, y);
    const murk = noise(x / 260, y / 260, seed + 50);
    const ripple = noise(x / 11, y / 11, seed + 51);
    if (shore > 0) {
      fill(paint, MATERIALS.riverWater, 1 + 0.06 * murk + 0.05 * ripple);
      return;
    }
    const depth = Math.max(0, -shore + 60 * murk);
    const deep = 1 - Math.exp(-depth / shelfM);
    fill(paint, MATERIALS.shallowWater, 1 + 0.04 * ripple);
    blend(paint, MATERIALS.deepWater, 1 + 0.05 * murk, deep);
    const offMouth = Math.abs(distanceToCurve(landscape.river, inland, along));
    const plume = Math.exp(-depth / (0.1 * landscape.sizeM) - offMouth / (0.055 * landscape.sizeM + 0.5 * depth));
    blend(paint, MATERIALS.riverWater, 1.1, 0.75 * plume);
    const bend = 90 * noise(x / 500, y / 500, seed + 52);
    const wave = Math.sin(((inland + bend + 14 * ripple) * 2 * Math.PI) / waveM);
    const gust = 0.5 + 0.5 * noise(x / 340, y / 340, seed + 53);
    const light = 1 + 0.06 * gust * wave + 0.07 * ripple * gust;
    for (let band = 0; band < 4; band += 1) paint[band] = paint[band]! * light;
    // Surf along open beaches, in broken lines.
    const surf =
      (1 - smoothStep(6, 34, -shore + 10 * ripple)) * smoothStep(0.15, 0.7, noise(x / 60, y / 60, seed + 54) + 0.25);
    if (surf > 0) blend(paint, MATERIALS.foam, 1, 0.5 * surf);
  };
}
