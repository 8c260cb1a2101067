import assert from "node:assert/strict";
import { test } from "node:test";
import { COAST_AREA, ingestCoast } from "../main-job.ts";
import { RawClient } from "../raw-client.ts";
import { DEMO } from "../service-process.ts";
import { choose } from "./choose.ts";
import { inEachLook } from "./in-each-look.ts";
import { openConsole, searchArea, signIn } from "./open-console.ts";

/** Around the coast: a part of the area is held. */
const AROUND = "14.97, 0.853, 15.053, 0.933";

/** Pays for the coast. */
async function holdCoast(demo: RawClient): Promise<void> {
  const sceneId = await ingestCoast(demo);
  const { status, body } = await demo.post("/credits/area/allocate-geojson", {
    sceneIds: [sceneId],
    geojson: COAST_AREA,
  });
  assert.equal(status, 200, JSON.stringify(body));
}

test("areas that are held are hatched where a scene is ticked, and all of them on request", async () => {
  await using console = await openConsole();
  const { service, page, faults } = console;
  const demo = await new RawClient(service.baseUrl).login(DEMO);
  await ingestCoast(demo);
  await signIn(console);
  await choose(page);
  assert.equal(await page.locator("[data-held-areas='0']").count(), 1, "nothing is held yet");
  await page.locator("dialog button.primary").click();
  await page.getByRole("button", { name: "Hide ndvi" }).waitFor();
  await page
    .getByRole("checkbox", { name: /^Choose the scene/ })
    .first()
    .check();
  await page.locator("[data-held-areas='1']").waitFor();
  await page.getByRole("button", { name: "Review price" }).click();
  await page.locator("dialog").getByText("Held", { exact: true }).waitFor();
  await page.locator("dialog").getByRole("button", { name: "Cancel" }).first().click();
  await page.reload();
  const held = page.getByRole("checkbox", { name: /^Held areas/ });
  await held.waitFor();
  assert.equal(await page.locator("[data-held-areas='0']").count(), 1);
  await held.check();
  await page.locator("[data-held-areas='1']").waitFor();
  assert.deepEqual(faults, []);
});

inEachLook("held areas fit and break no rule of WCAG 2.2 AA", async (looked) => {
  const { page, service, theme, look } = looked;
  await holdCoast(await new RawClient(service.baseUrl).login(DEMO));
  await signIn(looked);
  await page.goto(`${service.baseUrl}/console?ui=${theme}&d=local.uploads&v=15.0115,0.893,14`);
  await searchArea(page, AROUND);
  const fold = page.getByRole("button", { name: "Layers" });
  if ((await fold.getAttribute("aria-expanded")) === "false") await fold.click();
  await page.getByRole("checkbox", { name: /^Held areas/ }).check();
  await page.locator("[data-held-areas='1']").waitFor();
  await page.locator("#map[data-rendered=true]").waitFor();
  await look("held areas", "held");
});
