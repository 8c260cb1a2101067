import type { Page } from "../../e2e/browser/playwright.ts";
import { quantile } from "../statistics.ts";
import type { Budget } from "./budget.ts";
import { openDevTools } from "./page-metrics.ts";

const INTERACTIONS = 50;
const SLOWDOWN = 4;
/** Chromium reports no shorter events. */
const SHORTEST_MS = 16;

const START_OBSERVING = `(() => {
  window.durations = [];
  const kinds = ["click", "keydown", "keyup", "pointerdown", "pointerup", "mouseover", "pointerover", "input", "change"];
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) if (kinds.includes(name)) window.durations.push(duration);
  }).observe({ type: "event", durationThreshold: ${SHORTEST_MS} });
})()`;

/** Two frames: the observer receives events after their frame. */
const LONGEST_SINCE = `new Promise((done) => requestAnimationFrame(() => setTimeout(() => {
  const longest = Math.max(0, ...window.durations);
  window.durations = [];
  done(longest);
}, 0)))`;

/** Hovers, filters and opens panels, with the processor slowed down four times. */
export async function interactions(page: Page): Promise<readonly Budget[]> {
  const tools = await openDevTools(page);
  await tools.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  await page.evaluate(START_OBSERVING);
  const actions: readonly ((turn: number) => Promise<void>)[] = [
    async (turn) => (await oneOf(page.locator("li.scene"), turn)).hover(),
    () => page.keyboard.press("ArrowLeft"),
    () => page.getByRole("button", { name: /^Tasks/ }).click(),
    // Every other time the whole list comes back.
    (turn) => page.getByRole("slider", { name: "Most cloud" }).press(turn % 2 === 1 ? "ArrowLeft" : "ArrowRight"),
    async (turn) => (await oneOf(page.locator("button.scene-button"), turn)).click(),
  ];
  const durationsMs: number[] = [];
  for (let turn = 0; turn < INTERACTIONS; turn += 1) {
    await actions[turn % actions.length]?.(turn);
    durationsMs.push(Math.max(SHORTEST_MS, await page.evaluate<number>(LONGEST_SINCE)));
  }
  await tools.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  return [
    {
      name: "interaction to next paint, p95 of 50, four times slower",
      figure: quantile(durationsMs, 0.95),
      unit: "ms",
      limit: 200,
      kind: "most",
    },
  ];
}

/** One of the first rows: the clouds of the day decide how many the filter leaves. */
async function oneOf(rows: ReturnType<Page["locator"]>, turn: number): Promise<ReturnType<Page["locator"]>> {
  return rows.nth(turn % Math.min(8, await rows.count()));
}
