import assert from "node:assert/strict";
import { test } from "node:test";
import { ingestCoast } from "../main-job.ts";
import { RawClient } from "../raw-client.ts";
import { ADMIN, DEMO } from "../service-process.ts";
import { keepPicture } from "./keep-picture.ts";
import { openConsole, signIn, type OpenConsole } from "./open-console.ts";
import { assertAccessible } from "./violations.ts";

const WIDE = { width: 1440, height: 900 };

/** Spends at a price of six digits: maps of the coast, and some of a neighbouring area. */
async function spend({ service }: OpenConsole): Promise<RawClient> {
  const admin = await new RawClient(service.baseUrl).login(ADMIN);
  const demo = await new RawClient(service.baseUrl).login(DEMO);
  const sceneId = await ingestCoast(demo);
  const price = { provider: "local", dataset: "uploads", creditsPerKm2: 0.123457 };
  assert.equal((await admin.post("/credits/price-rules/create", price)).status, 200);
  for (const [west, east] of [
    [15.001, 15.01],
    [15.005, 15.015],
    [15.005, 15.02],
  ] as const) {
    const ring = [
      [west, 0.885],
      [east, 0.885],
      [east, 0.9],
      [west, 0.9],
      [west, 0.885],
    ];
    const paid = await demo.post("/credits/area/allocate-geojson", {
      sceneIds: [sceneId],
      geojson: { type: "Polygon", coordinates: [ring] },
    });
    assert.equal(paid.status, 200, JSON.stringify(paid.body));
  }
  return demo;
}

test("the sum of the shown rows equals the balance of the service to the last digit", async () => {
  await using console = await openConsole(WIDE);
  const { page, faults } = console;
  const demo = await spend(console);
  const { remainingCredit } = (await demo.post("/credits/get-remaining-credit")).body;
  await signIn(console);
  await page.getByRole("link", { name: "Credits" }).click();
  await page.getByRole("grid", { name: "Credit log of the group" }).waitFor();
  const digits = async (id: string) =>
    (await page.locator(`[data-testid=${id}]`).innerText()).replaceAll(/[^\d.]/g, "");
  assert.equal(await digits("balance"), remainingCredit.toFixed(6));
  assert.equal(await digits("sum"), remainingCredit.toFixed(6));
  const cells = page.locator("[role=grid] [role=row] [role=gridcell]:last-child");
  const count = await cells.count();
  assert.equal(count, 4);
  let micro = 0;
  for (let position = 0; position < count; position += 1) {
    const cell = (await cells.nth(position).innerText()).replaceAll(/[\s,]/g, "").replace("\u2212", "-");
    micro += Math.round(Number(cell) * 1e6);
  }
  assert.equal(micro, Math.round(remainingCredit * 1e6));
  await page.getByLabel("Kind").selectOption("Hold");
  await page.getByText("None of 4 rows meets these conditions.").waitFor();
  await page.getByRole("button", { name: "Show all" }).click();
  await page.getByRole("grid", { name: "Credit log of the group" }).waitFor();
  assert.deepEqual(faults, []);
});

test("a user sees the limit that bounds the credit", async () => {
  await using console = await openConsole(WIDE);
  const { page, service, faults } = console;
  await spend(console);
  const admin = await new RawClient(service.baseUrl).login(ADMIN);
  const demo = await new RawClient(service.baseUrl).login(DEMO);
  const { id: userId, usedCredit } = (await demo.post("/credits/user/info", {})).body;
  assert.equal((await admin.post("/credits/user/set-credit-limit", { userId, creditLimit: 5 })).status, 200);
  await signIn(console);
  await page.getByRole("link", { name: "Credits" }).click();
  const limits = page.locator("[data-testid=limits]");
  await limits.getByText("Your own limit").waitFor();
  const rows = (await limits.innerText()).split("\n").map((line) => line.trim());
  assert.deepEqual(
    rows.filter((_, position) => position % 2 === 0),
    ["Left in the group", "Your own limit", "Spent by you", "Held for orders and maps"],
  );
  assert.equal(Number(rows[3]), 5);
  assert.equal(Number(rows[5]), usedCredit);
  await page.getByText("Your own limit bounds what you can spend.").waitFor();
  const left = (await page.locator("[data-testid=balance]").innerText()).replaceAll(/[^\d.]/g, "");
  assert.equal(left, (5 - usedCredit).toFixed(6));
  assert.deepEqual(faults, []);
});

for (const [kind, theme, size] of [
  ["light", "light", WIDE],
  ["dark", "dark", WIDE],
  ["narrow", "light", { width: 375, height: 812 }],
] as const) {
  test(`credit fits the ${kind} page and keeps the rules of WCAG 2.2 AA`, async () => {
    await using console = await openConsole(size, { bypassCSP: true });
    const { page, service, faults } = console;
    await signIn(console);
    await page.goto(`${service.baseUrl}/console/credits?ui=${theme}`);
    await page.getByText("No credit is spent yet.").waitFor();
    await assertAccessible(page, "nothing yet");
    await spend(console);
    await page.reload();
    await page.getByRole("grid", { name: "Credit log of the group" }).waitFor();
    await assertAccessible(page, "ledger");
    await keepPicture(page, `credits-${kind}`, service.folder);
    assert.deepEqual(faults, []);
  });
}
