import assert from "node:assert/strict";
import { test } from "node:test";
import { ingestCoast } from "../main-job.ts";
import { RawClient } from "../raw-client.ts";
import { DEMO } from "../service-process.ts";
import { inEachLook } from "./in-each-look.ts";
import { openConsole, searchArea, signIn } from "./open-console.ts";

const COAST = "15.0005, 0.8823, 15.0225, 0.904";

test("the facts of a scene lead to its STAC item, and its owner shares, deletes and restores it", async () => {
  await using console = await openConsole();
  const { service, page, faults } = console;
  const demo = await new RawClient(service.baseUrl).login(DEMO);
  const sceneId = await ingestCoast(demo);
  await signIn(console);
  await page.goto(`${service.baseUrl}/console?d=local.uploads`);
  await searchArea(page, COAST);
  await page.locator("button.scene-button").first().click();
  await page.getByRole("link", { name: /^Facts of the scene of/ }).click();
  await page.waitForURL(/\/console\/scene\//);
  await page.getByRole("table", { name: "Bands" }).waitFor();
  assert.equal(await page.locator("section[aria-label=Scene] tbody tr").count(), 4);
  const address = await page.getByLabel(/^STAC item/).inputValue();
  const found = await fetch(address, { headers: { authorization: `Bearer ${demo.token}` } });
  assert.deepEqual(
    ((await found.json()) as { readonly features: readonly { readonly id: string }[] }).features.map(({ id }) => id),
    [sceneId],
  );

  const own = page.getByRole("region", { name: "Your upload" });
  await own.getByLabel("Who sees it").selectOption("public");
  await page.reload();
  await page.locator("select option[value=public]:checked").waitFor({ state: "attached" });
  await own.getByRole("button", { name: "Delete the scene" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete the scene" }).click();
  await own.getByText(/^The scene is deleted\. Until 20/).waitFor();
  const { body } = await demo.post("/imagery/scene/list", { sceneId });
  assert.notEqual(body.results[0].deletedAt, null);
  await own.getByRole("button", { name: "Take back the deletion" }).click();
  await own.getByRole("button", { name: "Delete the scene" }).waitFor();
  await page.getByRole("button", { name: "Tick for maps" }).click();
  await page.getByRole("button", { name: "Back to the scenes" }).click();
  await page.getByRole("button", { name: "Review price" }).waitFor();
  assert.deepEqual(faults, []);
});

inEachLook("the facts of a scene fit and break no rule of WCAG 2.2 AA", async (looked) => {
  const { page, service, theme, look } = looked;
  const sceneId = await ingestCoast(await new RawClient(service.baseUrl).login(DEMO));
  await signIn(looked);
  const path = `/console/scene/${sceneId.replaceAll(".", "%2E")}`;
  await page.goto(`${service.baseUrl}${path}?v=15.0115,0.893,13&ui=${theme}`);
  await page.getByRole("button", { name: "Delete the scene" }).waitFor();
  await page.getByRole("button", { name: "Show on map" }).click();
  await page.locator("#map[data-rendered=true]").waitFor();
  await look("the facts of a scene", "scene");
  await page.goto(`${service.baseUrl}/console/scene/local%2Euploads%2Enothing?ui=${theme}`);
  await page.getByText("That did not work").waitFor();
  await look("a scene that does not exist");
});
