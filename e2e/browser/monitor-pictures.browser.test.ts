import assert from "node:assert/strict";
import { test } from "node:test";
import { COAST_AREA, ingestCoast } from "../main-job.ts";
import { RawClient } from "../raw-client.ts";
import { ADMIN, DEMO, ServiceProcess } from "../service-process.ts";
import { assertAccessible } from "./violations.ts";
import { keepPicture } from "./keep-picture.ts";
import { launchBrowser, signIn, watchFaults } from "./open-console.ts";

for (const [kind, theme, size] of [
  ["light", "light", { width: 1440, height: 900 }],
  ["dark", "dark", { width: 1440, height: 900 }],
  ["narrow", "light", { width: 375, height: 812 }],
  ["narrow-dark", "dark", { width: 375, height: 812 }],
] as const) {
  test(`monitors and alerts of the ${kind} page fit its width and break no rule of WCAG 2.2 AA`, async () => {
    await using service = await ServiceProcess.start();
    const demo = await new RawClient(service.baseUrl).login(DEMO);
    const admin = await new RawClient(service.baseUrl).login(ADMIN);
    const price = { provider: "local", dataset: "uploads", creditsPerKm2: 0.5 };
    assert.equal((await admin.post("/credits/price-rules/create", price)).status, 200);
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage({ viewport: size, bypassCSP: true });
      const faults = watchFaults(page);
      const at = async (path: string): Promise<void> =>
        void (await page.goto(`${service.baseUrl}/console/monitors${path}?ui=${theme}&d=local.uploads`));
      await signIn({ page, service });
      await at("");
      await page.getByText("No monitor watches yet.").waitFor();
      await assertAccessible(page, "no monitor");
      await at("/alerts");
      await page.getByText(/^No alert/).waitFor();
      await assertAccessible(page, "no alert");
      await at("/new");
      await page.getByLabel("ndvi").check();
      await assertAccessible(page, "form");
      await keepPicture(page, `monitor-form-${kind}`, service.folder);
      const settings = { areas: COAST_AREA, datasets: [{ provider: "local", dataset: "uploads" }], mapTypes: ["ndvi"] };
      const measure = { mapType: "ndvi", statistic: "mean" };
      const ids: string[] = [];
      for (const [name, creditsPerMonth, above] of [
        ["Harbour of the north", 0.01, 0.9],
        ["Coast", 50, -1],
      ] as const) {
        const rule = { kind: "threshold", measure, above };
        const { status, body } = await demo.post("/monitor/create", { ...settings, name, creditsPerMonth, rule });
        assert.equal(status, 200, JSON.stringify(body));
        ids.push(body.id);
      }
      await ingestCoast(demo);
      await page.getByRole("link", { name: "Alerts, 1 new" }).waitFor();
      await at("");
      await page.getByText("Harbour of the north").waitFor();
      await assertAccessible(page, "list");
      await keepPicture(page, `monitors-${kind}`, service.folder);
      await at(`/${ids[0]}`);
      await page.getByText("skipped: budget is used up").waitFor();
      await assertAccessible(page, "skipped");
      await at(`/${ids[1]}`);
      await page.locator("table .alert-mark").waitFor();
      await assertAccessible(page, "monitor");
      await page.locator("#map[data-rendered=true]").waitFor();
      await keepPicture(page, `monitor-${kind}`, service.folder);
      await page.getByRole("button", { name: "Past scenes" }).click();
      await page.getByLabel("First day").fill("2024-01-01");
      await page.getByLabel("Last day").fill("2030-01-01");
      await page.getByRole("button", { name: "Show the price" }).click();
      await page.getByText(/No scene of these days/).waitFor();
      await assertAccessible(page, "past scenes");
      await at("/alerts");
      await page.locator("table.alerts tbody button").first().click();
      await page.waitForURL(/[?&]l=/);
      await page.locator("#map[data-rendered=true]").waitFor();
      await assertAccessible(page, "alerts");
      await keepPicture(page, `alerts-${kind}`, service.folder);
      assert.deepEqual(faults, []);
    } finally {
      await browser.close();
    }
  });
}
