import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import sharp from "sharp";
import { ServiceProcess } from "../service-process.ts";
import { launchBrowser, watchFaults } from "./open-console.ts";
import type { Page } from "./playwright.ts";
import { assertAccessible } from "./violations.ts";

/** Pictures of docs/console.md are written where this is set; the pages are checked in every run. */
const WRITES = process.env["WRITE_PICTURES"] === "1";
const FOLDER = join(import.meta.dirname, "..", "..", "docs", "images", "console");

const LOOKS = [
  { look: "light", theme: "light", size: { width: 1440, height: 900 }, isPictured: true },
  { look: "dark", theme: "dark", size: { width: 1440, height: 900 }, isPictured: true },
  { look: "narrow", theme: "light", size: { width: 375, height: 812 }, isPictured: true },
  { look: "narrow-dark", theme: "dark", size: { width: 375, height: 812 }, isPictured: false },
] as const;

export interface Looked {
  readonly page: Page;
  readonly service: ServiceProcess;
  readonly theme: "dark" | "light";
  /** Checks the width of the page and the rules of WCAG 2.2 AA, and keeps a picture where one is named. */
  readonly look: (state: string, picture?: string) => Promise<void>;
}

/** Runs the states of a screen on wide and narrow pages, light and dark. */
export function inEachLook(title: string, states: (looked: Looked) => Promise<void>): void {
  for (const { look, theme, size, isPictured } of LOOKS) {
    test(`${title}, on the ${look} page`, async () => {
      await using service = await ServiceProcess.start();
      const browser = await launchBrowser();
      try {
        const page = await browser.newPage({ viewport: size, bypassCSP: true });
        const faults = watchFaults(page);
        await states({
          page,
          service,
          theme,
          async look(state, picture) {
            const [pagePx, contentPx] = await page.evaluate<[number, number]>(
              "[document.documentElement.clientWidth, document.documentElement.scrollWidth]",
            );
            assert.ok(contentPx <= pagePx, `${state} is ${contentPx} px wide on a page of ${pagePx} px`);
            await assertAccessible(page, state);
            if (picture === undefined || !isPictured) return;
            const bytes = await page.screenshot({ path: join(service.folder, "screen.png") });
            if (WRITES) await write(bytes, `${picture}-${look}`);
          },
        });
        // The browser logs refusals that a state is about, such as of a file without a time.
        assert.deepEqual(
          faults.filter((fault) => !/status of 4\d\d/.test(fault)),
          [],
        );
      } finally {
        await browser.close();
      }
    });
  }
}

async function write(bytes: Buffer, name: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  await sharp(bytes)
    .webp({ quality: 82 })
    .toFile(join(FOLDER, `${name}.webp`));
}
