import assert from "node:assert/strict";
import { test } from "node:test";
import { ingestCoast } from "../main-job.ts";
import { RawClient } from "../raw-client.ts";
import { ADMIN, DEMO } from "../service-process.ts";
import { choose } from "./choose.ts";
import { launchBrowser, openConsole, signIn, watchFaults } from "./open-console.ts";

test("a scene is found, its price told, charged to the last digit, and its maps are on the page", async () => {
  await using console = await openConsole();
  const { service, page, faults } = console;
  const demo = await new RawClient(service.baseUrl).login(DEMO);
  await ingestCoast(demo);
  const before = (await demo.post("/credits/get-remaining-credit")).body.remainingCredit;
  await signIn(console);
  await choose(page);
  const told = Number((await page.locator("[data-testid=price]").innerText()).trim());
  await page.locator("dialog button.primary").click();
  await page.getByRole("button", { name: "Hide ndvi" }).waitFor();
  const after = (await demo.post("/credits/get-remaining-credit")).body.remainingCredit;
  assert.ok(told > 0, String(told));
  assert.equal((before - after).toFixed(6), told.toFixed(6));
  assert.equal(await page.getByRole("button", { name: "Hide True colour" }).count(), 1);
  await page.locator("#map[data-rendered=true]").waitFor();
  await page.keyboard.press("i");
  const map = await page.locator("#map").boundingBox();
  assert.ok(map !== null);
  await page.mouse.click(map.x + map.width / 2, map.y + map.height / 2);
  const values = page.locator("section[aria-label=Values]");
  await values.locator("dt:text-is('NDVI')").waitFor();
  assert.match(await values.innerText(), /NDVI\s+[\u2212\d]/);
  assert.deepEqual(faults, []);
});

test("a price that changes behind the dialog charges nothing, and the new one is charged to the last digit", async () => {
  await using console = await openConsole();
  const { service, page, faults } = console;
  const demo = await new RawClient(service.baseUrl).login(DEMO);
  const admin = await new RawClient(service.baseUrl).login(ADMIN);
  const credit = async (): Promise<number> => (await demo.post("/credits/get-remaining-credit")).body.remainingCredit;
  await ingestCoast(demo);
  await signIn(console);
  await choose(page);
  const price = page.locator("[data-testid=price]");
  const told = Number((await price.innerText()).trim());
  const before = await credit();
  const rule = { provider: "local", dataset: "uploads", creditsPerKm2: 0.345679 };
  assert.equal((await admin.post("/credits/price-rules/create", rule)).status, 200);
  await page.locator("dialog button.primary").click();
  await page.getByText("The price has changed. Nothing was charged.").waitFor();
  await page.locator("dialog button.primary:not([disabled])").waitFor();
  assert.equal(await credit(), before);
  const asked = Number((await price.innerText()).trim());
  assert.ok(asked > told, `${asked} after ${told}`);
  await page.locator("dialog button.primary").click();
  await page.getByRole("button", { name: "Hide ndvi" }).waitFor();
  assert.equal((before - (await credit())).toFixed(6), asked.toFixed(6));
  assert.deepEqual(faults, []);
});

test("a stranger with the link sees the map, and nothing of the account", async () => {
  await using console = await openConsole();
  const { service, page } = console;
  await ingestCoast(await new RawClient(service.baseUrl).login(DEMO));
  await signIn(console);
  await choose(page);
  await page.locator("dialog button.primary").click();
  await page.getByRole("button", { name: "Hide ndvi" }).waitFor();
  await page.waitForURL(/[?&]l=/);
  const link = page.url();
  const stranger = await launchBrowser();
  try {
    const other = await stranger.newPage();
    const faults = watchFaults(other);
    const asked: string[] = [];
    other.on("request", (request) => asked.push(request.url()));
    await other.goto(link);
    await other.getByRole("button", { name: "Only look at the maps" }).click();
    await other.getByRole("button", { name: "Zoom to ndvi" }).waitFor();
    await other.locator("#map[data-rendered=true]").waitFor();
    assert.ok(
      asked.some((url) => /\/mapsvc\/grid\/.*\.png$/.test(url)),
      "no tile was asked for",
    );
    await other.getByRole("button", { name: "Sign in" }).click();
    await other.getByLabel("E-mail").waitFor();
    assert.equal(await other.getByText("credits").count(), 0);
    assert.deepEqual(
      asked.filter((url) => !url.startsWith(service.baseUrl)),
      [],
    );
    assert.deepEqual(faults, []);
  } finally {
    await stranger.close();
  }
});
