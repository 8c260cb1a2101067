import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { SearchRequest } from "@swath/contract/features/imagery/contract";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import type { Bounds } from "@swath/kernel/geometry/geojson";
import { sceneId } from "@swath/kernel/scenes/scene-id";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { StoredRaster } from "@swath/kernel/scenes/stored-raster";
import { createAreas } from "../../platform/geometry/areas.ts";
import { testDatabase, type TestDatabase } from "../../platform/postgres/testing.ts";
import type { SceneRecord } from "./scene-record.ts";
import { createImageryService, type ImageryService } from "./service.ts";

const raster: StoredRaster = { proj4: "+proj=longlat +datum=WGS84 +no_defs", controlGrid: null, bands: [] };
const idle = new AbortController().signal;
const HERE: Bounds = [10, 50, 11, 51];
const BAND = {
  names: ["Red"],
  bitDepth: 8,
  pixelSizeX: 1,
  pixelSizeY: -1,
  crsOriginX: 0,
  crsOriginY: 0,
  approximateResolutionX: 1,
  approximateResolutionY: 1,
};

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
  await service.insertScenes([
    record("PSScene", "whole", HERE, { cloudCover: 0.02, offNadir: 5, bands: [{ ...BAND, gsd: 3 }] }),
    record("PSScene", "half", [10, 50, 10.5, 51], { cloudCover: 0.3, offNadir: -25, bands: [{ ...BAND, gsd: 3 }] }),
    record("SkySatScene", "tenth", [10, 50, 10.1, 51], { bands: [{ ...BAND, gsd: 0.5 }] }),
    record("SkySatScene", "elsewhere", [20, 50, 21, 51], { cloudCover: 0 }),
  ]);
});
after(() => database[Symbol.asyncDispose]());

let day = 0;

function record(dataset: string, local: string, bounds: Bounds, more: Partial<Scene>): SceneRecord {
  day += 1;
  const { coordinates } = boundsPolygon(bounds);
  const scene = {
    provider: "pl",
    dataset,
    sceneId: sceneId("pl", dataset, local),
    foreignId: local,
    satellite: "test",
    datetime: `2026-05-${String(day).padStart(2, "0")} 10:00:00`,
    crsEpsg: 4326,
    footprint: { type: "MultiPolygon", coordinates: [coordinates] },
    areaKm2: 0,
    bands: [],
    ...more,
  } as const;
  return { scene, raster, contentHash: null };
}

async function search(more: Partial<SearchRequest>) {
  const datasets = ["PSScene", "SkySatScene"].map((dataset) => ({ provider: "pl", dataset }));
  return await service.search({ datasets, extent: boundsPolygon(HERE), minIntersection: 0, ...more }, idle);
}

test("counts speak about every scene of the search, also beyond the page", async () => {
  const { results, cursor, counts } = await search({ counts: true, limit: 1 });
  assert.equal(results.length, 1);
  assert.ok(cursor !== null);
  assert.ok(counts !== undefined);
  assert.equal(counts.scenes, 3);
  assert.equal(counts.complete, true);
  assert.deepEqual(counts.datasets, [
    { provider: "pl", dataset: "PSScene", scenes: 2 },
    { provider: "pl", dataset: "SkySatScene", scenes: 1 },
  ]);
  assert.deepEqual(counts.cloudCover, {
    steps: [0.05, 0.2, 0.4, 0.6, 1].map((atMost) => ({ atMost, scenes: atMost < 0.3 ? 1 : 2 })),
    unknown: 1,
  });
  assert.deepEqual(
    counts.offNadir.steps.map(({ scenes }) => scenes),
    [1, 1, 2, 2],
  );
  assert.deepEqual(
    counts.gsd.steps.map(({ scenes }) => scenes),
    [1, 3, 3, 3],
  );
});

test("later pages and searches that do not ask have no counts", async () => {
  const first = await search({ counts: true, limit: 2 });
  assert.ok(first.cursor !== null);
  const second = await search({ counts: true, limit: 2, cursor: first.cursor });
  assert.equal(second.results.length, 1);
  assert.equal(second.counts, undefined);
  const plain = await search({});
  assert.equal(plain.counts, undefined);
  assert.ok(plain.results.every(({ extentShare }) => extentShare === undefined));
});

test("each scene has its share of the extent", async () => {
  const { results } = await search({ counts: true });
  const shares = results.map(({ foreignId, extentShare = Number.NaN }) => [foreignId, extentShare.toFixed(6)]);
  // The edges are meridians and parallels: half of the longitudes is half of the area.
  assert.deepEqual(shares, [
    ["tenth", "0.100000"],
    ["half", "0.500000"],
    ["whole", "1.000000"],
  ]);
});
