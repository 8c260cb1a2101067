import type { DevTools, Page } from "../../e2e/browser/playwright.ts";
import type { Budget } from "./budget.ts";
import { openDevTools, pageMetrics } from "./page-metrics.ts";

const SWITCHES = 100;
/** Noise of the collector between two readings of an unchanged page is below 1 MB. */
const NOISE_MB = 2;

/** Looks at 100 scenes one after the other. */
export async function memory(page: Page): Promise<readonly Budget[]> {
  const tools = await openDevTools(page);
  await page.locator("button.scene-button").first().click();
  const halfMb = await heapAfter(page, tools, SWITCHES / 2);
  const endMb = await heapAfter(page, tools, SWITCHES / 2);
  return [
    { name: "heap after 100 scenes", figure: endMb, unit: "MB", limit: 150, kind: "most" },
    { name: "growth of the heap over the last 50", figure: endMb - halfMb, unit: "MB", limit: NOISE_MB, kind: "most" },
  ];
}

async function heapAfter(page: Page, tools: DevTools, switches: number): Promise<number> {
  for (let turn = 0; turn < switches; turn += 1) {
    await page.keyboard.press("ArrowLeft");
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => done()))");
  }
  await tools.send("HeapProfiler.collectGarbage");
  return (await pageMetrics(tools)).heapMb;
}
