import assert from "node:assert/strict";
import { test } from "node:test";
import { COAST_AREA } from "../main-job.ts";
import { RawClient } from "../raw-client.ts";
import { DEMO, ServiceProcess } from "../service-process.ts";
import { keepPicture } from "./keep-picture.ts";
import { launchBrowser, openConsole, signIn, watchFaults } from "./open-console.ts";
import { assertAccessible } from "./violations.ts";

const COAST = "15.0005,0.8823,15.0225,0.904";
const PINS = { type: "FeatureCollection", features: [1, 2, 3].map(pin) } as const;

function pin(number: number) {
  const properties = { collection: "pins", name: `Pin ${number}` };
  return { type: "Feature", geometry: { type: "Point", coordinates: [number, number] }, properties };
}

test("the searched area is kept under a name, renamed, searched again and deleted", async () => {
  await using console = await openConsole();
  const { page, service, faults } = console;
  const demo = await new RawClient(service.baseUrl).login(DEMO);
  const kept = async () => (await demo.post("/geojson/feature/list")).body.results;
  await signIn(console);
  await page.goto(`${service.baseUrl}/console/areas?aoi=${COAST}`);
  await page.getByText(/^No saved area yet/).waitFor();
  await page.getByRole("textbox", { name: "Name" }).fill("<img src=x onerror=alert(1)>");
  await page.getByRole("button", { name: "Keep the searched area" }).click();
  await page.getByText("<img src=x onerror=alert(1)>").click();
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: "New name" }).fill("Harbour");
  await page.getByRole("button", { name: "Rename" }).click();
  await page.locator(".virtual-table").getByText("Harbour").waitFor();
  assert.equal((await kept())[0].properties.name, "Harbour");
  await page.goto(`${service.baseUrl}/console/areas`);
  await page.locator(".virtual-table").getByText("Harbour").click();
  await page.getByRole("button", { name: "Search here" }).click();
  await page.waitForURL(/\/console\?.*aoi=/);
  await page.goto(`${service.baseUrl}/console/areas`);
  await page.locator(".virtual-table").getByText("Harbour").click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.locator("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText(/^No saved area yet/).waitFor();
  assert.deepEqual(await kept(), []);
  assert.deepEqual(faults, []);
});

for (const [kind, theme, size] of [
  ["light", "light", { width: 1440, height: 900 }],
  ["dark", "dark", { width: 1440, height: 900 }],
  ["narrow", "light", { width: 375, height: 812 }],
] as const) {
  test(`areas and layers of the ${kind} page fit its width and break no rule of WCAG 2.2 AA`, async () => {
    await using service = await ServiceProcess.start();
    const demo = await new RawClient(service.baseUrl).login(DEMO);
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage({ viewport: size, bypassCSP: true });
      const faults = watchFaults(page);
      const at = async (path: string): Promise<void> =>
        void (await page.goto(`${service.baseUrl}/console/areas${path}?ui=${theme}`));
      await signIn({ page, service });
      await at("");
      await page.getByText(/^No saved area yet/).waitFor();
      await assertAccessible(page, "no area");
      const feature = { type: "Feature", geometry: COAST_AREA, properties: { name: "Harbour" } };
      assert.equal((await demo.post("/geojson/feature/save", feature)).status, 200);
      assert.equal((await demo.post("/api/features/create", PINS)).status, 200);
      await at("");
      await page.locator(".virtual-table").getByText("Harbour").click();
      await page.getByRole("button", { name: "Show on the map" }).click();
      await page.locator("#map[data-rendered=true]").waitFor();
      await assertAccessible(page, "areas");
      await keepPicture(page, `areas-${kind}`, service.folder);
      await at("/layers/pins");
      await page.locator(".virtual-table").getByText("Pin 3").waitFor();
      await page.getByText("3 features").waitFor();
      await assertAccessible(page, "layer");
      assert.deepEqual(faults, []);
    } finally {
      await browser.close();
    }
  });
}
