import { createRequire } from "node:module";
import type { Transformer } from "@napi-rs/image";
import type Sharp from "sharp";
import type { Sharp as SharpImage } from "sharp";

/** Pixels as red, green, blue, alpha bytes, row-major, not premultiplied. */
export interface RgbaImage {
  readonly data: Uint8Array;
  readonly widthPx: number;
  readonly heightPx: number;
}

export type ImageEncoding = "png" | "webp-picture" | "webp-drawing" | "jpeg";

const WEBP_QUALITY = 80;
const JPEG_QUALITY = 85;
/** zlib level of the fallback encoder. */
const PNG_LEVEL = 3;

const require = createRequire(import.meta.url);

type PngEncoder = (image: RgbaImage) => Uint8Array | Promise<Uint8Array>;

let pngEncoder: PngEncoder | null = null;

/** 8-bit RGBA PNG, not interlaced. The same pixels give the same bytes. At once, or later where only sharp is there. */
export function encodePng(image: RgbaImage): Uint8Array | Promise<Uint8Array> {
  pngEncoder ??= choosePngEncoder();
  return pngEncoder(image);
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
    return (image) => native.Transformer.fromRgbaPixels(image.data, image.widthPx, image.heightPx).pngSync(options);
  } catch {
    return (image) => sharpOf(image).png({ compressionLevel: PNG_LEVEL, adaptiveFiltering: false }).toBuffer();
  }
}

/** WebP with alpha; exact for drawings, lossy for pictures. */
export function encodeWebp(image: RgbaImage, mode: "picture" | "drawing"): Promise<Uint8Array> {
  const options = mode === "picture" ? { quality: WEBP_QUALITY, effort: 0 } : { lossless: true, effort: 0 };
  return sharpOf(image).webp(options).toBuffer();
}

/** JPEG on white, which has no alpha. */
export function encodeJpeg(image: RgbaImage): Promise<Uint8Array> {
  return sharpOf(image).flatten({ background: "#ffffff" }).jpeg({ quality: JPEG_QUALITY }).toBuffer();
}

function sharpOf(image: RgbaImage): SharpImage {
  const sharp = require("sharp") as typeof Sharp;
  // sharp reads the pixels later, when the memory they are in may hold others.
  return sharp(image.data.slice(), { raw: { width: image.widthPx, height: image.heightPx, channels: 4 } });
}

export function encodeImage(
  image: RgbaImage,
  encoding: ImageEncoding,
): readonly [mediaType: string, body: Uint8Array | Promise<Uint8Array>] {
  if (encoding === "png") return ["image/png", encodePng(image)];
  if (encoding === "jpeg") return ["image/jpeg", encodeJpeg(image)];
  return ["image/webp", encodeWebp(image, encoding === "webp-picture" ? "picture" : "drawing")];
}
