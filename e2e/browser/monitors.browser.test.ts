import assert from "node:assert/strict";
import { test } from "node:test";
import { ingestCoast } from "../main-job.ts";
import { RawClient } from "../raw-client.ts";
import { ADMIN, DEMO } from "../service-process.ts";
import { openConsole, signIn, type OpenConsole } from "./open-console.ts";

const COAST = "15.0005, 0.8823, 15.0225, 0.904";

/** Signs in, takes the area of the coast and uploaded imagery, and starts to watch it. Returns the ID of the monitor. */
async function watchCoast(console: OpenConsole): Promise<string> {
  const { page, service } = console;
  await signIn(console);
  await page.goto(`${service.baseUrl}/console?d=local.uploads`);
  await page.getByRole("link", { name: "Monitors" }).click();
  await page.getByRole("link", { name: "Watch an area" }).click();
  await page.getByLabel("Name").fill("Coast");
  await page.getByRole("textbox", { name: "Area" }).fill(COAST);
  await page.getByRole("textbox", { name: "Area" }).press("Enter");
  await page.getByLabel("ndvi").check();
  await page.getByLabel("Above").fill("-1");
  await page.getByLabel("Below").fill("");
  await page.getByRole("button", { name: "Start to watch" }).click();
  await page.waitForURL(/monitors\/(?!new)\w/);
  await page.getByText("ndvi mean above −1").waitFor();
  return new URL(page.url()).pathname.split("/").at(-1) ?? "";
}

test("a new scene that breaks the rule of a monitor appears as an alert without a reload, and opens its map and date", async () => {
  await using console = await openConsole();
  const { page, service, faults } = console;
  const demo = await new RawClient(service.baseUrl).login(DEMO);
  const admin = await new RawClient(service.baseUrl).login(ADMIN);
  const price = { provider: "local", dataset: "uploads", creditsPerKm2: 0.5 };
  assert.equal((await admin.post("/credits/price-rules/create", price)).status, 200);
  const monitorId = await watchCoast(console);
  await page.getByRole("link", { name: "Find" }).click();
  const sceneId = await ingestCoast(demo);
  await page.getByRole("link", { name: "Alerts, 1 new" }).click();
  const row = page.locator("table.alerts tbody tr").first();
  await row.getByText("above −1").waitFor();
  await page
    .getByRole("link", { name: /^Alerts$/ })
    .first()
    .waitFor();
  const { body: monitor } = await demo.post("/monitor/get", { monitorId });
  const [scene] = monitor.scenes;
  assert.deepEqual([scene.sceneId, scene.alertAreas], [sceneId, ["0"]]);
  const value = new Intl.NumberFormat("en", { minimumFractionDigits: 3, maximumFractionDigits: 3 })
    .format(scene.values[0].value)
    .replace("-", "−");
  assert.match(await row.innerText(), new RegExp(`${value} above −1`));
  const credit = async () => (await demo.post("/credits/get-remaining-credit")).body.remainingCredit;
  const before = await credit();
  await row.getByRole("button").click();
  await page.getByRole("button", { name: "Hide ndvi" }).waitFor();
  const { body: info } = await demo.post("/imagery/scene-info", { sceneId });
  const day = info.datetime.slice(0, 10);
  await page.waitForURL(/[?&]l=/);
  const query = new URL(page.url()).searchParams;
  assert.deepEqual([query.get("sel"), query.get("t")], [sceneId, `${day}/${day}`]);
  assert.ok(scene.chargedCredits > 0);
  assert.equal(await credit(), before, "the monitor has paid the map");
  assert.deepEqual(faults, []);
});

test("alerts that came while nobody looked are there after a reload, and are new once", async () => {
  await using console = await openConsole();
  const { page, service } = console;
  const demo = await new RawClient(service.baseUrl).login(DEMO);
  await watchCoast(console);
  await ingestCoast(demo);
  await page.getByRole("link", { name: "Alerts, 1 new" }).waitFor();
  await page.reload();
  await page.getByRole("link", { name: "Alerts, 1 new" }).click();
  await page.locator("table.alerts tbody tr").first().waitFor();
  await page.reload();
  await page.locator("table.alerts tbody tr").first().waitFor();
  assert.equal(await page.locator(".alert-bell em").count(), 0);
});

test("a monitor is paused, changed and deleted, and says why it skipped a scene", async () => {
  await using console = await openConsole();
  const { page, service, faults } = console;
  const demo = await new RawClient(service.baseUrl).login(DEMO);
  const admin = await new RawClient(service.baseUrl).login(ADMIN);
  const price = { provider: "local", dataset: "uploads", creditsPerKm2: 0.5 };
  assert.equal((await admin.post("/credits/price-rules/create", price)).status, 200);
  const monitorId = await watchCoast(console);
  const get = async () => (await demo.post("/monitor/get", { monitorId })).body;
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByText("paused").waitFor();
  assert.equal((await get()).enabled, false);
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByText("watches").waitFor();
  await page.getByRole("button", { name: "Change" }).click();
  await page.getByLabel("Name").fill("<img src=x onerror=alert(1)>");
  await page.getByLabel("Budget, credits a month").fill("0.01");
  await page.getByLabel("Above").fill("");
  await page.getByLabel("Below").fill("0.25");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("ndvi mean below 0.250").first().waitFor();
  const { name, creditsPerMonth, rule } = await get();
  assert.deepEqual([name, creditsPerMonth, rule.below], ["<img src=x onerror=alert(1)>", 0.01, 0.25]);
  await ingestCoast(demo);
  await page.getByText("skipped: budget is used up").waitFor();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.locator("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("No monitor watches yet.").waitFor();
  assert.equal((await demo.post("/monitor/get", { monitorId })).status, 404);
  assert.deepEqual(faults, []);
});

test("past scenes are measured at the price that was shown, and at another price it is asked again", async () => {
  await using console = await openConsole();
  const { page, service, faults } = console;
  const demo = await new RawClient(service.baseUrl).login(DEMO);
  const admin = await new RawClient(service.baseUrl).login(ADMIN);
  const priceAt = async (creditsPerKm2: number): Promise<string> => {
    const rule = { provider: "local", dataset: "uploads", creditsPerKm2 };
    const { status, body } = await admin.post("/credits/price-rules/create", rule);
    assert.equal(status, 200, JSON.stringify(body));
    return body.id;
  };
  const sceneId = await ingestCoast(demo);
  const id = await priceAt(0.5);
  const monitorId = await watchCoast(console);
  const { body: info } = await demo.post("/imagery/scene-info", { sceneId });
  const day = info.datetime.slice(0, 10);
  await page.getByRole("button", { name: "Past scenes" }).click();
  await page.getByLabel("First day").fill(day);
  await page.getByLabel("Last day").fill(day);
  await page.getByRole("button", { name: "Show the price" }).click();
  await page.getByRole("button", { name: /^Measure 1 scene for/ }).waitFor();
  const before = (await demo.post("/credits/get-remaining-credit")).body.remainingCredit;
  assert.equal((await admin.post("/credits/price-rules/end", { id })).status, 200);
  await priceAt(0.75);
  await page.getByRole("button", { name: /^Measure 1 scene for/ }).click();
  await page.getByText("The price has changed. Nothing was charged.").waitFor();
  assert.equal((await demo.post("/credits/get-remaining-credit")).body.remainingCredit, before);
  const shown = Number(
    (await page.getByRole("button", { name: /^Measure 1 scene for/ }).innerText()).split(" ").at(-1),
  );
  await page.getByRole("button", { name: /^Measure 1 scene for/ }).click();
  await page.locator("dialog").waitFor({ state: "detached" });
  await page.locator("table .alert-mark").first().waitFor();
  const { scenes } = (await demo.post("/monitor/get", { monitorId })).body;
  assert.deepEqual(
    scenes.map((one: { sceneId: string; chargedCredits: number }) => [one.sceneId, one.chargedCredits]),
    [[sceneId, shown]],
  );
  const after = (await demo.post("/credits/get-remaining-credit")).body.remainingCredit;
  assert.ok(Math.abs(before - after - shown) < 1e-9);
  // The refusal at the old price.
  assert.deepEqual(
    faults.map((fault) => /\d{3}/.exec(fault)?.[0]),
    ["424"],
  );
});
