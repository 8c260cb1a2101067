import assert from "node:assert/strict";
import { test } from "node:test";
import { RawClient } from "../raw-client.ts";
import { DEMO } from "../service-process.ts";
import { ingestCoastSeries } from "./coast-series.ts";
import { inEachLook } from "./in-each-look.ts";
import { timelineBars } from "./timeline-bars.ts";
import { openConsole, signIn } from "./open-console.ts";

/** The scenes cover 2,560 m of 0.05 degrees along the equator: 46 % of the area. */
const VIEW =
  "aoi=15,0.885,15.05,0.9&t=2024-06-01/2024-07-31&d=local.uploads,ee.COPERNICUS%2FS2_HARMONIZED&v=15.02,0.8925,13";

test("filters say how many scenes they show, and narrow list, map and timeline without a search", async () => {
  await using console = await openConsole();
  const { service, page, faults } = console;
  await ingestCoastSeries(await new RawClient(service.baseUrl).login(DEMO));
  await signIn(console);
  let searches = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/imagery/search/initiate")) searches += 1;
  });
  await page.goto(`${service.baseUrl}/console?${VIEW}`);
  const cloud = page.getByRole("group", { name: "Most cloud" });
  await cloud.waitFor();
  assert.equal(searches, 1);
  const all = await page.locator(".scene").count();
  assert.ok(all > 4, "both datasets have scenes");

  await page.getByText("2 of the datasets").click();
  await page.getByRole("checkbox", { name: /^Sentinel-2 top of atmosphere/ }).click();
  await page
    .getByText(/^4 scenes$/)
    .first()
    .waitFor();
  assert.equal(await page.locator(".scene").count(), 4);
  assert.equal(await page.getByText("46 % of area").count(), 4);
  await page.getByRole("checkbox", { name: /^Uploaded imagery\s*4$/ }).waitFor();
  // 0, 10, 30 and 80 % cloud.
  const numbers = await cloud.getByRole("button").allTextContents();
  assert.deepEqual(
    numbers.map((one) => one.replaceAll("\u00a0", " ")),
    ["≤ 5 % 1", "≤ 20 % 2", "≤ 40 % 3", "≤ 60 % 3", "Any 4"],
  );

  await cloud.getByRole("button", { name: /≤ 20/ }).click();
  await page
    .getByText(/^2 scenes$/)
    .first()
    .waitFor();
  assert.equal((await timelineBars(page)).shown, 2);
  await page.getByRole("button", { name: "Show those hidden by cloud" }).click();
  await page
    .getByText(/^4 scenes$/)
    .first()
    .waitFor();
  await page.getByRole("button", { name: "Show those hidden by dataset" }).click();
  await page
    .getByText(new RegExp(`^${all} scenes$`))
    .first()
    .waitFor();
  assert.equal(searches, 1, "no filter searched again");
  assert.deepEqual(faults, []);
});

inEachLook("filters with their counts fit and break no rule of WCAG 2.2 AA", async (looked) => {
  const { page, service, theme, look } = looked;
  await ingestCoastSeries(await new RawClient(service.baseUrl).login(DEMO));
  await signIn(looked);
  await page.goto(`${service.baseUrl}/console?${VIEW}&cloud=0-20&nadir=10&ui=${theme}`);
  await page.getByRole("group", { name: "Most view angle" }).waitFor();
  await page.locator("#map[data-rendered=true]").waitFor();
  await look("filters", "filters");
});
