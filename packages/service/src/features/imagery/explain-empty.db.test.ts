import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { SearchRequest } from "@swath/contract/features/imagery/contract";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import type { Bounds } from "@swath/kernel/geometry/geojson";
import { sceneId } from "@swath/kernel/scenes/scene-id";
import type { StoredRaster } from "@swath/kernel/scenes/stored-raster";
import { createAreas } from "../../platform/geometry/areas.ts";
import { testDatabase, type TestDatabase } from "../../platform/postgres/testing.ts";
import type { SceneRecord } from "./scene-record.ts";
import { createImageryService, type ImageryService } from "./service.ts";

const raster: StoredRaster = { proj4: "+proj=longlat +datum=WGS84 +no_defs", controlGrid: null, bands: [] };
const idle = new AbortController().signal;
const NAME = { provider: "pl", dataset: "PSScene" } as const;

let database: TestDatabase;
let service: ImageryService;

before(async () => {
  database = await testDatabase();
  service = createImageryService({
    areas: createAreas(),
    db: database.db,
    clock: { now: () => new Date(Date.UTC(2026, 5, 1)) },
    thumbnails: { render: () => Promise.resolve(new Uint8Array()) },
  });
  // Each covers a tenth to three tenths of the square from 10 to 11 degrees.
  const scenes = [10.1, 10.2, 10.3].map((east, index) =>
    record(`s${index}`, [10, 50, east, 51], `2026-05-0${index + 1}`),
  );
  await service.insertScenes([...scenes, record("catalogue", [20, 50, 21, 51], "2026-05-01", false)]);
});
after(() => database[Symbol.asyncDispose]());

function record(local: string, bounds: Bounds, day: string, ingested = true): SceneRecord {
  const { coordinates } = boundsPolygon(bounds);
  return {
    scene: {
      ...NAME,
      sceneId: sceneId(NAME.provider, NAME.dataset, local),
      foreignId: local,
      satellite: "test",
      datetime: `${day} 10:00:00`,
      crsEpsg: 4326,
      footprint: { type: "MultiPolygon", coordinates: [coordinates] },
      areaKm2: 0,
      bands: [],
    },
    raster: ingested ? raster : null,
    contentHash: null,
  };
}

async function reason(bounds: Bounds, more: Partial<SearchRequest> = {}): Promise<string> {
  const { empty, results } = await service.search({ datasets: [NAME], extent: boundsPolygon(bounds), ...more }, idle);
  assert.deepEqual(results, []);
  return empty === undefined ? "none" : `${empty.code}: ${empty.message}`;
}

const HERE: Bounds = [10, 50, 11, 51];

test("an empty search counts the scenes below the least intersection", async () => {
  assert.equal(await reason(HERE), "BELOW-MIN-INTERSECTION: 3 scenes cover less than half of the area");
  assert.equal(
    await reason(HERE, { minIntersection: 0.8, startDatetime: "2026-05-03", endDatetime: "2026-05-04" }),
    "BELOW-MIN-INTERSECTION: 1 scene covers less than 80% of the area",
  );
  assert.equal(
    await reason([10.05, 50.4, 10.06, 50.5], { minAoiIntersection: 0.9 }),
    "BELOW-MIN-INTERSECTION: 3 scenes have less than 90% of their footprint in the area",
  );
});

test("an empty search names the newest scene of other times", async () => {
  const none = { minIntersection: 0, startDatetime: "2025-01-01", endDatetime: "2025-02-01" };
  assert.equal(
    await reason(HERE, none),
    "OUTSIDE-INTERVAL: 3 scenes meet the area at other times, the newest on 2026-05-03",
  );
  assert.match(await reason(HERE, { ...none, minIntersection: 0.5 }), /^OUTSIDE-INTERVAL/);
});

test("an empty search says that scenes are not in the store, or that there are none", async () => {
  assert.equal(
    await reason([20, 50, 21, 51], { onlyIngested: true }),
    "NOT-INGESTED: 1 scene meets the area, and none has its pixels in the store",
  );
  assert.equal(await reason([40, 10, 41, 11]), "NO-SCENE: No scene of the datasets meets the area");
});

test("a search with results, and an end of the pages, have no explanation", async () => {
  const search = { datasets: [NAME], extent: boundsPolygon(HERE), minIntersection: 0, limit: 3 };
  const page = await service.search(search, idle);
  assert.deepEqual([page.results.length, page.empty], [3, undefined]);
});
