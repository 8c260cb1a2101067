import assert from "node:assert/strict";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { RawClient } from "../raw-client.ts";
import { DEMO, ServiceProcess } from "../service-process.ts";
import { swathDone } from "../swath-command.ts";
import { until } from "../until.ts";
import { makeCoastMaps } from "./made-maps.ts";
import { launchBrowser, watchFaults } from "./open-console.ts";
import { makeOrchard } from "./orchard.ts";
import { changedShare, colourCount, pagePixels } from "./page-pixels.ts";
import type { Browser, Page } from "./playwright.ts";
import { serveFolder } from "./static-server.ts";
import { assertAccessible } from "./violations.ts";

const TITLE = "<img src=x onerror=alert(1)> & coast";

let folder: string;
let coast: string;
let orchard: string;
let browser: Browser;

/** Folders of two publications; the service has ended before a page is opened. */
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "swath-published-"));
  coast = join(folder, "coast");
  orchard = join(folder, "orchard");
  {
    await using service = await ServiceProcess.start();
    const { mapIds } = await makeCoastMaps(service, ["imagery", "ndvi", "wrunc"]);
    await swathDone(service, "publish", ...mapIds, coast, "--title", TITLE);
    const { mapId } = await makeOrchard(await new RawClient(service.baseUrl).login(DEMO), 6);
    await swathDone(service, "publish", mapId, orchard);
  }
  browser = await launchBrowser();
});
after(async () => {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
});

/** The centre of the map. */
const CENTRE = { left: 620, top: 350, width: 200, height: 200 };

/** Distinct colours around the centre. */
async function colours(page: Page): Promise<number> {
  return colourCount(await pagePixels(page, CENTRE));
}

const SIZE = { width: 1440, height: 900 };

/** The page of a folder, into which the audit of accessibility may bring its script. */
async function openAudited(url: string) {
  const page = await browser.newPage({ viewport: SIZE, bypassCSP: true });
  const faults = watchFaults(page);
  await page.goto(url);
  await page.locator("#map[data-rendered=true]").waitFor();
  return { page, faults };
}

for (const ranges of [true, false]) {
  const kind = ranges ? "answers ranges of bytes" : "sends whole files only";
  test(`a published folder shows its maps from a web server that ${kind}, below a path`, async () => {
    await using server = await serveFolder(coast, { ranges });
    const page = await browser.newPage({ viewport: SIZE });
    const faults = watchFaults(page);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(server.url);
    await page.locator("#map[data-rendered=true]").waitFor();
    await page.getByRole("heading", { name: TITLE, exact: true }).waitFor();
    await page.getByLabel(/^True colour, /).waitFor();
    // A page that has just been rendered may not have begun to load a layer.
    await until("the picture has its colours", async () => (await colours(page)) > 20);

    await page.getByLabel(/^ndvi, /).check();
    await page.locator("#map[data-rendered=true]").waitFor();
    await page.getByRole("img", { name: /ndvi/ }).waitFor();
    await page.getByLabel("No picture").check();
    await page.locator("#map[data-rendered=true]").waitFor();
    await until("no picture is drawn", async () => (await colours(page)) < 10);

    assert.deepEqual(faults, []);
    assert.deepEqual(
      asked.filter((url) => !url.startsWith(server.url) && !url.startsWith("blob:")),
      [],
    );
    const archive = [...server.statuses].filter(([name]) => name.endsWith(".pmtiles"));
    assert.deepEqual(
      archive.map(([, statuses]) => [...statuses]),
      archive.map(() => [ranges ? 206 : 200]),
    );
    assert.equal(archive.length, 2);
    await page.close();
  });
}

test("the classes of a published map have patterns on request, on the map and in the legend", async () => {
  await using server = await serveFolder(coast, { ranges: true });
  const { page, faults } = await openAudited(server.url);
  await page.getByLabel(/^wrunc, /).check();
  await page.locator(".classes").waitFor();
  await page.locator("#map[data-rendered=true]").waitFor();
  const plain = await pagePixels(page, CENTRE);
  await page.getByRole("checkbox", { name: "Patterns on classes" }).check();
  await page.locator(".classes svg.patterned").first().waitFor();
  await until("a part of the picture has marks", async () => {
    const share = changedShare(plain, await pagePixels(page, CENTRE));
    return share > 0.05 && share < 0.6;
  });
  await assertAccessible(page, "patterns of a published map");
  assert.deepEqual(faults, []);
  await page.close();
});

test("objects of a published map are drawn and tell their class when they are clicked", async () => {
  await using server = await serveFolder(orchard, { ranges: true });
  const { page, faults } = await openAudited(server.url);
  await page.getByRole("checkbox", { name: /^trees, / }).check();
  await assertAccessible(page, "a published map of objects");
  const chosen = page.getByLabel("Chosen object");
  // Crowns stand in a grid: one of the points of a line across the centre is on a crown.
  for (let offset = 0; offset <= 160 && (await chosen.count()) === 0; offset += 4) {
    await page.mouse.click(720 + offset, 450 + offset / 2);
  }
  assert.match(await chosen.innerText(), /Area, m²/);
  assert.deepEqual(faults, []);
  await page.close();
});

test("the page of a folder without its document says that the maps cannot be read", async () => {
  const own = join(folder, "broken");
  await cp(coast, own, { recursive: true });
  await rm(join(own, "publication.json"));
  await using server = await serveFolder(own, { ranges: true });
  const page = await browser.newPage({ viewport: SIZE });
  await page.goto(server.url);
  await page.getByRole("heading", { name: "The maps cannot be read" }).waitFor();
  await page.close();
});
