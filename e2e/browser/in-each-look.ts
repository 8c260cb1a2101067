import assert from "node:assert/strict";
import { test } from "node:test";
import { ServiceProcess } from "../service-process.ts";
import { assertFits, keepPicture } from "./keep-picture.ts";
import { launchBrowser, watchFaults } from "./open-console.ts";
import type { Page } from "./playwright.ts";
import { assertAccessible } from "./violations.ts";

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
            await assertFits(page, state);
            await assertAccessible(page, state);
            if (picture !== undefined && isPictured) await keepPicture(page, `${picture}-${look}`, service.folder);
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
