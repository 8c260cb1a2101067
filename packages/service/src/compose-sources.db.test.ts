import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { areaKm2 } from "@swath/kernel/geometry/area";
import type { GeoJson } from "@swath/kernel/geometry/geojson";
import { configuredCatalogue, sourceFactories } from "./compose-sources.ts";
import { createImageryService, type ImageryService } from "./features/imagery/service.ts";
import { createAreas } from "./platform/geometry/areas.ts";
import { parseConfig } from "./platform/config/config.ts";
import { createLog } from "@swath/base/log/log";
import { testDatabase } from "./platform/postgres/testing.ts";
import { createSourceBindings } from "./sources/bindings.ts";

const NOW = Date.UTC(2026, 5, 1);
const idle = new AbortController().signal;
const clock = { now: () => new Date(NOW) };
const log = createLog("silent");
const factories = sourceFactories({ clock, log, db: null });
const { catalog, bindingOf } = configuredCatalogue(parseConfig({}), factories);
const stack = new AsyncDisposableStack();
let imagery: ImageryService;

before(async () => {
  const { db } = stack.use(await testDatabase());
  const catalogue = { findDataset: catalog.findDataset, bindingOf };
  const sources = stack.use(createSourceBindings({ catalogue, factories }));
  const thumbnails = { render: () => Promise.resolve(new Uint8Array()) };
  imagery = createImageryService({ areas: createAreas(), db, clock, thumbnails, catalog, sources, log });
});
after(() => stack.disposeAsync());

const PRAGUE: GeoJson = {
  type: "Polygon",
  coordinates: [
    [
      [14.3, 50],
      [14.5, 50],
      [14.5, 50.15],
      [14.3, 50.15],
      [14.3, 50],
    ],
  ],
};

for (const provider of catalog.providers) {
  for (const { dataset, largestSceneKm2 } of provider.datasets) {
    if (bindingOf(provider.id, dataset) === null) continue;
    test(`${provider.id} ${dataset} has scenes over a city, and each is known by its identifier`, async () => {
      const { results, cursor, failedDatasets } = await imagery.search(
        {
          datasets: [{ provider: provider.id, dataset }],
          extent: PRAGUE,
          minIntersection: 0,
          limit: 5,
        },
        idle,
      );
      assert.equal(failedDatasets, undefined);
      assert.ok(results.length > 0);
      assert.equal(cursor === null, results.length < 5);
      for (const { downloadable: _d, minArea: _m, clippedImagery, ...scene } of results) {
        assert.equal(clippedImagery, false);
        assert.ok(largestSceneKm2 === null || scene.areaKm2 * 1.5 < largestSceneKm2, `${scene.areaKm2} km²`);
        assert.ok(Math.abs(scene.areaKm2 - areaKm2(scene.footprint)) <= 0.01 + scene.areaKm2 * 1e-6);
        assert.deepEqual(await imagery.sceneInfo({ sceneId: scene.sceneId }), scene);
      }
    });
  }
}
