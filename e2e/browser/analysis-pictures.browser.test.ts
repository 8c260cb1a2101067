import assert from "node:assert/strict";
import { test } from "node:test";
import { COAST_AREA, ingestCoast } from "../main-job.ts";
import { RawClient } from "../raw-client.ts";
import { DEMO, ServiceProcess } from "../service-process.ts";
import { keepPicture } from "./keep-picture.ts";
import { launchBrowser, signIn, watchFaults } from "./open-console.ts";
import { assertAccessible } from "./violations.ts";

const PATH = "/analytics/analysis";

for (const [kind, theme, size] of [
  ["light", "light", { width: 1440, height: 900 }],
  ["dark", "dark", { width: 1440, height: 900 }],
  ["narrow", "light", { width: 375, height: 812 }],
] as const) {
  test(`analyses of the ${kind} page fit its width and break no rule of WCAG 2.2 AA`, async () => {
    await using service = await ServiceProcess.start();
    const demo = await new RawClient(service.baseUrl).login(DEMO);
    const sceneId = await ingestCoast(demo);
    await demo.post("/credits/area/allocate-geojson", { sceneIds: [sceneId], geojson: COAST_AREA });
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage({ viewport: size, bypassCSP: true });
      const faults = watchFaults(page);
      const at = async (path: string): Promise<void> =>
        void (await page.goto(`${service.baseUrl}/console/analyses${path}?ui=${theme}`));
      await signIn({ page, service });
      await at("");
      await page.getByText("No analysis yet.").waitFor();
      await assertAccessible(page, "no analysis");
      await at("/new");
      await page.getByRole("textbox", { name: "Folder" }).waitFor();
      await assertAccessible(page, "form");
      const ids: string[] = [];
      for (const [name, path, tags] of [
        ["Harbour", "coast/2026", ["water"]],
        ["Fields of the north", "fields/2026/spring", ["rye", "winter"]],
      ] as const) {
        const polygon = { type: "Feature", geometry: COAST_AREA, properties: { name } };
        const { body } = await demo.post(`${PATH}/create-or-update`, { analysis: { polygon, path, tags } });
        ids.push(body.analysisId);
      }
      const maps = { analysisId: ids[1], sceneIds: [sceneId], mapTypes: ["ndvi", "imagery", "nbr"] };
      await demo.run(`${PATH}/add-map-types`, { ...maps, geometry: COAST_AREA });
      await demo.post(`${PATH}/create-or-update`, { analysisId: ids[1], analysis: { hiddenFeatures: ["object-7"] } });
      await at("");
      await page.getByText("Fields of the north").waitFor();
      await assertAccessible(page, "list");
      await keepPicture(page, `analyses-${kind}`, service.folder);
      await at(`/${ids[1]}`);
      await page.waitForURL(/[?&]l=/);
      await page.getByText("object-7").waitFor();
      await page.locator("#map[data-rendered=true]").waitFor();
      await assertAccessible(page, "analysis");
      await keepPicture(page, `analysis-${kind}`, service.folder);
      await page.getByRole("button", { name: "Change" }).click();
      await page.getByLabel("Editors").first().waitFor();
      await assertAccessible(page, "change");
      assert.deepEqual(faults, []);
    } finally {
      await browser.close();
    }
  });
}
