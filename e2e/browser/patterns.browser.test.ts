import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../until.ts";
import { makeCoastMaps } from "./made-maps.ts";
import { openConsole, signIn } from "./open-console.ts";
import { changedShare, pagePixels } from "./page-pixels.ts";
import type { Page } from "./playwright.ts";
import { assertAccessible } from "./violations.ts";

/** The map without what lies on it. */
const MAP = { left: 620, top: 300, width: 300, height: 300 };

async function picture(page: Page): Promise<Buffer> {
  await page.locator("#map[data-rendered=true]").waitFor();
  return await pagePixels(page, MAP);
}

/** Waits until patterns have changed a picture, and returns the changed share of it. */
async function markedShare(page: Page, plain: Buffer): Promise<number> {
  const look = async (): Promise<number | undefined> => {
    const share = changedShare(plain, await picture(page));
    return share >= 0.02 ? share : undefined;
  };
  return await eventually("2 % of the picture have changed", look, 20_000);
}

test("classes differ in a pattern on request, on the map and in the legend, and the link keeps it", async () => {
  await using console = await openConsole({ width: 1440, height: 900 }, { bypassCSP: true });
  const { service, page, faults } = console;
  const { mapIds } = await makeCoastMaps(service, ["wrunc"]);
  const [mapId = ""] = mapIds;
  await signIn(console);
  await page.goto(`${service.baseUrl}/console?v=15.0115,0.893,14&l=${mapId}:segmentation.png:1`);
  const panel = page.getByRole("region", { name: "Layers" });
  const patterns = panel.getByRole("checkbox", { name: "Patterns on classes" });
  await patterns.waitFor();
  const plain = await picture(page);
  assert.equal(await panel.locator(".classes svg path").count(), 0);

  await patterns.check();
  await page.waitForURL(/[?&]pat=1/);
  const marked = await markedShare(page, plain);
  assert.ok(marked < 0.6, `a pattern leaves most of the colour, it changed ${marked}`);
  const shapes = await page.evaluate<readonly string[]>(
    "[...document.querySelectorAll('.classes svg path')].map((path) => path.getAttribute('d'))",
  );
  assert.ok(shapes.length > 1);
  assert.equal(new Set(shapes).size, shapes.length, "each class of the legend has another pattern");
  await assertAccessible(page, "patterns");

  const link = page.url();
  await page.goto(link);
  await markedShare(page, plain);
  await panel.locator("input:checked").waitFor();

  // A link of a stranger names classes as it likes.
  const hostile = encodeURIComponent(encodeURIComponent("classification=constructor"));
  await page.goto(`${service.baseUrl}/console?v=15.0115,0.893,14&pat=1&l=${mapId}:segmentation.png:1:${hostile}`);
  await panel.getByRole("button", { name: /^Remove/ }).waitFor();
  await panel.getByLabel(/^Classes of/).waitFor();

  await page.goto(`${service.baseUrl}/m/${mapId}`);
  await page.getByRole("checkbox", { name: "Patterns on classes" }).check();
  await page.locator(".classes svg.patterned").first().waitFor();
  await assertAccessible(page, "patterns of a public map");
  // The service refuses the tiles of the strange link, and nothing else fails.
  assert.deepEqual(
    faults.filter((text) => !/ 422 .*classification=constructor/.test(text)),
    [],
  );
});
