import assert from "node:assert/strict";
import { test } from "node:test";
import { openConsole, signIn } from "./open-console.ts";
import { assertAccessible } from "./violations.ts";

test("a person without a mouse finds every command by its name, and goes to a written position", async () => {
  await using console = await openConsole();
  const { page, faults } = console;
  await signIn(console);
  await page.keyboard.press("Control+k");
  const search = page.getByRole("combobox");
  await search.waitFor();
  // Whoever opens the list types at once.
  for (const letter of "dark") await page.keyboard.press(letter);
  await page.keyboard.press("Enter");
  await page.locator("html[data-theme=dark]").waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("api");
  await page.getByRole("combobox").press("Enter");
  await page.waitForURL(/\/console\/calls/);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("36.88 S, 174.87 E");
  await page.getByRole("combobox").press("Enter");
  await page.waitForURL(/[?&]v=174\.8[67]\d*%2C-36\.8[78]/);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("nothing of this name");
  await page.getByText("No command has these words.").waitFor();
  assert.deepEqual(faults, []);
});

test("single keys act until they are switched off, and the choice outlives the page", async () => {
  await using console = await openConsole();
  const { page } = console;
  await signIn(console);
  await page.keyboard.press("i");
  await page.locator("[aria-label='Read values (i)'][aria-pressed=true]").waitFor();
  await page.keyboard.press("i");
  await page.locator("[aria-label='Read values (i)'][aria-pressed=false]").waitFor();
  await page.keyboard.press("?");
  await page.getByLabel("Single keys act").click();
  await page.keyboard.press("Escape");
  await page.reload();
  await page.locator("#map[data-rendered=true]").waitFor();
  await page.keyboard.press("i");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").waitFor();
  assert.equal(await page.locator("[aria-label='Read values (i)'][aria-pressed=false]").count(), 1);
});

test("the list of commands and the list of keys break no rule of WCAG 2.2 AA", async () => {
  for (const theme of ["light", "dark"]) {
    await using console = await openConsole({ width: 1440, height: 900 }, { bypassCSP: true });
    const { page, service } = console;
    await signIn(console);
    await page.goto(`${service.baseUrl}/console?ui=${theme}`);
    await page.locator("#map[data-rendered=true]").waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").waitFor();
    await assertAccessible(page, `commands, ${theme}`);
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await page.getByLabel("Single keys act").waitFor();
    await assertAccessible(page, `keys, ${theme}`);
  }
});
