import assert from "node:assert/strict";
import { test } from "node:test";
import { makeCoastMaps } from "./made-maps.ts";
import { openConsole, signIn } from "./open-console.ts";

test("a layer has its date, and says why it shows nothing", async () => {
  await using console = await openConsole();
  const { service, page } = console;
  const { mapIds } = await makeCoastMaps(service, ["ndvi"]);
  const [mapId = ""] = mapIds;
  await signIn(console);
  const layer = `l=${mapId}:ndvi.png:1`;
  await page.goto(`${service.baseUrl}/console?v=15.0115,0.893,13&${layer}`);
  const panel = page.getByRole("region", { name: "Layers" });
  const hide = panel.getByRole("button", { name: /^Hide ndvi, \d+ \w+ \d{4}$/ });
  await hide.waitFor();
  await page.locator("#map[data-rendered=true]").waitFor();
  const note = panel.locator(".empty-note");
  assert.equal(await note.count(), 0, "a layer in sight needs no reason");
  await hide.click();
  await panel.getByText("Hidden: press the eye.").waitFor();
  await panel.getByRole("button", { name: /^Show ndvi/ }).click();
  await note.waitFor({ state: "detached" });

  await page.goto(`${service.baseUrl}/console?v=16,0.893,13&${layer}`);
  await panel.getByText("Outside of the view: zoom to it.").waitFor();
  await panel.getByRole("button", { name: /^Zoom to ndvi/ }).click();
  await note.waitFor({ state: "detached" });
  await page.goto(`${service.baseUrl}/console?v=15.0115,0.893,4&${layer}`);
  await panel.getByText("Too small to see here: zoom in.").waitFor();

  // The service answers 204 for tiles without a valid pixel.
  await page.route(/\/ndvi\.png/, (route) => route.abort());
  await page.goto(`${service.baseUrl}/console?v=15.0115,0.893,14&${layer}`);
  await panel.getByText("No valid pixel here.").waitFor();
});

test("an area is fitted beside the panels", async () => {
  await using console = await openConsole();
  const { page } = console;
  await signIn(console);
  await page.getByRole("textbox", { name: "Area" }).fill("15, 0.8, 15.5, 0.9");
  await page.getByRole("textbox", { name: "Area" }).press("Enter");
  await page.waitForURL(/aoi=15%2C0\.8.*/);
  const panel = await page.getByRole("region", { name: "Layers" }).boundingBox();
  const stage = await page.locator("#map").boundingBox();
  assert.ok(panel !== null && stage !== null);
  await page.waitForURL((url) => url.searchParams.has("v") && Number(url.searchParams.get("v")?.split(",")[2]) > 5);
  const [longitude = 0, , zoom = 0] = (new URL(page.url()).searchParams.get("v") ?? "").split(",").map(Number);
  // 256 pixels for the world at zoom 0.
  const pxPerDegree = (256 * 2 ** zoom) / 360;
  const eastPx = stage.x + stage.width / 2 + (15.5 - longitude) * pxPerDegree;
  assert.ok(eastPx < panel.x, `the area ends at ${eastPx}, the panel begins at ${panel.x}`);
  const westPx = stage.x + stage.width / 2 + (15 - longitude) * pxPerDegree;
  assert.ok(westPx > stage.x, "and begins on the map");
});
