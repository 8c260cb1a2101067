import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { installExtra } from "../../scripts/extras.ts";
import { ServiceProcess } from "../service-process.ts";
import { until } from "../until.ts";
import { makeCoastMaps } from "./made-maps.ts";
import { launchBrowser, watchFaults } from "./open-console.ts";
import { colourCount, pagePixels } from "./page-pixels.ts";
import type { Browser } from "./playwright.ts";
import { serveFolder } from "./static-server.ts";

const EXAMPLES = join(import.meta.dirname, "..", "..", "examples");
const packages = installExtra("examples");

const stack = new AsyncDisposableStack();
let browser: Browser;
let service: ServiceProcess;
let address: string;

before(async () => {
  service = stack.use(await ServiceProcess.start());
  const { mapIds } = await makeCoastMaps(service, ["imagery"]);
  address = `${service.baseUrl}/mapsvc/map/${mapIds[0]}/tilejson.json`;
  browser = await launchBrowser();
  stack.defer(() => browser.close());
});
after(() => stack.disposeAsync());

/** The middle of the page. */
const MIDDLE = { left: 300, top: 200, width: 200, height: 200 };

for (const name of ["leaflet", "openlayers", "maplibre"]) {
  test(`the example of ${name} shows the map of a TileJSON address, with its library from a package`, async () => {
    await using server = await serveFolder(join(EXAMPLES, name), { ranges: false, packages });
    const page = await browser.newPage({ viewport: { width: 800, height: 600 } });
    const faults = watchFaults(page);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(`${server.url}?tilejson=${encodeURIComponent(address)}`);
    const origins = [new URL(server.url).origin, new URL(service.baseUrl).origin];
    await until(`${name} draws the picture`, async () => colourCount(await pagePixels(page, MIDDLE)) > 20);
    assert.deepEqual(faults, []);
    assert.deepEqual(
      asked.filter((url) => url.startsWith("http") && !origins.includes(new URL(url).origin)),
      [],
    );
    await page.close();
  });
}

test("the list of examples names the versions of the packages that the pages are tested with", async () => {
  const page = await readFile(join(EXAMPLES, "README.md"), "utf8");
  const manifest = JSON.parse(await readFile(join(packages, "..", "package.json"), "utf8")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  for (const [name, version] of Object.entries(manifest.dependencies)) {
    assert.ok(page.includes(`${name}@${version}`), `${name}@${version}`);
  }
});
