import assert from "node:assert/strict";
import { test } from "node:test";
import { openConsole } from "./open-console.ts";

test("the first page shows land and a scale, also on a map that is wider than the world", async () => {
  await using console = await openConsole({ width: 1920, height: 900 });
  const { page, service, faults } = console;
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`${service.baseUrl}/console`);
  await page.locator(".scale").waitFor({ state: "attached" });
  await page.waitForURL(/[?&]v=/);
  assert.ok(asked.includes("/console/basemap/land-110m.json"), asked.join(" "));
  assert.deepEqual(faults, []);
});
