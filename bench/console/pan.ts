import assert from "node:assert/strict";
import type { Page } from "../../e2e/browser/playwright.ts";
import type { Budget } from "./budget.ts";
import { openDevTools, pageMetrics } from "./page-metrics.ts";

const PAN_MS = 3_000;
const FOOTPRINTS = 2_000;

const START_COUNTING = `(() => {
  window.counted = { frames: 0, startMs: performance.now() };
  const count = () => {
    window.counted.frames += 1;
    requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
})()`;
const STOP_COUNTING = "[window.counted.frames, performance.now() - window.counted.startMs]";

/** Loads scenes until 2,000 footprints are shown, and drags the map for three seconds. */
export async function pan(page: Page): Promise<readonly Budget[]> {
  await showFootprints(page);
  const box = await page.locator("#map").boundingBox();
  assert.ok(box !== null);
  const [centreX, centreY] = [box.x + box.width / 2, box.y + box.height / 2];
  const [view = ""] = /v=[^&]*/.exec(page.url()) ?? [];
  assert.ok(view !== "", page.url());
  const tools = await openDevTools(page);
  await page.mouse.move(centreX, centreY);
  await page.mouse.down();
  const before = await pageMetrics(tools);
  await page.evaluate(START_COUNTING);
  const endMs = Date.now() + PAN_MS;
  for (let step = 0; Date.now() < endMs; step += 1) {
    const angle = step / 20;
    await page.mouse.move(centreX + 150 * Math.sin(angle), centreY + 100 * Math.sin(angle / 2));
  }
  const [frames, elapsedMs] = await page.evaluate<readonly [number, number]>(STOP_COUNTING);
  const after = await pageMetrics(tools);
  await page.mouse.up();
  // A drag that moved nothing would be fast.
  await page.waitForURL(new RegExp(`^(?!.*${view.replaceAll(".", String.raw`\.`)}).*$`));
  const scriptMs = ((after.scriptSeconds - before.scriptSeconds) * 1_000) / frames;
  return [
    {
      name: "pan of 2,000 footprints",
      figure: (frames / elapsedMs) * 1_000,
      unit: "frames/s",
      limit: 30,
      kind: "least",
    },
    { name: "script of a frame of the pan", figure: scriptMs, unit: "ms", limit: 4, kind: "most" },
  ];
}

/** All scenes of a simulated provider over 4 by 2.5 degrees: each page has 200. */
async function showFootprints(page: Page): Promise<void> {
  await page.getByRole("textbox", { name: "Area" }).fill("12, 48, 16, 50.5");
  await page.getByRole("textbox", { name: "Area" }).press("Enter");
  await page.getByRole("button", { name: "Search" }).click();
  const count = page.locator(".count strong");
  for (;;) {
    await page.locator("ul.scenes:not(.dimmed)").waitFor({ state: "attached" });
    if (Number.parseInt(await count.innerText(), 10) >= FOOTPRINTS) return;
    await page.getByRole("button", { name: "Show more" }).click();
  }
}
