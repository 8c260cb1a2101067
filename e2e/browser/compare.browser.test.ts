import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import sharp from "sharp";
import { choose } from "./choose.ts";
import { makeCoastMaps } from "./made-maps.ts";
import { launchBrowser, openConsole, signIn, watchFaults, type OpenConsole } from "./open-console.ts";
import { ingestCoast } from "../main-job.ts";
import { RawClient } from "../raw-client.ts";
import { DEMO } from "../service-process.ts";
import type { Page } from "./playwright.ts";

/** A corner of four pixels near the centre of the coast, at the zoom where a pixel of a tile is one of the page. */
const TILE_ZOOM = 13;
const TILE_PX = 512;
const VIEW_ZOOM = 14;
const LONGITUDE = 15.0115;
const LATITUDE = 0.893;

type Colour = readonly number[];

interface Place {
  readonly tile: readonly [x: number, y: number];
  readonly px: readonly [x: number, y: number];
  readonly view: string;
}

/** The tile and the whole pixel nearest to the centre, by the formula of EPSG:3857, and the view of its corner. */
function centre(): Place {
  const world = TILE_PX * 2 ** TILE_ZOOM;
  const radians = (LATITUDE * Math.PI) / 180;
  const x = Math.round(((LONGITUDE + 180) / 360) * world);
  const y = Math.round(((1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2) * world);
  const longitude = (x / world) * 360 - 180;
  const latitude = (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / world))) * 180) / Math.PI;
  return {
    tile: [Math.floor(x / TILE_PX), Math.floor(y / TILE_PX)],
    px: [x % TILE_PX, y % TILE_PX],
    view: `${longitude},${latitude},${VIEW_ZOOM}`,
  };
}

/** Mean colour of 9 pixels around a place of a picture. */
async function meanColour(picture: Buffer, [x, y]: readonly [number, number]): Promise<Colour> {
  const { data, info } = await sharp(picture)
    .removeAlpha()
    .extract({ left: Math.round(x) - 4, top: Math.round(y) - 4, width: 9, height: 9 })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const pixels = data.length / info.channels;
  return Array.from({ length: info.channels }, (_, channel) => {
    const values = data.filter((_value, at) => at % info.channels === channel);
    return values.reduce((sum, value) => sum + value, 0) / pixels;
  });
}

/** Colour of a map at a distance from the centre, from its tile. */
async function tileColour(url: string, offsetPx: number): Promise<Colour> {
  const { px } = centre();
  const answer = await fetch(url);
  assert.equal(answer.status, 200, url);
  return await meanColour(Buffer.from(await answer.arrayBuffer()), [px[0] + offsetPx, px[1]]);
}

async function pageColour(page: Page, folder: string, offsetPx: number): Promise<Colour> {
  await page.locator("#map[data-rendered=true]").waitFor();
  const box = await page.locator("#map").boundingBox();
  assert.ok(box !== null);
  const picture = await page.screenshot({ path: join(folder, "compared.png") });
  // Above the handle, below the badges.
  return await meanColour(picture, [box.x + box.width / 2 + offsetPx, box.y + box.height / 2]);
}

/** Looks at the page until it has the colour: a loaded page draws its tiles a little later. */
async function assertSeen({ page, service }: Pick<OpenConsole, "page" | "service">, offsetPx: number, url: string) {
  const wanted = await tileColour(url, offsetPx);
  let seen: Colour = [];
  for (let look = 0; look < 20; look++) {
    seen = await pageColour(page, service.folder, offsetPx);
    const apart = Math.max(...seen.map((value, channel) => Math.abs(value - (wanted[channel] ?? 0))));
    if (apart <= 6) return;
  }
  assert.fail(`${seen.join()} on the page, ${wanted.join()} in ${url}`);
}

async function openMaps(console: OpenConsole): Promise<{ readonly a: string; readonly b: string }> {
  const { service, page } = console;
  const { mapIds } = await makeCoastMaps(service, ["imagery", "ndvi"]);
  const [a = "", b = ""] = mapIds;
  await signIn(console);
  await page.goto(
    `${service.baseUrl}/console/compare/${a.replaceAll(".", "%2E")}/${b.replaceAll(".", "%2E")}?v=${centre().view}`,
  );
  await page.getByRole("slider", { name: "Line between A and B" }).waitFor();
  await page.getByRole("button", { name: "Hide ndvi" }).waitFor();
  const [x, y] = centre().tile;
  const tile = (mapId: string, file: string) =>
    `${service.baseUrl}/mapsvc/grid/${mapId}/-/${TILE_ZOOM}/${x}/${y}/${file}`;
  return { a: tile(a, "truecolor.png"), b: tile(b, "ndvi.png") };
}

/** Left and right of the line, off the handle and on the coast. */
const OFFSET_PX = 40;

test("the page left and right of the line has the colours of both maps' tiles, also after a reload", async () => {
  await using console = await openConsole();
  const { page, service, faults } = console;
  const { a, b } = await openMaps(console);
  for (const round of ["first", "reloaded"]) {
    await assertSeen({ page, service }, -OFFSET_PX, a);
    await assertSeen({ page, service }, OFFSET_PX, b);
    if (round === "first") await page.reload();
    await page.getByRole("button", { name: "Hide ndvi" }).waitFor();
  }
  const line = page.getByRole("slider", { name: "Line between A and B" });
  for (const key of ["ArrowRight", "ArrowRight", "Shift+ArrowRight"]) await line.press(key);
  await page.waitForURL(/cmp=swipe%3A0\.62/);
  await assertSeen({ page, service }, OFFSET_PX, a);
  await page.reload();
  await page.locator('[role="slider"][aria-valuenow="62"]').waitFor();
  await assertSeen(console, OFFSET_PX, a);
  assert.deepEqual(faults, []);
});

test("space shows one map after the other, s brings the line back, and split shows both with one view", async () => {
  await using console = await openConsole();
  const { page, faults } = console;
  await openMaps(console);
  await page.getByText("Split").click();
  await page.waitForURL(/cmp=split/);
  await page.locator(".compare-pane canvas").first().waitFor();
  const half = await page.locator(".compare-pane").boundingBox();
  const whole = await page.locator("#map").boundingBox();
  assert.ok(half !== null && whole !== null);
  assert.ok(Math.abs(half.width - whole.width) <= 3, `${half.width} px and ${whole.width} px`);
  await page.locator(".compare-pane[data-rendered=true]").waitFor();
  const view = page.url();
  await page.mouse.move(half.x + half.width / 2, half.y + half.height * 0.6);
  await page.mouse.down();
  for (const moved of [20, 40, 60]) await page.mouse.move(half.x + half.width / 2 + moved, half.y + half.height * 0.6);
  await page.mouse.up();
  await page.waitForURL(
    new RegExp(`^(?!.*${new URL(view).searchParams.get("v")?.split(",")[0]?.replace(".", "\\.")})`),
  );
  await page.locator("#map").press(" ");
  await page.waitForURL(/cmp=blink/);
  await page.getByText("Map B is seen").waitFor({ state: "attached" });
  await page.locator("#map").press(" ");
  await page.getByText("Map A is seen").waitFor({ state: "attached" });
  await page.locator("#map").press("s");
  await page.waitForURL(/cmp=swipe%3A0\.5/);
  assert.deepEqual(faults, []);
});

test("maps that were found, made and compared show both values and their difference", async () => {
  await using console = await openConsole();
  const { page, service, faults } = console;
  await ingestCoast(await new RawClient(service.baseUrl).login(DEMO));
  await signIn(console);
  await choose(page);
  await page.locator("dialog button.primary").click();
  await page.getByRole("button", { name: "Hide ndvi" }).waitFor();
  await page.getByRole("button", { name: "Compare two maps" }).click();
  await page.waitForURL(/\/compare\//);
  const [, , , a = ""] = new URL(page.url()).pathname.split("/");
  await page.getByLabel("Map B").selectOption(decodeURIComponent(a));
  await page.locator("#map").press("i");
  const map = await page.locator("#map").boundingBox();
  assert.ok(map !== null);
  // Beside the line.
  await page.mouse.click(map.x + map.width / 2 + 40, map.y + map.height / 2);
  const values = page.getByRole("table", { name: "Values of A and B" });
  await values.waitFor();
  const cells = (await values.locator("tbody tr").first().innerText()).split("\t").map((cell) => cell.trim());
  assert.match(cells[1] ?? "", /\d/);
  assert.equal(cells[1], cells[2], "a map compared with itself");
  assert.equal(cells[3], "0");
  assert.deepEqual(faults, []);
});

test("a stranger with the link sees the comparison", async () => {
  await using console = await openConsole();
  const { page, service } = console;
  const { a, b } = await openMaps(console);
  await page.waitForURL(/[?&]l=/);
  const stranger = await launchBrowser();
  try {
    const other = await stranger.newPage({ viewport: { width: 1440, height: 900 } });
    const faults = watchFaults(other);
    await other.goto(page.url());
    await other.getByLabel("E-mail").waitFor();
    await other.getByRole("button", { name: "Hide ndvi" }).waitFor({ state: "attached" });
    await other.locator(".swipe-handle").waitFor({ state: "attached" });
    // The sign-in covers the middle of the map.
    await other.evaluate("document.querySelector('dialog').close()");
    await assertSeen({ page: other, service }, -OFFSET_PX, a);
    await assertSeen({ page: other, service }, OFFSET_PX, b);
    assert.deepEqual(faults, []);
  } finally {
    await stranger.close();
  }
});
