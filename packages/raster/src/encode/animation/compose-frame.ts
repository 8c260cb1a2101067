import { loadSharp } from "../../load-sharp.ts";
import type { RgbaImage } from "../image.ts";
import type { AnimationSize } from "./animation-format.ts";

/** A picture on a frame, from its left upper corner. */
export interface FrameLayer {
  readonly image: RgbaImage | Uint8Array;
  readonly leftPx: number;
  readonly topPx: number;
}

export type FrameEncoding = "gif" | "webp-picture" | "webp-drawing";

const WEBP_QUALITY = 82;
const WEBP_EFFORT = 2;
const EXACT_EFFORT = 1;
const GIF_EFFORT = 4;

/**
 * Puts pictures over each other and encodes them, in threads of the library.
 *
 * @param layers encoded pictures or pixels, from the lowest
 * @param background colour of open pixels, `#rrggbb`
 */
export async function composeFrame(
  { widthPx, heightPx }: AnimationSize,
  layers: readonly FrameLayer[],
  background: string,
  encoding: FrameEncoding,
): Promise<Uint8Array> {
  const sharp = loadSharp();
  const flat = await sharp({ create: { width: widthPx, height: heightPx, channels: 3, background } })
    .composite(
      layers.map(({ image, leftPx, topPx }) => ({
        ...(image instanceof Uint8Array
          ? { input: Buffer.from(image) }
          : {
              input: Buffer.from(image.data),
              raw: { width: image.widthPx, height: image.heightPx, channels: 4 as const },
            }),
        left: leftPx,
        top: topPx,
      })),
    )
    .removeAlpha()
    .raw()
    .toBuffer();
  const frame = sharp(flat, { raw: { width: widthPx, height: heightPx, channels: 3 } });
  if (encoding === "gif") return await frame.gif({ effort: GIF_EFFORT, loop: 0 }).toBuffer();
  const options =
    encoding === "webp-picture"
      ? { quality: WEBP_QUALITY, effort: WEBP_EFFORT }
      : { lossless: true, quality: 20, effort: EXACT_EFFORT };
  return await frame.webp(options).toBuffer();
}
