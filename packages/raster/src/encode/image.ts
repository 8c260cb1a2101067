import { createRequire } from "node:module";
import type { Transformer } from "@napi-rs/image";
import type { Sharp as SharpImage } from "sharp";
import { loadSharp } from "../load-sharp.ts";

/** Pixels as red, green, blue, alpha bytes, row-major, not premultiplied. */
export interface RgbaImage {
  readonly data: Uint8Array;
  readonly widthPx: number;
  readonly heightPx: number;
}

export type ImageEncoding = "png" | "webp-picture" | "webp-drawing" | "jpeg";

const WEBP_QUALITY = 80;
/** Effort of the exact mode, 1 to 100: at 80 it takes four times as long for 2 % fewer bytes. */
const WEBP_EXACT_EFFORT = 20;
const JPEG_QUALITY = 85;
/** zlib level of the fallback encoder. */
const PNG_LEVEL = 3;

const require = createRequire(import.meta.url);

interface PngEncoder {
  readonly encode: (image: RgbaImage) => Uint8Array | Promise<Uint8Array>;
  readonly encodeBeside: (image: RgbaImage) => Promise<Uint8Array>;
}

let pngEncoder: PngEncoder | null = null;

/** 8-bit RGBA PNG, not interlaced. The same pixels give the same bytes. At once, or later where only sharp is there. */
export function encodePng(image: RgbaImage): Uint8Array | Promise<Uint8Array> {
  pngEncoder ??= choosePngEncoder();
  return pngEncoder.encode(image);
}

/** As `encodePng`, in another thread while the caller goes on: for one of many. The pixels must not change meanwhile. */
export function encodePngBeside(image: RgbaImage): Promise<Uint8Array> {
  pngEncoder ??= choosePngEncoder();
  return pngEncoder.encodeBeside(image);
}

/** The fast encoder is native code for most platforms; sharp does the rest at ten times the time. */
function choosePngEncoder(): PngEncoder {
  try {
    const native = require("@napi-rs/image") as {
      readonly Transformer: typeof Transformer;
      readonly CompressionType: { readonly Fast: number };
      readonly FilterType: { readonly Up: number };
    };
    const options = { compressionType: native.CompressionType.Fast, filterType: native.FilterType.Up };
    const pixels = ({ data, widthPx, heightPx }: RgbaImage): Transformer =>
      native.Transformer.fromRgbaPixels(data, widthPx, heightPx);
    return {
      encode: (image) => pixels(image).pngSync(options),
      encodeBeside: (image) => pixels(image).png(options),
    };
  } catch {
    const encode = (image: RgbaImage): Promise<Uint8Array> =>
      sharpOf(image).png({ compressionLevel: PNG_LEVEL, adaptiveFiltering: false }).toBuffer();
    return { encode, encodeBeside: encode };
  }
}

/** WebP with alpha; exact for drawings, lossy for pictures. */
function encodeWebp(image: RgbaImage, mode: "picture" | "drawing"): Promise<Uint8Array> {
  const options =
    mode === "picture"
      ? { quality: WEBP_QUALITY, effort: 0 }
      : { lossless: true, quality: WEBP_EXACT_EFFORT, effort: 0 };
  return sharpOf(image).webp(options).toBuffer();
}

/** JPEG on white, which has no alpha. */
function encodeJpeg(image: RgbaImage): Promise<Uint8Array> {
  return sharpOf(image).flatten({ background: "#ffffff" }).jpeg({ quality: JPEG_QUALITY }).toBuffer();
}

function sharpOf(image: RgbaImage): SharpImage {
  // sharp reads the pixels later, when the memory they are in may hold others.
  return loadSharp()(image.data.slice(), { raw: { width: image.widthPx, height: image.heightPx, channels: 4 } });
}

export function encodeImage(
  image: RgbaImage,
  encoding: ImageEncoding,
): readonly [mediaType: string, body: Uint8Array | Promise<Uint8Array>] {
  if (encoding === "png") return ["image/png", encodePng(image)];
  if (encoding === "jpeg") return ["image/jpeg", encodeJpeg(image)];
  return ["image/webp", encodeWebp(image, encoding === "webp-picture" ? "picture" : "drawing")];
}
