import assert from "node:assert/strict";
import { test } from "node:test";
import { openConsole, signIn } from "./open-console.ts";

test("the first drag moves the map, before anything of it has the focus", async () => {
  await using console = await openConsole();
  const { page, service } = console;
  await signIn(console);
  await page.goto(`${service.baseUrl}/console?v=15,0,5`);
  await page.locator("#map[data-rendered=true]").waitFor();
  const map = await page.locator("#map").boundingBox();
  assert.ok(map !== null);
  const [x, y] = [map.x + map.width / 2, map.y + map.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let step = 1; step <= 10; step += 1) await page.mouse.move(x - step * 20, y);
  await page.mouse.up();
  await page.waitForURL(/[?&]v=(?!15%2C)/);
  const [longitude = 0] = (new URL(page.url()).searchParams.get("v") ?? "").split(",").map(Number);
  assert.ok(longitude > 15, String(longitude));
});

test("the search follows the map while somebody wishes it", async () => {
  await using console = await openConsole();
  const { page, service, faults } = console;
  await signIn(console);
  await page.goto(`${service.baseUrl}/console?v=15.01,0.89,10`);
  await page.locator("#map[data-rendered=true]").waitFor();
  await page.getByLabel("Search as the map moves").check();
  await page.waitForURL(/[?&]aoi=/);
  await page.locator("ul.scenes:not(.dimmed)").waitFor({ state: "attached" });
  const first = encodeURIComponent(new URL(page.url()).searchParams.get("aoi") ?? "").replaceAll(".", String.raw`\.`);
  await page.getByRole("button", { name: "Zoom in" }).click();
  await page.waitForURL(new RegExp(`^(?!.*aoi=${first}(?:&|$)).*`));
  await page.locator("ul.scenes:not(.dimmed)").waitFor({ state: "attached" });
  assert.deepEqual(faults, []);
});
