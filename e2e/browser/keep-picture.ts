import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import type { Page } from "./playwright.ts";

/** Pictures of docs/console.md are written where this is set; the pages are checked in every run. */
const WRITES = process.env["WRITE_PICTURES"] === "1";
const FOLDER = join(import.meta.dirname, "..", "..", "docs", "images", "console");

/** A clone of the repository has all of them. */
const MAX_BYTES = 61_440;
const QUALITIES = [82, 70, 55, 40, 25];

/** Checks that a page fits its width, and writes its picture. */
export async function keepPicture(page: Page, name: string, scratch: string): Promise<void> {
  await assertFits(page, name);
  const bytes = await page.screenshot({ path: join(scratch, "screen.png") });
  if (!WRITES) return;
  mkdirSync(FOLDER, { recursive: true });
  for (const quality of QUALITIES) {
    const picture = await sharp(bytes).webp({ quality }).toBuffer();
    writeFileSync(join(FOLDER, `${name}.webp`), picture);
    if (picture.length <= MAX_BYTES) return;
  }
  assert.fail(`${name} has more than ${MAX_BYTES} bytes`);
}

/** Checks that the page is as large as its window: panels scroll, the page does not. */
export async function assertFits(page: Page, state: string): Promise<void> {
  const [widthPx, contentWidthPx, heightPx, contentHeightPx] = await page.evaluate<[number, number, number, number]>(
    `(({ clientWidth, scrollWidth, clientHeight, scrollHeight }) =>
      [clientWidth, scrollWidth, clientHeight, scrollHeight])(document.documentElement)`,
  );
  assert.ok(contentWidthPx <= widthPx, `${state} is ${contentWidthPx} px wide on a page of ${widthPx} px`);
  assert.ok(contentHeightPx <= heightPx, `${state} is ${contentHeightPx} px high on a page of ${heightPx} px`);
}
