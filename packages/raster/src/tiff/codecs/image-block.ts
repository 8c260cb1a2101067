// Few files hold such blocks: sharp is loaded with the first of them.
import type { Sharp } from "sharp";
import { loadSharp } from "../../load-sharp.ts";

export interface ImageBlock {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly samples: number;
}

/**
 * Pixels of one WebP block, samples interleaved; null when it does not have the size the directory says.
 *
 * @param rows rows of the block inside the image: the last strip may end there
 */
export async function decodeWebp(input: Uint8Array, block: ImageBlock, rows: number): Promise<Uint8Array | null> {
  const image = loadSharp()(input, {
    failOn: "error",
    limitInputPixels: block.widthPx * block.heightPx,
    unlimited: false,
  });
  const alpha = block.samples === 4 ? image.ensureAlpha() : image.removeAlpha();
  const { data, info } = await alpha.raw().toBuffer({ resolveWithObject: true });
  return info.width === block.widthPx && info.height >= rows && info.channels === block.samples ? data : null;
}

/**
 * One JPEG block. The tables of the directory are merged in, and an Adobe marker states the colour transform:
 * without it the decoder would guess it from component ids, which TIFF writers do not set.
 *
 * @param rows rows of the block inside the image: the last strip may end there
 * @param tables value of the JPEGTables tag
 * @param ycbcr whether the photometric interpretation is YCbCr, so that RGB is to be made of it
 */
export async function decodeJpeg(
  input: Uint8Array,
  tables: Uint8Array | null,
  ycbcr: boolean,
  block: ImageBlock,
  rows: number,
): Promise<Uint8Array | null> {
  const size = jpegSize(input);
  if (size === null || size.widthPx !== block.widthPx || size.heightPx < rows || size.heightPx > block.heightPx) {
    return null;
  }
  if (size.samples !== block.samples || size.precision !== 8) return null;
  const jpeg = mergeJpeg(input, tables, block.samples === 3 && ycbcr);
  const image = loadSharp()(jpeg, { failOn: "error", limitInputPixels: size.widthPx * size.heightPx });
  const { data, info } = await withoutConversion(image, block.samples).raw().toBuffer({ resolveWithObject: true });
  if (info.width !== size.widthPx || info.height !== size.heightPx || info.channels !== size.samples) return null;
  if (block.samples === 4) invert(data);
  return data;
}

/** Samples as the file holds them: sharp would turn four components, which it takes for CMYK, into three. */
function withoutConversion(image: Sharp, samples: number): Sharp {
  if (samples === 4) return image.pipelineColourspace("cmyk").toColourspace("cmyk");
  if (samples === 1) return image.toColourspace("b-w");
  return samples === 3 ? image.toColourspace("srgb") : image;
}

/** sharp reads CMYK in the sense of Adobe, where 255 is no ink. */
function invert(data: Uint8Array): void {
  for (let i = 0; i < data.length; i++) data[i] = 255 - data[i]!;
}

interface JpegSize extends ImageBlock {
  readonly precision: number;
}

/** Size in the frame header, or null without one. */
function jpegSize(jpeg: Uint8Array): JpegSize | null {
  let position = 2;
  while (position + 9 < jpeg.length) {
    if (jpeg[position] !== 0xff) return null;
    const marker = jpeg[position + 1]!;
    if (marker === 0xff) {
      position++;
      continue;
    }
    const length = (jpeg[position + 2]! << 8) | jpeg[position + 3]!;
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      return {
        precision: jpeg[position + 4]!,
        heightPx: (jpeg[position + 5]! << 8) | jpeg[position + 6]!,
        widthPx: (jpeg[position + 7]! << 8) | jpeg[position + 8]!,
        samples: jpeg[position + 9]!,
      };
    }
    if (marker === 0xda || marker === 0xd9) return null;
    position += 2 + length;
  }
  return null;
}

function mergeJpeg(block: Uint8Array, tables: Uint8Array | null, ycbcr: boolean): Uint8Array {
  const adobe = [0xff, 0xee, 0, 14, 0x41, 0x64, 0x6f, 0x62, 0x65, 0, 100, 0, 0, 0, 0, ycbcr ? 1 : 0];
  const inner = tables === null || tables.length < 4 ? new Uint8Array() : tables.subarray(2, tables.length - 2);
  const merged = new Uint8Array(2 + adobe.length + inner.length + block.length - 2);
  merged.set([0xff, 0xd8]);
  merged.set(adobe, 2);
  merged.set(inner, 2 + adobe.length);
  merged.set(block.subarray(2), 2 + adobe.length + inner.length);
  return merged;
}
