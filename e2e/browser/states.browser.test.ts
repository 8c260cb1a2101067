import assert from "node:assert/strict";
import { test } from "node:test";
import { ingestCoast } from "../main-job.ts";
import { RawClient } from "../raw-client.ts";
import { ADMIN, DEMO } from "../service-process.ts";
import { ingestCoastSeries, SERIES_VIEW } from "./coast-series.ts";
import { inEachLook } from "./in-each-look.ts";
import { makeCoastMaps } from "./made-maps.ts";
import { openConsole, searchArea, signIn } from "./open-console.ts";
import { assertAccessible } from "./violations.ts";

const COAST = "15.0005, 0.8823, 15.0225, 0.904";

test("without a network the page says so, keeps what was entered, and repeats the search once the network is back", async () => {
  await using console = await openConsole({ width: 1440, height: 900 }, { bypassCSP: true });
  const { service, page } = console;
  await ingestCoast(await new RawClient(service.baseUrl).login(DEMO));
  await signIn(console);
  await page.locator("details.datasets summary").click();
  await page.getByLabel("Uploaded imagery").check();
  await page.context().setOffline(true);
  await page.getByText("The service does not answer. It is tried again, and nothing you entered is lost.").waitFor();
  await assertAccessible(page, "offline");
  await page.getByRole("textbox", { name: "Area" }).fill(COAST);
  await page.getByRole("textbox", { name: "Area" }).press("Enter");
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByText("The service does not answer. Look at your connection, and try again.").waitFor();
  await assertAccessible(page, "a search without a network");
  await page.context().setOffline(false);
  await page
    .getByRole("checkbox", { name: /^Choose the scene/ })
    .first()
    .waitFor();
  await page.getByText("It is tried again").waitFor({ state: "detached" });
  assert.equal(await page.getByRole("textbox", { name: "Area" }).inputValue(), COAST);
});

inEachLook("failures name the reason, the way out and what an operator asks for, and fit", async (looked) => {
  const { page, service, theme, look } = looked;
  const demo = await new RawClient(service.baseUrl).login(DEMO);
  const admin = await new RawClient(service.baseUrl).login(ADMIN);
  await ingestCoastSeries(demo);
  await signIn(looked);
  await page.goto(
    `${service.baseUrl}/console?${SERIES_VIEW.replace("2024-06-01/2024-07-31", "1975-01-01/1975-01-02")}&ui=${theme}`,
  );
  await page.getByText(/4 scenes meet the area at other times, the newest on 2024-07-03/).waitFor();
  await look("nothing found in these days", "empty");
  await page.getByRole("button", { name: "Search all days" }).click();
  await page.getByText("3 Jul 2024").first().waitFor();

  const { id: userId, groupId } = (await demo.post("/credits/user/info", {})).body;
  assert.equal((await admin.post("/credits/user/set-credit-limit", { userId, creditLimit: 0.000001 })).status, 200);
  await page
    .getByRole("checkbox", { name: /^Choose the scene/ })
    .first()
    .check();
  await page.getByRole("button", { name: "Review price" }).click();
  await page.getByText(/credits are missing\. Your own limit is 0\.000001 credits\./).waitFor();
  await look("no credit", "no-credit");
  await page.locator("dialog").getByRole("button", { name: "Cancel" }).first().click();

  const { permissions } = (await admin.post("/group/info", { groupId })).body;
  const set = { permissions: permissions.filter((held: string) => !held.startsWith("imagery")) };
  assert.equal((await admin.post("/group/manage", { groupId, set })).status, 200);
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.getByText(/permission imagery\.[a-z.]+\. An administrator of your group gives it\./).waitFor();
  await page.getByText("Code and request").click();
  await page
    .getByText(/401 NOT-AUTHORIZED/)
    .first()
    .waitFor();
  await look("no permission", "no-permission");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy the call" }).click();
  await page.getByText("Copied").waitFor();
  const call = await page.evaluate<string>("navigator.clipboard.readText()");
  assert.match(call, /^curl .*\/imagery\/search\/initiate/su);
});

test("a view closer than the pixels says that nothing finer comes", async () => {
  await using console = await openConsole();
  const { service, page, faults } = console;
  const { mapIds } = await makeCoastMaps(service, ["ndvi"]);
  await signIn(console);
  const layer = encodeURIComponent(`${mapIds[0] ?? ""}:ndvi.png:1`);
  await page.goto(`${service.baseUrl}/console?l=${layer}&v=15.0115,0.893,21`);
  await page.getByText("These are the finest pixels").waitFor();
  await page.goto(`${service.baseUrl}/console?l=${layer}&v=15.0115,0.893,13`);
  await page.getByRole("button", { name: "Hide ndvi" }).waitFor();
  await page.locator("#map[data-rendered=true]").waitFor();
  assert.equal(await page.getByText("These are the finest pixels").count(), 0);
  assert.deepEqual(faults, []);
});

test("an area across the antimeridian finds scenes on both sides of it, beside each other on the map", async () => {
  await using console = await openConsole();
  const { page, faults } = console;
  await signIn(console);
  await page.locator("details.datasets summary").click();
  await page.getByRole("checkbox", { name: /^Sentinel-2 top of atmosphere/ }).check();
  await searchArea(page, "179.4, -17.2, -179.4, -16.4");
  await page
    .getByRole("checkbox", { name: /^Choose the scene/ })
    .first()
    .waitFor();
  const [width] = await page.evaluate<[number]>("[document.querySelector('#map').clientWidth]");
  assert.ok(width > 0);
  // The area is fitted as one box, not around the world.
  await page.waitForURL((url) => Number(url.searchParams.get("v")?.split(",")[2] ?? 0) > 6);
  const [longitude = 0] = (new URL(page.url()).searchParams.get("v") ?? "").split(",").map(Number);
  assert.ok(Math.abs(longitude) > 178, `the centre is at ${longitude}`);
  assert.deepEqual(faults, []);
});
