import sharp from "sharp";
import type { Page } from "./playwright.ts";

/** A part of a page, in pixels. */
export interface PagePart {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Values that differ by less look the same. */
const LEAST_DIFFERENCE = 8;

/** Red, green and blue of each pixel, row by row. */
export async function pagePixels(page: Page, part: PagePart): Promise<Buffer> {
  return await sharp(await page.screenshot())
    .extract(part)
    .removeAlpha()
    .raw()
    .toBuffer();
}

/** How many colours pixels have. */
export function colourCount(pixels: Buffer): number {
  return new Set(Array.from({ length: pixels.length / 3 }, (_, at) => pixels.readUIntBE(at * 3, 3))).size;
}

/** Share of the red, green and blue values that another picture of the same part has changed. */
export function changedShare(before: Buffer, after: Buffer): number {
  return after.filter((value, at) => Math.abs(value - (before[at] ?? 0)) > LEAST_DIFFERENCE).length / after.length;
}
