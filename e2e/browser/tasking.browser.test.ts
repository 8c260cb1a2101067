import assert from "node:assert/strict";
import { test } from "node:test";
import { groundTrack } from "@swath/kernel/orbits/ground-track";
import { propagatorOfElements } from "@swath/kernel/orbits/sgp4";
import { RawClient } from "../raw-client.ts";
import { ADMIN, DEMO } from "../service-process.ts";
import { keepPicture } from "./keep-picture.ts";
import { openConsole, signIn, type OpenConsole } from "./open-console.ts";
import { assertAccessible } from "./violations.ts";

const HARBOUR = "153.12,-27.43,153.18,-27.39";
const SPOTLIGHT = "Spotlight (simulated), 0.3 m";
/** A second of the clock is a day of an order. */
const FAST = { SWATH_TASKING_SPEED: "86400" };
const WIDE = { width: 1440, height: 900 };

/** Opens tasking over the harbour and asks for the passes of one product, at a price. */
async function askForSpotlight(console: OpenConsole, theme = "light"): Promise<RawClient> {
  const { page, service } = console;
  const admin = await new RawClient(service.baseUrl).login(ADMIN);
  const price = { provider: "radar-multi", dataset: "spotlight", creditsPerKm2: 0.123457 };
  const set = await admin.post("/credits/price-rules/create", price);
  assert.equal(set.status, 200, JSON.stringify(set.body));
  await page.goto(`${service.baseUrl}/console/tasking?aoi=${HARBOUR}&ui=${theme}`);
  await page.getByLabel("Product").selectOption(SPOTLIGHT);
  await page.getByLabel("Name of the order").fill("harbour <img src=x onerror=alert(1)>");
  await page.getByRole("button", { name: "Find opportunities" }).click();
  await page.getByRole("list", { name: "Opportunities" }).waitFor();
  return await new RawClient(service.baseUrl).login(DEMO);
}

test("a capture is ordered at the price in the button, its status followed, and its scene opened", async () => {
  await using console = await openConsole(WIDE, { bypassCSP: false }, FAST);
  const { page, faults } = console;
  await signIn(console);
  const demo = await askForSpotlight(console);
  const before = (await demo.post("/credits/get-remaining-credit")).body.remainingCredit;
  await page.getByRole("list", { name: "Opportunities" }).getByRole("button").first().click();
  const order = page.getByRole("button", { name: /^Order for/ });
  const shown = Number((await order.innerText()).replace("Order for ", ""));
  await page.locator(".order-bar button.primary:not([disabled])").click();
  await page.waitForURL(/tasking\/orders\/[0-9a-f-]{36}/);
  await page.locator(".history li").nth(0).waitFor();
  const held = (await demo.post("/credits/get-remaining-credit")).body.remainingCredit;
  assert.ok(shown > 0, String(shown));
  assert.equal((before - held).toFixed(6), shown.toFixed(6));
  const scene = page.getByRole("button", { name: "Open the scene" });
  await scene.waitFor();
  await page.getByText("Fulfilled").waitFor();
  assert.match(await page.locator(".history").innerText(), /Received[^]*Accepted[^]*In progress[^]*Fulfilled/);
  await scene.click();
  await page.locator("li.scene.selected").waitFor();
  await page.waitForURL(/\/console\?.*sel=/);
  assert.deepEqual(faults, []);
});

test("list, bar and ground track are one selection, and each limit says how many it hides", async () => {
  await using console = await openConsole(WIDE);
  const { page, faults } = console;
  await signIn(console);
  const demo = await askForSpotlight(console);
  const rows = page.getByRole("list", { name: "Opportunities" }).getByRole("button");
  const all = Number((await page.getByText(/^\d+ opportunities$/).innerText()).split(" ")[0]);
  await rows.first().click();
  assert.equal(await page.locator("rect.pass.selected").count(), 1);

  const [west = 0, south = 0, east = 0, north = 0] = HARBOUR.split(",").map(Number);
  const sides = [south, north].map((latitude) => [west, east].map((longitude) => [longitude, latitude]));
  const [[southWest, southEast] = [], [northWest, northEast] = []] = sides;
  const ring = [southWest, southEast, northEast, northWest, southWest];
  const geometry = { type: "Polygon", coordinates: [ring] };
  const study = await demo.run("/scene-tasking/feasibility", { dataset: "spotlight", name: "same", geometry });
  // The map shows the area alone until the study is answered, then its surroundings: the zoom tells them apart.
  await page.waitForURL((url) => viewOf(url)[2] < 9);
  const [, first = "", last = ""] = /tasking\/([\d-]{10})\/([\d-]{10})/.exec(page.url()) ?? [];
  const tracks: readonly Place[] = study.body.windows
    // The study has days beyond those of the page.
    .filter(({ startTime }: Pass) => startTime.slice(0, 10) >= first && startTime.slice(0, 10) <= last)
    .flatMap((pass: Pass) => placesOf(pass, study.body.orbits));
  const map = await page.locator("#map").boundingBox();
  assert.ok(map !== null);
  const view = viewOf(new URL(page.url()));
  const spot = tracks
    .map((place) => pixelOf(place, view))
    .map(([x, y]) => [map.x + map.width / 2 + x, map.y + map.height / 2 + y] as const)
    // Beside tools and layers.
    .find(([x, y]) => x > map.x + 150 && x < map.x + map.width - 330 && y > map.y + 120 && y < map.y + map.height - 60);
  assert.ok(spot !== undefined, "no track crosses the map");
  await rows.first().click();
  assert.equal(await page.locator("rect.pass.selected").count(), 0);
  await page.mouse.click(...spot);
  await page.locator(".opportunities li.selected").waitFor();
  assert.equal(await page.locator("rect.pass.selected").count(), 1);

  await page.getByLabel("Off-nadir, at most").fill("30");
  await page.getByText(/^hides [1-9]\d*$/).waitFor();
  const hidden = Number((await page.getByText(/^hides [1-9]/).innerText()).replace("hides ", ""));
  assert.equal(await page.getByText(`${all - hidden} opportunities`).count(), 1);
  assert.equal(await page.locator("rect.pass").count(), all - hidden);
  assert.equal(await rows.count(), all - hidden);
  await page.getByRole("button", { name: "Show them" }).click();
  assert.equal(await page.locator("rect.pass").count(), all);
  assert.deepEqual(faults, []);
});

test("an order is cancelled after its fee was shown, and the credit comes back", async () => {
  await using console = await openConsole(WIDE);
  const { page, faults } = console;
  await signIn(console);
  const demo = await askForSpotlight(console);
  const before = (await demo.post("/credits/get-remaining-credit")).body.remainingCredit;
  await page.getByRole("list", { name: "Opportunities" }).getByRole("button").first().click();
  await page.locator(".order-bar button.primary:not([disabled])").click();
  await page.getByRole("button", { name: "Cancel the order" }).click();
  await page.getByText("The whole price is returned.").waitFor();
  await page.getByRole("button", { name: "Cancel the order now" }).click();
  await page.locator(".history").getByText("Cancelled").waitFor();
  assert.equal((await demo.post("/credits/get-remaining-credit")).body.remainingCredit, before);
  await page.getByRole("button", { name: "All orders" }).click();
  await page.getByRole("button", { name: /Cancelled · spotlight/ }).waitFor();
  assert.deepEqual(faults, []);
});

for (const [kind, theme, size] of [
  ["light", "light", WIDE],
  ["dark", "dark", WIDE],
  ["narrow", "light", { width: 375, height: 812 }],
] as const) {
  test(`each state of tasking fits the ${kind} page and keeps the rules of WCAG 2.2 AA`, async () => {
    await using console = await openConsole(size, { bypassCSP: true }, FAST);
    const { page, service, faults } = console;
    await signIn(console);
    await page.goto(`${service.baseUrl}/console/tasking/orders?ui=${theme}`);
    await page.getByText("Orders appear here").waitFor();
    await assertAccessible(page, "no orders");
    await page.goto(`${service.baseUrl}/console/tasking?ui=${theme}`);
    await page.getByText("A satellite can capture").waitFor();
    await assertAccessible(page, "nothing yet");
    await page.goto(`${service.baseUrl}/console/tasking/2020-01-01/2020-01-02?aoi=${HARBOUR}&ui=${theme}`);
    await page.locator(".study-form button.primary:not([disabled])").click();
    await page.getByText("No satellite can capture").waitFor();
    await assertAccessible(page, "nothing found");
    await askForSpotlight(console, theme);
    await page.getByRole("list", { name: "Opportunities" }).getByRole("button").first().click();
    await page.locator(".order-bar button.primary:not([disabled])").waitFor();
    await page.locator("#map[data-rendered=true]").waitFor();
    await assertAccessible(page, "opportunities");
    await keepPicture(page, `tasking-${kind}`, service.folder);
    await page.locator(".order-bar button.primary").click();
    await page.getByRole("button", { name: "Open the scene" }).waitFor();
    await assertAccessible(page, "order");
    await keepPicture(page, `tasking-order-${kind}`, service.folder);
    assert.deepEqual(faults, []);
  });
}

interface Orbit {
  readonly satellite: string;
  readonly epoch: string;
  readonly meanMotion: number;
  readonly eccentricity: number;
  readonly inclination: number;
  readonly raOfAscNode: number;
  readonly argOfPericenter: number;
  readonly meanAnomaly: number;
}

interface Pass {
  readonly satellite: string;
  readonly elementsEpoch: string;
  readonly startTime: string;
}

type Place = readonly [longitude: number, latitude: number];

function placesOf({ satellite, elementsEpoch, startTime }: Pass, orbits: readonly Orbit[]): readonly Place[] {
  const orbit = orbits.find((one) => one.satellite === satellite && one.epoch === elementsEpoch);
  assert.ok(orbit !== undefined);
  const propagate = propagatorOfElements({
    epochMs: Date.parse(orbit.epoch),
    meanMotionRevPerDay: orbit.meanMotion,
    eccentricity: orbit.eccentricity,
    inclinationDeg: orbit.inclination,
    nodeDeg: orbit.raOfAscNode,
    perigeeDeg: orbit.argOfPericenter,
    meanAnomalyDeg: orbit.meanAnomaly,
  });
  const startMs = Date.parse(startTime);
  return groundTrack(propagate, startMs - 85_000, startMs + 85_000, 1_000).map(({ lonDeg, latDeg }) => [
    lonDeg,
    latDeg,
  ]);
}

/** The view of the map in an address; without one, a zoom that no map has. */
function viewOf(url: URL): readonly [longitude: number, latitude: number, zoom: number] {
  const [longitude = 0, latitude = 0, zoom = 99] = url.searchParams.get("v")?.split(",").map(Number) ?? [];
  return [longitude, latitude, zoom];
}

/** Pixels right of and below the centre of a Mercator map. */
function pixelOf([longitude, latitude]: Place, [centreLon, centreLat, zoom]: ReturnType<typeof viewOf>): Place {
  const worldPx = 256 * 2 ** zoom;
  return [((longitude - centreLon) / 360) * worldPx, (mercatorY(centreLat) - mercatorY(latitude)) * worldPx];
}

/** Share of the world's width north of the equator. */
function mercatorY(degrees: number): number {
  return Math.log(Math.tan(Math.PI / 4 + (degrees * Math.PI) / 360)) / (2 * Math.PI);
}
