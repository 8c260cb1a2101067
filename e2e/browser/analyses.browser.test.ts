import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { COAST_AREA, ingestCoast } from "../main-job.ts";
import { RawClient } from "../raw-client.ts";
import { DEMO } from "../service-process.ts";
import { openConsole, signIn, type OpenConsole } from "./open-console.ts";

const COAST = "15.0005,0.8823,15.0225,0.904";
const PATH = "/analytics/analysis";

/** Opens the console with a map of an ingested scene as its layer. */
async function openMap(console: OpenConsole): Promise<{ readonly demo: RawClient; readonly sceneId: string }> {
  const { page, service } = console;
  const demo = await new RawClient(service.baseUrl).login(DEMO);
  const sceneId = await ingestCoast(demo);
  await demo.post("/credits/area/allocate-geojson", { sceneIds: [sceneId], geojson: COAST_AREA });
  const { body } = await demo.run("/mapsvc/release", { mapTypes: ["ndvi"], sceneIds: [sceneId], extent: COAST_AREA });
  await signIn(console);
  await page.goto(`${service.baseUrl}/console?v=15.0115,0.893,12&aoi=${COAST}&l=${body.maps[0].mapId}:ndvi.png:1`);
  await page.getByRole("button", { name: "Hide ndvi" }).waitFor();
  return { demo, sceneId };
}

/** Saves the shown layers and returns the ID of the analysis. */
async function save({ page }: OpenConsole, name: string): Promise<string> {
  await page.getByRole("link", { name: "Analyses" }).click();
  await page.getByRole("link", { name: "Save what is shown" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByRole("textbox", { name: "Folder" }).fill("fields/2026");
  await page.getByRole("textbox", { name: "Tags, divided by commas" }).fill("rye, winter");
  await page.getByText("the shown layers (1)").waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("finished").waitFor();
  return new URL(page.url()).pathname.split("/").at(-1) ?? "";
}

test("shown layers are saved as an analysis in a folder, and opened again with their maps", async () => {
  await using console = await openConsole();
  const { page, service, faults } = console;
  const { demo, sceneId } = await openMap(console);
  const hostile = "<img src=x onerror=alert(1)>";
  const analysisId = await save(console, hostile);
  const skipped = { sceneIds: [sceneId], mapTypes: ["nbr"], geometry: COAST_AREA };
  await demo.run(`${PATH}/add-map-types`, { analysisId, ...skipped });
  const hidden = { hiddenFeatures: ["object-1", { featureId: "object-2" }] };
  await demo.post(`${PATH}/create-or-update`, { analysisId, analysis: hidden });
  const { body: analysis } = await demo.post(`${PATH}/get`, { analysisId });
  assert.deepEqual([analysis.path, analysis.tags], ["fields/2026", ["rye", "winter"]]);
  assert.deepEqual(analysis.analysisFrames[0].finishedActions, ["ndvi"]);
  await page.goto(`${service.baseUrl}/console/analyses`);
  await page.getByText("2026").first().waitFor();
  await page.getByLabel("Tag").waitFor();
  await page.getByRole("link", { name: hostile }).click();
  await page.getByRole("button", { name: "Hide ndvi" }).waitFor();
  await page.waitForURL(/[?&]l=/);
  const [shown = ""] = (new URL(page.url()).searchParams.get("l") ?? "").split(":");
  assert.equal(shown, encodeURIComponent(analysis.analysisFrames[0].results.ndvi[0].mapId).replaceAll(".", "%2E"));
  const [reason] = analysis.analysisFrames[0].skippedActions;
  assert.equal(reason.mapType, "nbr");
  await page.getByText(reason.errorMessage).waitFor();
  await page.getByRole("button", { name: "Show again the object object-1" }).click();
  await page.getByText("object-1").waitFor({ state: "detached" });
  const { body: after } = await demo.post(`${PATH}/get`, { analysisId });
  assert.deepEqual(after.hiddenFeatures, [{ featureId: "object-2" }]);
  assert.deepEqual(faults, []);
});

test("a change of somebody else is shown before it is overwritten, and stays", async () => {
  await using console = await openConsole();
  const { page, faults } = console;
  const { demo } = await openMap(console);
  const analysisId = await save(console, "North field");
  await page.getByRole("button", { name: "Change" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("South field");
  await page.getByRole("textbox", { name: "Folder" }).fill("archive");
  await demo.post(`${PATH}/create-or-update`, { analysisId, analysis: { tags: ["oats"] } });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Changed there: tags.").waitFor();
  await page.getByRole("button", { name: "Save my changes over it" }).click();
  await page.getByRole("heading", { name: "South field" }).waitFor();
  const { body } = await demo.post(`${PATH}/get`, { analysisId });
  assert.deepEqual([body.polygon.properties.name, body.path, body.tags], ["South field", "archive", ["oats"]]);
  // The refusal of the earlier version.
  assert.deepEqual(
    faults.map((fault) => /\d{3}/.exec(fault)?.[0]),
    ["409"],
  );
});

test("an analysis is exported, reported, copied, imported and deleted", async () => {
  await using console = await openConsole();
  const { page, service, faults } = console;
  const { demo } = await openMap(console);
  const analysisId = await save(console, "North field");
  await page.getByRole("button", { name: "Export a zip" }).click();
  const zip = await linked(page, "Download the zip");
  assert.equal(zip.subarray(0, 2).toString(), "PK");
  await page.getByRole("button", { name: "PDF report" }).click();
  const report = await linked(page, "Download the report");
  assert.equal(report.subarray(0, 5).toString(), "%PDF-");
  await page.getByRole("button", { name: /^Copy$/ }).click();
  await page.waitForURL(new RegExp(`analyses/(?!${analysisId})[a-z2-7]{26}`));
  await page.getByRole("button", { name: "Delete" }).click();
  await page.locator("dialog").getByRole("button", { name: "Delete" }).click();
  await page.waitForURL(/\/analyses(?:\?|$)/);
  const { body: list } = await demo.post(`${PATH}/list`);
  assert.deepEqual(
    list.results.map(({ id }: { id: string }) => id),
    [analysisId],
  );
  const path = join(service.folder, "analysis.zip");
  await writeFile(path, zip);
  await page.locator("input[type=file][accept='.zip']").setInputFiles(path);
  await page.waitForURL(new RegExp(`analyses/(?!${analysisId})[a-z2-7]{26}`));
  await page.getByRole("heading", { name: "North field" }).waitFor();
  assert.equal((await demo.post(`${PATH}/list`)).body.results.length, 2);
  assert.deepEqual(faults, []);
});

async function linked(page: OpenConsole["page"], name: string): Promise<Buffer> {
  const link = page.getByRole("link", { name });
  await link.waitFor();
  const url = (await link.getAttribute("href")) ?? "";
  return Buffer.from(await (await fetch(url)).arrayBuffer());
}
