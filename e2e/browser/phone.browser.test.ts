import assert from "node:assert/strict";
import { test } from "node:test";
import { openConsole, signIn } from "./open-console.ts";
import type { Page } from "./playwright.ts";

const PHONE = { width: 375, height: 812 };

async function heightPx(page: Page): Promise<number> {
  // The sheet moves for 220 ms; its animations say when it rests.
  return await page.evaluate<number>(`(async () => {
    const sheet = document.querySelector(".sheet");
    await Promise.all(sheet.getAnimations().map(({ finished }) => finished));
    return sheet.clientHeight;
  })()`);
}

test("the sheet of a phone rests low, half and full, by finger and by key", async () => {
  await using console = await openConsole(PHONE);
  const { page, faults } = console;
  await signIn(console);
  await page.getByRole("button", { name: "Show an example" }).click();
  await page.locator("ul.scenes:not(.dimmed)").waitFor({ state: "attached" });
  const handle = page.getByRole("button", { name: /^Height of the panel/ });
  const halfPx = await heightPx(page);
  await handle.press("ArrowUp");
  await page.getByRole("button", { name: "Height of the panel: full" }).waitFor();
  const fullPx = await heightPx(page);
  const at = await handle.boundingBox();
  assert.ok(at !== null);
  await page.mouse.move(at.x + at.width / 2, at.y + at.height / 2);
  await page.mouse.down();
  for (let y = at.y; y < PHONE.height; y += 50) await page.mouse.move(at.x + at.width / 2, y);
  await page.mouse.up();
  await page.getByRole("button", { name: "Height of the panel: low" }).waitFor();
  const lowPx = await heightPx(page);
  assert.ok(lowPx < 0.2 * fullPx && lowPx >= 76, `${lowPx} of ${fullPx} px`);
  assert.ok(halfPx > 0.4 * fullPx && halfPx < 0.7 * fullPx, `${halfPx} of ${fullPx} px`);
  await page
    .getByText(/^\d+\+? scenes$/)
    .first()
    .waitFor();
  await handle.click();
  assert.equal(await heightPx(page), halfPx);
  assert.deepEqual(faults, []);
});

test("a phone reaches every screen of the navigation, and no page is wider than it", async () => {
  await using console = await openConsole(PHONE);
  const { page } = console;
  await signIn(console);
  const links = page.locator(".top-bar nav a");
  const count = await links.count();
  assert.ok(count >= 2, String(count));
  for (let position = 0; position < count; position += 1) {
    await links.nth(position).click();
    await page.locator(`.top-bar nav a:nth-child(${position + 1})[aria-current=page]`).waitFor();
    await page.locator(".skeleton").first().waitFor({ state: "detached" });
    const [pagePx, contentPx] = await page.evaluate<readonly [number, number]>(
      "[document.documentElement.clientWidth, document.documentElement.scrollWidth]",
    );
    assert.ok(contentPx <= pagePx, `screen ${position} is ${contentPx} px wide on a page of ${pagePx} px`);
  }
});
