import { loadSharp } from "../load-sharp.ts";
import { RasterError } from "../raster-error.ts";

export interface FittedPicture {
  readonly mediaType: "image/png" | "image/jpeg";
  readonly body: Uint8Array;
}

/** Decoded pixels of a picture from elsewhere; larger ones are not decoded. */
const MAX_PIXELS = 64_000_000;
const FORMATS = new Set(["jpeg", "png", "webp"]);

/**
 * A picture from elsewhere, decoded, made to fit and encoded anew, so that nothing but its pixels is passed on.
 *
 * @throws {RasterError} unreadable when it is no JPEG, PNG or WebP picture, or too large
 */
export async function fitPicture(body: Uint8Array, maxSidePx: number, name: string): Promise<FittedPicture> {
  const sharp = loadSharp();
  try {
    const image = sharp(body, { limitInputPixels: MAX_PIXELS, failOn: "error", pages: 1 });
    const { format, hasAlpha } = await image.metadata();
    if (!FORMATS.has(format ?? "")) throw new Error(`it is ${format ?? "of unknown form"}`);
    const fitted = image
      .rotate()
      .resize({ width: maxSidePx, height: maxSidePx, fit: "inside", withoutEnlargement: true });
    if (hasAlpha || format === "png") {
      return { mediaType: "image/png", body: await fitted.png({ compressionLevel: 6 }).toBuffer() };
    }
    return { mediaType: "image/jpeg", body: await fitted.jpeg({ quality: 85 }).toBuffer() };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.slice(0, 200) : String(cause);
    throw new RasterError("unreadable", `${name} is no picture that can be shown: ${reason}`, { cause });
  }
}
