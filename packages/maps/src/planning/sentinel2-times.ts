/**
 * Delays of B03 and B04 after B02 on one detector of Sentinel-2, seconds. The order alternates between detectors.
 * Source: Heiselberg, Aircraft and Ship Velocity Determination in Sentinel-2 Multispectral Images, 2019.
 */
export const SENTINEL2_SECONDS = [0.527, 1.005] as const;

export function isSentinel2({ satellite }: { readonly satellite: string }): boolean {
  return /sentinel[-_ ]?2|^s2/i.test(satellite);
}
