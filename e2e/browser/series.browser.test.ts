import assert from "node:assert/strict";
import { test } from "node:test";
import { RawClient } from "../raw-client.ts";
import { ADMIN, DEMO } from "../service-process.ts";
import { expectedNdvi, ingestCoastSeries, SERIES_VIEW } from "./coast-series.ts";
import { inEachLook } from "./in-each-look.ts";
import { openConsole, signIn } from "./open-console.ts";

/** Four maps and their clouds on a busy machine. */
const SERIES_MS = 120_000;

const creditOf = async (client: RawClient): Promise<number> =>
  (await client.post("/credits/get-remaining-credit")).body.remainingCredit;

test("the price of a series is what it costs, and a date of its chart is the date of the map", async () => {
  await using console = await openConsole();
  const { service, page, faults } = console;
  const demo = await new RawClient(service.baseUrl).login(DEMO);
  await ingestCoastSeries(demo);
  await signIn(console);
  await page.goto(`${service.baseUrl}/console?${SERIES_VIEW}`);
  await page.getByRole("link", { name: "Chart of the dates" }).click();
  const pay = page.getByRole("button", { name: /^Pay [\d.]+ and draw the series$/ });
  await pay.waitFor();
  const told = Number((await pay.innerText()).match(/[\d.]+/)?.[0]);
  const before = await creditOf(demo);
  await pay.click();
  const chart = page.getByRole("slider", { name: "by date" });
  await chart.waitFor({ timeout: SERIES_MS });
  assert.equal(((before - (await creditOf(demo))) * 1e6).toFixed(0), (told * 1e6).toFixed(0), "charged as shown");

  const drawn: number[] = [];
  for (const key of ["Home", "ArrowRight", "ArrowRight", "ArrowRight"]) {
    await chart.press(key);
    drawn.push(Number((await chart.getAttribute("aria-valuetext"))?.split(": ")[1]));
  }
  for (const [position, expected] of expectedNdvi().entries()) {
    assert.ok(Math.abs((drawn[position] ?? 0) - expected) < 0.002, `${drawn.join(" ")}, expected ${expected}`);
  }

  await chart.press("Home");
  const first = await chart.getAttribute("aria-valuetext");
  await page.waitForURL(/[?&]sel=/);
  await chart.press("ArrowRight");
  const second = (await chart.getAttribute("aria-valuetext")) ?? "";
  assert.match(second, /^13 Jun 2024: 0\.\d{3}$/);
  assert.notEqual(second, first);

  // The area is paid: its map costs nothing more.
  await page.getByRole("button", { name: "Make its map", exact: true }).click();
  const day = second.split(":")[0] ?? "";
  await page.getByText(`The map shows ${day}.`).waitFor();
  await page.waitForURL(/[?&]l=/);
  await chart.press("Home");
  await page.getByRole("button", { name: "Make its map", exact: true }).click();
  await page.getByText(`The map shows ${first?.split(":")[0]}.`).waitFor();
  await page.getByRole("button", { name: /^Show / }).waitFor();
  assert.equal(await page.getByRole("button", { name: /^Hide / }).count(), 1, "the map of the other date is hidden");

  const box = await page.locator(".chart .u-over").boundingBox();
  assert.ok(box !== null);
  await page.mouse.click(box.x + box.width - 4, box.y + box.height / 2);
  const last = await chart.getAttribute("aria-valuenow");
  assert.equal(last, await chart.getAttribute("aria-valuemax"), "a click takes the nearest date");

  await page.getByRole("button", { name: "As a table" }).click();
  const table = page.getByRole("region", { name: /^Mean of/ });
  assert.equal(await table.locator("tbody tr").count(), Number(last) + 1);
  await table.locator("tbody button").nth(1).click();
  await page.getByText(`The map shows ${day}.`).waitFor();

  // The link has it all, and a paid series is drawn at once.
  const { results } = (await demo.post("/imagery/scene/list")).body;
  const chosen = results.find(({ datetime }: { readonly datetime: string }) => datetime.startsWith("2024-06-13"));
  await page.waitForURL((url) => url.searchParams.get("sel") === chosen.sceneId);
  await page.goto(page.url());
  await chart.waitFor({ timeout: SERIES_MS });
  assert.equal(await chart.getAttribute("aria-valuetext"), second);
  assert.deepEqual(
    faults.filter((fault) => !/status of 4\d\d/.test(fault)),
    [],
  );
});

inEachLook("every state of a series fits and breaks no rule of WCAG 2.2 AA", async (looked) => {
  const { page, service, theme, look } = looked;
  await ingestCoastSeries(await new RawClient(service.baseUrl).login(DEMO));
  await signIn(looked);
  const open = async (path: string): Promise<void> => {
    await page.goto(`${service.baseUrl}/console/series${path}${path.includes("?") ? "&" : "?"}ui=${theme}`);
  };
  await open("");
  await page.getByText("Choose an area first").waitFor();
  await look("no area");
  await open(`?${SERIES_VIEW.replace("2024-06-01/2024-07-31", "1975-01-01/1975-01-02")}`);
  await page.getByText("No scene of the search covers this place.").waitFor();
  await look("no scene");
  await open(`?${SERIES_VIEW}`);
  const pay = page.getByRole("button", { name: /^Pay [\d.]+ and draw the series$/ });
  await pay.waitFor();
  await look("the price", "series-price");
  await pay.click();
  const chart = page.getByRole("slider", { name: "by date" });
  await chart.waitFor({ timeout: SERIES_MS });
  await chart.press("Home");
  await chart.press("ArrowRight");
  await page.getByRole("button", { name: "Make its map", exact: true }).click();
  await page.getByText(/^The map shows/).waitFor();
  await page.locator("#map[data-rendered=true]").waitFor();
  await look("the chart", "series");
  await page.getByRole("button", { name: "As a table" }).click();
  await page.locator(".series-table tbody tr").first().waitFor();
  await look("the table");
  await open(`/15%2E01600%2C0%2E89250/ndvi?${SERIES_VIEW}`);
  await page.getByRole("slider", { name: "by date" }).waitFor({ timeout: SERIES_MS });
  await look("a point");
  await open(`/area/no-such-type?${SERIES_VIEW}`);
  await page.getByRole("alert").first().waitFor();
  await look("a type that does not exist");
});

inEachLook("a series that may not be paid or read says why, and fits", async (looked) => {
  const { page, service, theme, look } = looked;
  const demo = await new RawClient(service.baseUrl).login(DEMO);
  const admin = await new RawClient(service.baseUrl).login(ADMIN);
  await ingestCoastSeries(demo);
  await signIn(looked);
  await page.goto(`${service.baseUrl}/console/series?${SERIES_VIEW}&ui=${theme}`);
  const pay = page.getByRole("button", { name: /^Pay [\d.]+ and draw the series$/ });
  await pay.waitFor();
  const told = await pay.innerText();
  const before = await creditOf(demo);
  const rule = { provider: "local", dataset: "uploads", creditsPerKm2: 0.345679 };
  assert.equal((await admin.post("/credits/price-rules/create", rule)).status, 200);
  await pay.click();
  await page.getByText("The price has changed. Nothing was charged.").waitFor();
  assert.notEqual(await pay.innerText(), told);
  assert.equal(await creditOf(demo), before);
  await look("a changed price");

  const { id: userId, groupId } = (await demo.post("/credits/user/info", {})).body;
  assert.equal((await admin.post("/credits/user/set-credit-limit", { userId, creditLimit: 0 })).status, 200);
  await page.reload();
  await page.getByText(/^[\d.]+ credits are missing\. Your (group has|own limit is)/).waitFor();
  assert.equal(await pay.count(), 0, "nothing to press that would be refused");
  await look("no credit");

  for (const permission of ["credits.allocate-area", "mapsvc.statistics"]) {
    await take(admin, groupId, permission);
    await page.reload();
    await page.getByText(`You lack the permission ${permission}. An administrator of your group gives it.`).waitFor();
    assert.equal(await pay.count(), 0);
    await look(`without ${permission}`);
  }
});

/** Takes a permission from a group. */
async function take(admin: RawClient, groupId: string, permission: string): Promise<void> {
  const { permissions } = (await admin.post("/group/info", { groupId })).body;
  assert.ok(permissions.includes(permission), permission);
  const set = { permissions: permissions.filter((held: string) => held !== permission) };
  const { status, body } = await admin.post("/group/manage", { groupId, set });
  assert.equal(status, 200, JSON.stringify(body));
}
