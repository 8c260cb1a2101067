import assert from "node:assert/strict";
import { test } from "node:test";
import { openConsole, searchArea, signIn } from "./open-console.ts";
import type { Page } from "./playwright.ts";

/** One page of scenes. */
const SCENES = 200;
const AREA = "12, 48, 16, 50.5";

test("of a long list only the rows near the seen ones are drawn, and a chosen scene comes into sight", async () => {
  await using console = await openConsole();
  const { page, faults } = console;
  await signIn(console);
  await searchArea(page, AREA);
  assert.deepEqual(await drawnRows(page), { first: 1, isFew: true, of: SCENES });

  await page.evaluate(`document.querySelector("li.scene .facts span").textContent = "A long name. ".repeat(40)`);
  assert.equal((await page.locator("li.scene").first().boundingBox())?.height, 75, "a long name makes no row higher");

  const strip = await page.locator(".timeline > svg").boundingBox();
  assert.ok(strip !== null);
  await page.mouse.click(strip.x + 6, strip.y + strip.height - 4);
  const earliest = page.locator("li.scene.selected");
  await earliest.waitFor();
  const position = Number(await earliest.getAttribute("aria-posinset"));
  assert.ok(position > SCENES / 2, `row ${position}: the list begins with the latest`);
  const [list, row] = [await page.locator("ul.scenes").boundingBox(), await earliest.boundingBox()];
  assert.ok(list !== null && row !== null);
  assert.ok(row.y >= list.y - 1 && row.y + row.height <= list.y + list.height + 1, JSON.stringify({ list, row }));

  await page.evaluate('document.querySelector("ul.scenes").scrollTo({ top: 0 })');
  await page.locator('li.scene[aria-posinset="1"]').waitFor();
  assert.equal(await earliest.count(), 0, "the list stays where it was scrolled to");

  const cloud = page.getByRole("slider", { name: "Most cloud" });
  await cloud.press("Home");
  await page.getByText("more are hidden by:").waitFor();
  await cloud.press("End");
  await page.getByText("more are hidden by:").waitFor({ state: "detached" });
  await earliest.waitFor();
  const { isFew, of } = await drawnRows(page);
  assert.deepEqual({ isFew, of }, { isFew: true, of: SCENES });
  assert.deepEqual(faults, []);
});

test("on a phone, where the panel scrolls instead of the list, the last scene is reached", async () => {
  await using console = await openConsole();
  const { page, faults } = console;
  await signIn(console);
  await page.setViewportSize({ width: 390, height: 844 });
  await searchArea(page, AREA);
  await page.getByRole("button", { name: "Show more" }).hover();
  await page.locator(`li.scene[aria-posinset="${SCENES}"]`).waitFor();
  assert.equal((await drawnRows(page)).isFew, true);
  assert.deepEqual(faults, []);
});

/** The position of the first drawn row, whether few are drawn, and how many rows there are. */
async function drawnRows(page: Page) {
  const rows = page.locator("li.scene");
  const [first, of] = [
    await rows.first().getAttribute("aria-posinset"),
    await rows.first().getAttribute("aria-setsize"),
  ];
  return { first: Number(first), isFew: (await rows.count()) <= 40, of: Number(of) };
}
