import assert from "node:assert/strict";
import { test } from "node:test";
import { ingestCoast, upload } from "../main-job.ts";
import { RawClient } from "../raw-client.ts";
import { DEMO } from "../service-process.ts";
import { choose } from "./choose.ts";
import { openConsole, signIn, type OpenConsole } from "./open-console.ts";

/** First bytes of each file. */
const MAGIC = {
  "GeoTIFF of the values": /^(II\*|II\+|MM)/,
  "PNG picture": /^\u0089PNG/,
  "PDF report": /^%PDF-/,
  "Bands of the scene (GeoTIFF)": /^(II\*|II\+|MM)/,
} as const;

async function makeMaps(console: OpenConsole): Promise<RawClient> {
  const { page, service } = console;
  const demo = await new RawClient(service.baseUrl).login(DEMO);
  await ingestCoast(demo);
  await signIn(console);
  await choose(page);
  await page.locator("dialog button.primary").click();
  await page.getByRole("button", { name: "Hide ndvi" }).waitFor();
  return demo;
}

test("files of a map are made, seen under Tasks and downloaded, for no credits", async () => {
  await using console = await openConsole();
  const { page, service, faults } = console;
  const demo = await makeMaps(console);
  const before = (await demo.post("/credits/get-remaining-credit")).body.remainingCredit;
  await page.getByRole("button", { name: "Export ndvi" }).click();
  await page.getByLabel("GeoTIFF of the values").waitFor();
  assert.equal(await page.getByLabel("GeoJSON").count(), 0);
  assert.equal(await page.getByLabel("Timelapse").count(), 0);
  await page.getByText(/^At most 126 million pixels/).waitFor();
  const results = page.locator("section[aria-label=Export] li.task");
  for (const [position, [name, magic]] of Object.entries(MAGIC).entries()) {
    await page.getByLabel(name).check();
    await page.getByRole("button", { name: `Make ${name}` }).click();
    await results.nth(position).waitFor();
    const link = results.first().getByRole("link", { name: "Download" });
    await link.waitFor();
    const href = await link.getAttribute("href");
    const file = await fetch(new URL(href ?? "", service.baseUrl));
    assert.equal(file.status, 200, name);
    const bytes = Buffer.from(await file.arrayBuffer());
    assert.match(bytes.toString("latin1"), magic, name);
  }
  await page.getByRole("button", { name: /^Tasks/ }).click();
  const tasks = page.locator("section[aria-label=Tasks]");
  await tasks.getByRole("link", { name: "Download" }).nth(3).waitFor();
  assert.equal((await demo.post("/credits/get-remaining-credit")).body.remainingCredit, before);
  assert.deepEqual(faults, []);
});

test("a failed task says the reason and the way out, an ingest opens its scene", async () => {
  await using console = await openConsole();
  const { page } = console;
  const demo = await makeMaps(console);
  const filepath = await upload(demo, new Uint8Array(4_000));
  const { body } = await demo.post("/imagery/ingest-scene/initiate", { provider: "local", filepath });
  await demo.settled(body.pipelineId);
  const tasks = page.locator("section[aria-label=Tasks]");
  await page.reload();
  await page.getByRole("button", { name: /^Tasks/ }).click();
  await tasks.getByText(/^\S.* The file is damaged, cut off or no image: write it again\.$/).waitFor();
  await tasks.locator("li.task:has(strong:text-is('Ingest'))").getByRole("button", { name: "Open" }).click();
  await page.getByRole("button", { name: "Review price" }).waitFor();
  await page
    .getByRole("checkbox", { name: /^Choose the scene/ })
    .first()
    .waitFor();
});
