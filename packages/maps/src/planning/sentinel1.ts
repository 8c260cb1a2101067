import type { Scene } from "@swath/kernel/scenes/scene";

/** Equivalent looks of a pixel of IW GRDH, whose product is made of five (product definition of Sentinel-1). */
export const SENTINEL1_LOOKS = 4.4;

/** By the satellite, or where that is not said by the name of the dataset. */
export function isSentinel1({ satellite, dataset }: Pick<Scene, "satellite" | "dataset">): boolean {
  return /(?:sentinel[-_ ]?|\bs)1(?!\d)/i.test(`${satellite} ${dataset}`);
}
