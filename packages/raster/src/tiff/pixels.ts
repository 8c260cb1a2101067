import type { PixelArray } from "../source-raster.ts";
import { BlockReader } from "./block-reader.ts";
import type { PixelWindow } from "./pixel-window.ts";
import type { TiffFile, TiffLevel } from "./tiff-file.ts";

/** Readers of the blocks of one level, which keep the blocks that the next rows need. */
export interface LevelPixels {
  readonly image: BlockReader;
  readonly mask: BlockReader | null;
  readonly dataSamples: readonly number[];
  readonly alphaSample: number | null;
  /** Whether alpha lies in the same blocks as the data. */
  readonly alphaIsInterleaved: boolean;
  /** Value of blocks that the file leaves out. */
  readonly fill: number;
}

/** Pixels of a window; `alpha` where reading them decoded it as well. */
export interface WindowPixels {
  readonly bands: readonly PixelArray[];
  readonly alpha: PixelArray | null;
}

export function levelPixels({ source, roles }: TiffFile, level: Pick<TiffLevel, "layout" | "mask">): LevelPixels {
  return {
    image: new BlockReader(source, level.layout),
    mask: level.mask === null ? null : new BlockReader(source, level.mask),
    dataSamples: roles.dataSamples,
    alphaSample: roles.alphaSample,
    alphaIsInterleaved: roles.alphaSample !== null && !level.layout.planar,
    fill: roles.bands[0]?.nodata ?? 0,
  };
}

/** The chosen samples of a window, with alpha where it costs no decoding. */
export async function readPixels(
  pixels: LevelPixels,
  window: PixelWindow,
  samples: readonly number[],
  signal: AbortSignal,
): Promise<WindowPixels> {
  if (pixels.alphaSample === null || !pixels.alphaIsInterleaved) {
    return { bands: await pixels.image.read(window, samples, pixels.fill, signal), alpha: null };
  }
  const rows = await pixels.image.read(window, [...samples, pixels.alphaSample], pixels.fill, signal);
  const alpha = rows.pop() ?? null;
  return { bands: rows, alpha };
}

/**
 * Validity of a window, 0 or 255, from the mask and from alpha; null when the level has neither.
 *
 * @param known alpha of the same window, read before
 */
export async function readValidity(
  pixels: LevelPixels,
  window: PixelWindow,
  known: PixelArray | null,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  const { image, mask, alphaSample } = pixels;
  if (mask === null && alphaSample === null) return null;
  const [alpha = null] =
    known !== null ? [known] : alphaSample === null ? [] : await image.read(window, [alphaSample], 0, signal);
  const [masked = null] = mask === null ? [] : await mask.read(window, [0], 0, signal);
  const valid = new Uint8Array(window.widthPx * window.heightPx).fill(255);
  for (const values of [alpha, masked]) {
    if (values !== null) for (let i = 0; i < valid.length; i++) if (values[i] === 0) valid[i] = 0;
  }
  return valid;
}
