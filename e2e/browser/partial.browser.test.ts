import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { writeStaticCatalogue } from "../../packages/service/src/sources/stac-static/testing/static-catalogue.ts";
import { startStaticServer } from "../../packages/service/src/sources/stac-static/testing/static-server.ts";
import { staticCatalogueConfig } from "../static-catalogue-config.ts";
import { until } from "../until.ts";
import { assertFits } from "./keep-picture.ts";
import { openConsole, signIn } from "./open-console.ts";
import { assertAccessible } from "./violations.ts";

const VIEW =
  "aoi=14.25,50.1,14.35,50.2&t=2026-01-01/2026-01-10&d=acme.acme_flights,ee.COPERNICUS/S2_HARMONIZED&v=14.3,50.15,11";

test("loading shows its place and keeps the old list, and a dataset without an answer is named and asked again alone", async () => {
  const folder = mkdtempSync(join(tmpdir(), "swath-partial-"));
  await using server = await startStaticServer();
  writeStaticCatalogue(server, { items: 4 });
  const opening = Promise.withResolvers<void>();
  server.opening = opening.promise;
  const path = join(folder, "catalog.json");
  writeFileSync(path, staticCatalogueConfig(server.url));
  try {
    await using console = await openConsole({ width: 1440, height: 900 }, { bypassCSP: true }, { SWATH_CATALOG: path });
    const { page, service } = console;
    await signIn(console);
    const asked: string[][] = [];
    let gate = Promise.withResolvers<void>();
    await page.route(/\/imagery\/search\/initiate$/u, async (route) => {
      const { datasets } = JSON.parse(route.request().postData() ?? "{}") as { datasets: { dataset: string }[] };
      asked.push(datasets.map(({ dataset }) => dataset));
      await gate.promise;
      await route.continue();
    });
    await page.goto(`${service.baseUrl}/console?${VIEW}`);
    await page.locator(".skeleton").first().waitFor();
    await assertFits(page, "loading");
    await assertAccessible(page, "loading");
    gate.resolve();

    const warning = page.getByText(/^No answer from acme_flights\./u);
    await warning.waitFor();
    await assertFits(page, "partial");
    await assertAccessible(page, "partial");
    const count = page.locator(".count strong");
    const others = Number.parseInt(await count.innerText(), 10);
    assert.ok(others > 0);

    gate = Promise.withResolvers<void>();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator("ul.scenes.dimmed li.scene").first().waitFor();
    await assertAccessible(page, "loading again");
    gate.resolve();
    await page.locator("ul.scenes:not(.dimmed)").waitFor();
    await warning.waitFor();
    assert.equal(Number.parseInt(await count.innerText(), 10), others);

    opening.resolve();
    // The index of a catalogue is read aside: a search fails until it is there.
    await until("the dataset answers", async () => {
      if ((await warning.count()) === 0) return true;
      await page.getByRole("button", { name: "Try again" }).click();
      await page.locator("ul.scenes:not(.dimmed)").waitFor();
      return false;
    });
    assert.equal(Number.parseInt(await count.innerText(), 10), others + 4);
    const [first = [], ...again] = asked;
    assert.deepEqual(first.toSorted(), ["COPERNICUS/S2_HARMONIZED", "acme_flights"]);
    for (const datasets of again) assert.deepEqual(datasets, ["acme_flights"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
