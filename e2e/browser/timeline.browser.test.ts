import assert from "node:assert/strict";
import { test } from "node:test";
import { RawClient } from "../raw-client.ts";
import { DEMO } from "../service-process.ts";
import { ingestCoastSeries, SERIES_VIEW } from "./coast-series.ts";
import { openConsole, signIn } from "./open-console.ts";

test("the timeline plays the dates up to a pause or the last one, and outlines what the filter hides", async () => {
  await using console = await openConsole();
  const { service, browser, page, faults } = console;
  await ingestCoastSeries(await new RawClient(service.baseUrl).login(DEMO));
  await signIn(console);
  const address = `${service.baseUrl}/console?${SERIES_VIEW}&cloud=0-50`;
  await page.goto(address);
  const timeline = page.getByRole("region", { name: "Timeline" });
  await timeline.getByText("3 scenes").waitFor();
  assert.equal(await timeline.locator(".bar").count(), 4);
  assert.equal(await timeline.locator(".bar.filtered").count(), 1, "the scene with 80 % cloud is an outline");
  await timeline.getByText("Outline: hidden by a filter.").waitFor();

  await timeline.getByRole("button", { name: "Play the dates" }).click();
  await timeline.getByText("3 Jun 2024").waitFor();
  await timeline.getByText("13 Jun 2024").waitFor();
  await timeline.getByRole("button", { name: "Pause" }).click();
  await timeline.getByRole("button", { name: "Previous date" }).click();
  await timeline.getByRole("button", { name: "Play the dates" }).click();
  await timeline.getByText("23 Jun 2024").waitFor();
  await timeline.getByRole("button", { name: "Play the dates" }).waitFor();
  assert.equal(await timeline.getByRole("button", { name: "Latest date" }).count(), 0, "it stopped at the latest one");
  await timeline.getByRole("button", { name: "Previous date" }).click();
  await page.locator("#map").click();
  await page.keyboard.press(" ");
  await timeline.getByRole("button", { name: "Pause" }).waitFor();
  await page.keyboard.press(" ");
  await timeline.getByRole("button", { name: "Play the dates" }).waitFor();
  await timeline.getByRole("button", { name: "Latest date" }).click();
  await timeline.getByText("23 Jun 2024").waitFor();
  assert.deepEqual(faults, []);

  const still = await browser.newPage({ reducedMotion: "reduce" });
  await signIn({ page: still, service });
  await still.goto(address);
  await still.getByRole("button", { name: "Latest date" }).waitFor();
  assert.equal(await still.getByRole("button", { name: "Play the dates" }).count(), 0, "nothing moves by itself");
});
