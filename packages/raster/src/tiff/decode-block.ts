import type { PixelArray } from "../source-raster.ts";
import { decodeDeflate, decodeZstd } from "./codecs/inflate.ts";
import { decodeJpeg, decodeWebp } from "./codecs/image-block.ts";
import { decodeLerc } from "./codecs/lerc-block.ts";
import { decodeLzw } from "./codecs/lzw.ts";
import { decodePackBits } from "./codecs/packbits.ts";
import { PHOTOMETRIC, type TiffLayout } from "./layout.ts";
import { undoFloatingPoint, undoHorizontal } from "./predictor.ts";
import { aligned, rowByteLength, swapBytes, viewSamples } from "./samples.ts";

/**
 * Sample values of one block, rows of `blockWidthPx` pixels, interleaved unless the layout is planar.
 *
 * @param rows how many rows of the block lie inside the image: strips at the bottom may end there
 * @throws {BlockError} or an error of the codec when the bytes are damaged
 */
export async function decodeBlock(encoded: Uint8Array, layout: TiffLayout, rows: number): Promise<PixelArray> {
  const stride = layout.planar ? 1 : layout.samples;
  const rowSamples = layout.blockWidthPx * stride;
  const rowBytes = rowByteLength(layout.format, rowSamples);
  const neededBytes = rowBytes * rows;
  const bytes = await decompress(encoded, layout, rows, neededBytes, rowBytes * layout.blockHeightPx);
  let samples = aligned(bytes.length > neededBytes ? bytes.subarray(0, neededBytes) : bytes);
  const bytesPerSample = layout.format.bits / 8;
  if (layout.predictor === 3) {
    samples = undoFloatingPoint(samples, bytesPerSample, rowSamples, stride, rows);
  } else {
    if (!layout.littleEndian && !layout.codec.nativeEndian && bytesPerSample > 1) swapBytes(samples, bytesPerSample);
    if (layout.predictor === 2) undoHorizontal(samples, bytesPerSample, rowSamples, stride, rows);
  }
  return viewSamples(samples, layout.format, rowSamples, rows);
}

class BlockError extends Error {
  override readonly name = "BlockError";
}

async function decompress(
  encoded: Uint8Array,
  layout: TiffLayout,
  rows: number,
  neededBytes: number,
  blockBytes: number,
): Promise<Uint8Array> {
  const samples = layout.planar ? 1 : layout.samples;
  const block = { widthPx: layout.blockWidthPx, heightPx: layout.blockHeightPx, samples };
  switch (layout.codec.name) {
    case "none":
      return complete({ bytes: encoded, decoded: encoded.length }, neededBytes);
    case "DEFLATE":
      return complete(await decodeDeflate(encoded, blockBytes), neededBytes);
    case "Zstandard":
      return complete(await decodeZstd(encoded, blockBytes), neededBytes);
    case "PackBits":
      return complete(decodePackBits(encoded, neededBytes), neededBytes);
    case "LZW":
      return complete(decodeLzw(encoded, neededBytes) ?? corrupt("has a code that is not in its table"), neededBytes);
    case "JPEG": {
      const pixels = await decodeJpeg(
        encoded,
        layout.jpegTables,
        layout.photometric === PHOTOMETRIC.ycbcr,
        block,
        rows,
      );
      return pixels ?? corrupt(`is not an 8-bit image of ${describe(block)}`);
    }
    case "WebP":
      return (await decodeWebp(encoded, block, rows)) ?? corrupt(`is not an image of ${describe(block)}`);
    case "LERC": {
      const bytesPerSample = layout.format.bits / 8;
      const whole = { ...block, bytesPerSample };
      // The last strip holds the remaining rows only; tiles are always whole.
      const pixels =
        (await decodeLerc(encoded, layout.lercWrapping, { ...whole, heightPx: rows })) ??
        (rows === block.heightPx ? null : await decodeLerc(encoded, layout.lercWrapping, whole));
      return pixels ?? corrupt(`is not a raster of ${describe(block)} of ${bytesPerSample} bytes`);
    }
  }
  return layout.codec.name satisfies never;
}

function complete(result: { readonly bytes: Uint8Array; readonly decoded: number }, neededBytes: number): Uint8Array {
  if (result.decoded < neededBytes) corrupt(`ends after ${result.decoded} of ${neededBytes} bytes`);
  return result.bytes;
}

function corrupt(message: string): never {
  throw new BlockError(message);
}

function describe(block: { readonly widthPx: number; readonly heightPx: number; readonly samples: number }): string {
  return `${block.widthPx} x ${block.heightPx} pixels of ${block.samples} samples`;
}
