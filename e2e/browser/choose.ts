import { searchArea } from "./open-console.ts";
import type { Page } from "./playwright.ts";

/** Corners around the scene of `ingestCoast`. */
const COAST = "15.0005, 0.8823, 15.0225, 0.904";

/** Searches the scene of `ingestCoast`, ticks it and asks for the price of its maps. */
export async function choose(page: Page): Promise<void> {
  await page.locator("details.datasets summary").click();
  await page.getByLabel("Uploaded imagery").check();
  await searchArea(page, COAST);
  await page
    .getByRole("checkbox", { name: /^Choose the scene/ })
    .first()
    .check();
  await page.getByRole("button", { name: "Review price" }).click();
  await page.locator("dialog button.primary:not([disabled])").waitFor();
}
