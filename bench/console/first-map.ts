import { launchBrowser } from "../../e2e/browser/open-console.ts";
import type { Page } from "../../e2e/browser/playwright.ts";
import type { ServiceProcess } from "../../e2e/service-process.ts";
import { median } from "../statistics.ts";
import type { Budget } from "./budget.ts";

const ROUNDS = 7;

/** From the navigation to the frame that shows all tiles of the map. */
const SHOWN_MS = `new Promise((done) => {
  const look = () => {
    const tiles = performance.getEntriesByType("resource").some(({ name }) => name.includes("/mapsvc/grid/"));
    const map = document.getElementById("map");
    if (tiles && map !== null && map.dataset.rendered === "true") done(performance.now());
    else requestAnimationFrame(look);
  };
  look();
})`;

/**
 * A shared link opens: cold is a new process of the service and a new browser, warm the same link once more. The
 * browser itself has started.
 */
export async function firstMap(service: ServiceProcess, link: string): Promise<readonly Budget[]> {
  const coldMs: number[] = [];
  const warmMs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await service.stop();
    await service.start();
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage({ viewport: { width: 1000, height: 800 } });
      const address = link.replace(/^[^?]*/, `${service.baseUrl}/console`);
      coldMs.push(await shownMs(page, address));
      warmMs.push(await shownMs(page, address));
    } finally {
      await browser.close();
    }
  }
  return [
    { name: "first map, cold", figure: median(coldMs) / 1_000, unit: "s", limit: 1.5, kind: "most" },
    { name: "first map, warm", figure: median(warmMs) / 1_000, unit: "s", limit: 0.6, kind: "most" },
  ];
}

async function shownMs(page: Page, address: string): Promise<number> {
  // Another document between them: the same address again would not be a navigation.
  await page.goto("about:blank");
  await page.goto(address);
  return await page.evaluate<number>(SHOWN_MS);
}
