import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import type { Page } from "./playwright.ts";

/** Pictures of docs/console.md are written where this is set; the pages are checked in every run. */
const WRITES = process.env["WRITE_PICTURES"] === "1";
const FOLDER = join(import.meta.dirname, "..", "..", "docs", "images", "console");

/** Checks that a page fits its width, and writes its picture. */
export async function keepPicture(page: Page, name: string, scratch: string): Promise<void> {
  const [pagePx, contentPx] = await page.evaluate<[number, number]>(
    "[document.documentElement.clientWidth, document.documentElement.scrollWidth]",
  );
  assert.ok(contentPx <= pagePx, `${name} is ${contentPx} px wide on a page of ${pagePx} px`);
  const bytes = await page.screenshot({ path: join(scratch, "screen.png") });
  if (!WRITES) return;
  mkdirSync(FOLDER, { recursive: true });
  await sharp(bytes)
    .webp({ quality: 82 })
    .toFile(join(FOLDER, `${name}.webp`));
}
