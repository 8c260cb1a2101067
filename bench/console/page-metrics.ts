import type { DevTools, Page } from "../../e2e/browser/playwright.ts";

/** Counters of Chromium. */
export interface PageMetrics {
  /** Seconds of the main thread in scripts since the navigation. */
  readonly scriptSeconds: number;
  readonly heapMb: number;
}

export async function openDevTools(page: Page): Promise<DevTools> {
  const tools = await page.context().newCDPSession(page);
  await tools.send("Performance.enable");
  return tools;
}

export async function pageMetrics(tools: DevTools): Promise<PageMetrics> {
  const { metrics } = await tools.send<{
    readonly metrics: readonly { readonly name: string; readonly value: number }[];
  }>("Performance.getMetrics");
  const valueOf = (wanted: string): number => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
  return { scriptSeconds: valueOf("ScriptDuration"), heapMb: valueOf("JSHeapUsedSize") / 1e6 };
}
