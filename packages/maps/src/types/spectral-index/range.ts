import type { SpectralIndex } from "@swath/kernel/bands/spectral-index";

/** Ranges of indices that are not normalised differences, over reflectance 0 to 1 of natural surfaces. */
const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  aweinsh: [-2, 2],
  aweish: [-2, 2],
  dprvivv: [0, 2],
  vddpi: [1, 2],
};

/** Values at the ends of the colour ramp: those of a normalised difference unless the index is known to differ. */
export function indexRange(index: SpectralIndex): readonly [low: number, high: number] {
  return RANGES[index.id] ?? [-1, 1];
}
