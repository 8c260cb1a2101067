import type { Page } from "./playwright.ts";

/** Bars of the timeline: of scenes that are shown, and outlines of those that a filter hides. */
export async function timelineBars(page: Page): Promise<{ readonly shown: number; readonly hidden: number }> {
  const count = (selector: string): Promise<number> =>
    page.evaluate<number>(
      `[...document.querySelectorAll(".timeline ${selector}")].reduce((sum, { dataset }) => sum + Number(dataset.bars), 0)`,
    );
  return { shown: await count(".bar:not(.filtered)"), hidden: await count(".bar.filtered") };
}
