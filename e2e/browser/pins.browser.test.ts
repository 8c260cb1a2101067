import assert from "node:assert/strict";
import { test } from "node:test";
import { RawClient } from "../raw-client.ts";
import { DEMO } from "../service-process.ts";
import { ingestCoastSeries, SERIES_VIEW } from "./coast-series.ts";
import { inEachLook } from "./in-each-look.ts";
import { launchBrowser, openConsole, signIn, watchFaults } from "./open-console.ts";
import type { Page } from "./playwright.ts";

/** Selects the latest date, pins it, and pins the one two dates before. */
async function pinTwo(page: Page): Promise<void> {
  const timeline = page.getByRole("region", { name: "Timeline" });
  await timeline.getByRole("button", { name: "Latest date" }).click();
  await timeline.getByRole("button", { name: "Pin this date" }).click();
  await timeline.getByRole("button", { name: "Previous date" }).click();
  await timeline.getByRole("button", { name: "Previous date" }).click();
  await timeline.getByRole("button", { name: "Pin this date" }).click();
  await timeline.getByRole("button", { name: "Show 3 Jul 2024" }).waitFor();
}

test("two pinned dates stay in the link, become maps and are compared; a stranger changes between them", async () => {
  await using console = await openConsole();
  const { service, page, faults } = console;
  await ingestCoastSeries(await new RawClient(service.baseUrl).login(DEMO));
  await signIn(console);
  await page.goto(`${service.baseUrl}/console?${SERIES_VIEW}`);
  await pinTwo(page);
  await page.waitForURL(/pin=2024-06-13/);
  await page.reload();
  const pins = page.getByRole("list", { name: "Pinned dates" });
  await pins.getByRole("button", { name: "Show 3 Jul 2024" }).click();
  assert.deepEqual(await pins.locator("li").allTextContents(), ["13 Jun 2024", "3 Jul 2024"]);
  await page.locator("li.scene.selected").getByText("3 Jul 2024").waitFor();
  assert.equal(await page.locator(".timeline rect.pinned").count(), 2);

  await page.getByRole("button", { name: "Tick pins" }).click();
  await page.getByText("2 scenes", { exact: true }).first().waitFor();
  await page.getByRole("button", { name: "Review price" }).click();
  await page.locator("dialog button.primary:not([disabled])").click();
  await page.getByRole("button", { name: "Compare pins" }).click();
  await page.waitForURL(/\/compare\//);
  await page.getByLabel("Map B").waitFor();
  const dayOf = async (side: string): Promise<string> =>
    await page.evaluate<string>(
      `(({ options, selectedIndex }) => options[selectedIndex].text)(document.querySelector('select[aria-label="Map ${side}"]'))`,
    );
  assert.deepEqual(
    [await dayOf("A"), await dayOf("B")].map((name) => name.split(", ")[1]),
    ["13 Jun 2024", "3 Jul 2024"],
  );
  await page.getByRole("button", { name: "End the comparison" }).click();
  await page.waitForURL(/[?&]l=/);
  assert.deepEqual(faults, []);

  const stranger = await launchBrowser();
  try {
    const other = await stranger.newPage();
    const faultsThere = watchFaults(other);
    await other.goto(page.url());
    await other.getByRole("button", { name: "Only look at the maps" }).click();
    await other.getByRole("button", { name: "Show 13 Jun 2024" }).click();
    await other.getByRole("button", { name: "Hide True colour, 13 Jun 2024" }).waitFor();
    await other.getByRole("button", { name: "Show True colour, 3 Jul 2024" }).waitFor();
    assert.deepEqual(faultsThere, []);
  } finally {
    await stranger.close();
  }

  await pins.getByRole("button", { name: "Unpin 13 Jun 2024" }).click();
  await pins.getByRole("button", { name: "Unpin 3 Jul 2024" }).click();
  await page.waitForURL((url) => !url.searchParams.has("pin"));
});

inEachLook("pinned dates fit and break no rule of WCAG 2.2 AA", async (looked) => {
  const { page, service, theme, look } = looked;
  await ingestCoastSeries(await new RawClient(service.baseUrl).login(DEMO));
  await signIn(looked);
  await page.goto(`${service.baseUrl}/console?${SERIES_VIEW}&ui=${theme}`);
  await pinTwo(page);
  await page.locator("#map[data-rendered=true]").waitFor();
  await look("pinned dates", "pins");
});
