import type { SkiBand } from "./ski-file.ts";

const NAMES_PER_MASK = 8;
const MASK_NAME = /^__MASK__(.+)__$/s;

/**
 * Mask bands, of eight names each: bit k of a pixel is set where it counts for the k-th name.
 *
 * @param masks one for each name, row-major, 0 where the pixel does not count
 */
export function skiMaskBands(
  names: readonly string[],
  masks: readonly Uint8Array[],
  widthPx: number,
  heightPx: number,
): readonly SkiBand[] {
  const bands: SkiBand[] = [];
  for (let first = 0; first < names.length; first += NAMES_PER_MASK) {
    const group = names.slice(first, first + NAMES_PER_MASK);
    const pixels = new Uint8Array(widthPx * heightPx);
    // Bands of one layer share their mask.
    const bitsOf = new Map<Uint8Array, number>();
    for (const bit of group.keys()) {
      const mask = masks[first + bit]!;
      bitsOf.set(mask, (bitsOf.get(mask) ?? 0) | (1 << bit));
    }
    for (const [mask, bits] of bitsOf) {
      for (let i = 0; i < pixels.length; i += 1) if (mask[i] !== 0) pixels[i]! |= bits;
    }
    bands.push({ names: group.map((name) => `__MASK__${name}__`), widthPx, heightPx, pixels });
  }
  return bands;
}

/** The band that a name of a mask band speaks about, or null when it is the name of no mask. */
export function maskedBandName(name: string): string | null {
  return MASK_NAME.exec(name)?.[1] ?? null;
}

/** Whether pixel `index` of the named band counts, by the mask bands of the file; null when none names it. */
export function isMaskedIn(bands: readonly SkiBand[], name: string, index: number): boolean | null {
  for (const band of bands) {
    const bit = band.names.findIndex((candidate) => maskedBandName(candidate) === name);
    if (bit < 0) continue;
    return (Number(band.pixels[index] ?? 0) & (1 << bit)) !== 0;
  }
  return null;
}
