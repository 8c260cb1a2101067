import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { swathDone } from "../swath-command.ts";
import { keepPicture } from "./keep-picture.ts";
import { openConsole, searchArea, signIn } from "./open-console.ts";

/** Corners around the scene of `swath demo`. */
const DEMO_AREA = "174.846, -36.894, 174.894, -36.856";

for (const [kind, theme, size] of [
  ["light", "light", { width: 1440, height: 900 }],
  ["dark", "dark", { width: 1440, height: 900 }],
  ["narrow", "light", { width: 375, height: 812 }],
] as const) {
  test(`each screen of the ${kind} page fits its width`, async () => {
    await using console = await openConsole(size);
    const { page, service, faults } = console;
    await swathDone(service, "demo", "--out", join(service.folder, "out"));
    await page.goto(`${service.baseUrl}/console?ui=${theme}`);
    await page.locator("input[value]").first().waitFor();
    await keepPicture(page, `sign-in-${kind}`, service.folder);
    await signIn(console);
    await page.goto(`${service.baseUrl}/console?ui=${theme}&d=local.uploads`);
    await page.getByRole("button", { name: "Show an example" }).waitFor();
    await keepPicture(page, `start-${kind}`, service.folder);
    await searchArea(page, DEMO_AREA);
    await page.locator(".thumbnail img").first().waitFor();
    await keepPicture(page, `find-${kind}`, service.folder);
    await page
      .getByRole("checkbox", { name: /^Choose the scene/ })
      .first()
      .check();
    await page.getByRole("button", { name: "Review price" }).click();
    await page.locator("dialog button.primary:not([disabled])").waitFor();
    await page.getByLabel("water").check();
    await page.getByText("Make 3 maps").waitFor();
    // The page asks for the new price after the frame of the choice.
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    await page.locator(".prices:not(.dimmed) .credits").first().waitFor();
    await keepPicture(page, `price-${kind}`, service.folder);
    await page.locator("dialog button.primary").click();
    await page.waitForURL(/[?&]l=/);
    await page.getByRole("button", { name: /^Tasks/ }).click();
    await page.getByRole("button", { name: "Open" }).first().waitFor();
    await page.locator("#map[data-rendered=true]").waitFor();
    await keepPicture(page, `maps-${kind}`, service.folder);
    assert.deepEqual(faults, []);
  });
}
