import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { itemId, writeStaticCatalogue } from "../packages/service/src/sources/stac-static/testing/static-catalogue.ts";
import { startStaticServer } from "../packages/service/src/sources/stac-static/testing/static-server.ts";
import { RawClient, type Answer } from "./raw-client.ts";
import { DEMO, ServiceProcess } from "./service-process.ts";
import { staticCatalogueConfig } from "./static-catalogue-config.ts";

const AREA = {
  type: "Polygon",
  coordinates: [
    [
      [14.25, 50.1],
      [14.35, 50.1],
      [14.35, 50.2],
      [14.25, 50.2],
      [14.25, 50.1],
    ],
  ],
};

/** The first search that finds the index; each try is a pipeline of the service. */
async function searched(demo: RawClient): Promise<Answer> {
  const deadlineMs = performance.now() + 60_000;
  const request = { provider: "acme", dataset: "acme_flights", extent: AREA };
  for (;;) {
    const answer = await demo.run("/imagery/search", request);
    const isEarly = /for the first time/u.test(JSON.stringify(answer.body));
    if (!isEarly || performance.now() > deadlineMs) return answer;
  }
}

test("the configuration of the page serves a static catalogue: searched, priced and released", async () => {
  const folder = mkdtempSync(join(tmpdir(), "swath-static-"));
  await using server = await startStaticServer();
  writeStaticCatalogue(server, { items: 4 });
  const path = join(folder, "catalog.json");
  writeFileSync(path, staticCatalogueConfig(server.url));
  try {
    await using service = await ServiceProcess.start({ SWATH_CATALOG: path });
    const demo = await new RawClient(service.baseUrl).login(DEMO);
    const found = await searched(demo);
    assert.equal(found.status, 200, JSON.stringify(found.body));
    const ids: readonly string[] = found.body.results.map((scene: { sceneId: string }) => scene.sceneId);
    assert.deepEqual(
      ids,
      [3, 2, 1, 0].map((index) => `acme.acme_flights.${itemId(index).replace("-", "--")}`),
    );
    const sceneIds = ids.slice(0, 1);
    const allocated = await demo.post("/credits/area/allocate-geojson", { sceneIds, geojson: AREA });
    assert.equal(allocated.status, 200, JSON.stringify(allocated.body));
    const released = await demo.run("/mapsvc/release", { mapTypes: ["ndvi"], sceneIds, extent: AREA });
    assert.deepEqual(released.body.failed, [], JSON.stringify(released.body));
    assert.equal(released.body.maps.length, 1);
    assert.ok(server.requests.some(({ path: asked }) => asked.endsWith("/red.tif")));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
