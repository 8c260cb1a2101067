import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import * as fc from "fast-check";
import { areaKm2 } from "@swath/kernel/geometry/area";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import { intersection } from "@swath/kernel/geometry/clip";
import { extentArea } from "@swath/kernel/geometry/extent";
import type { GeoJson, MultiPolygon } from "@swath/kernel/geometry/geojson";
import { sceneId } from "@swath/kernel/scenes/scene-id";
import type { StoredRaster } from "@swath/kernel/scenes/stored-raster";
import { formatInstant } from "@swath/kernel/time/instant";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { createAreas } from "../../platform/geometry/areas.ts";
import { testDatabase, type TestDatabase } from "../../platform/postgres/testing.ts";
import type { SearchRequest } from "@swath/contract/features/imagery/contract";
import type { SceneRecord } from "./scene-record.ts";
import { createImageryService, type ImageryService } from "./service.ts";

const NOW = Date.UTC(2026, 5, 1);
const raster: StoredRaster = { proj4: "+proj=longlat +datum=WGS84 +no_defs", controlGrid: null, bands: [] };
const idle = new AbortController().signal;

let database: TestDatabase;

before(async () => {
  database = await testDatabase();
});
after(async () => {
  await database[Symbol.asyncDispose]();
});

function serviceAt(): ImageryService {
  return createImageryService({
    areas: createAreas(),
    db: database.db,
    clock: { now: () => new Date(NOW) },
    thumbnails: { render: () => Promise.resolve(new Uint8Array()) },
  });
}

function box(west: number, south: number, east: number, north: number): GeoJson {
  return boundsPolygon([west, south, east, north]);
}

function area(geojson: GeoJson): MultiPolygon {
  const result = extentArea(geojson);
  assert.ok(result !== null);
  return result;
}

interface SceneInput {
  readonly local: string;
  readonly footprint: GeoJson;
  readonly atMs: number;
  readonly provider?: string;
  readonly dataset?: string;
  readonly ingested?: boolean;
}

function record(input: SceneInput): SceneRecord {
  const provider = input.provider ?? "ee";
  const dataset = input.dataset ?? "COPERNICUS/S2_HARMONIZED";
  return {
    scene: {
      sceneId: sceneId(provider, dataset, input.local),
      foreignId: input.local,
      provider,
      dataset,
      satellite: "test",
      datetime: formatInstant(input.atMs),
      crsEpsg: 4326,
      footprint: area(input.footprint),
      areaKm2: 0,
      bands: [],
    },
    raster: input.ingested === false ? null : raster,
    contentHash: null,
  };
}

function request(extent: GeoJson, more: Partial<SearchRequest> = {}): SearchRequest {
  return { datasets: [{ provider: "ee", dataset: "COPERNICUS/S2_HARMONIZED" }], extent, ...more };
}

async function found(service: ImageryService, search: SearchRequest): Promise<readonly string[]> {
  const { results } = await service.search(search, idle);
  return results.map(({ foreignId }) => foreignId);
}

async function codeOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    return error.code;
  }
  return "none";
}

test("thresholds select the same scenes as brute force over the overlay library", async () => {
  const service = serviceAt();
  const dataset = "COPERNICUS/S2_SR_HARMONIZED";
  // Deterministic pseudo-random quadrilaterals, some with a hole, some in two parts.
  let seed = 12_345;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  const footprints = Array.from({ length: 400 }, (_, i): GeoJson => {
    const x = 9 + random() * 4;
    const y = 48 + random() * 3;
    const turn = (random() - 0.5) * 0.6;
    const half = 0.2 + random() * 0.6;
    const corner = (dx: number, dy: number, scale: number): [number, number] => [
      x + (dx * Math.cos(turn) - dy * Math.sin(turn)) * half * scale,
      y + (dx * Math.sin(turn) + dy * Math.cos(turn)) * half * 0.65 * scale,
    ];
    const ring = (scale: number) => [
      corner(-1, -1, scale),
      corner(1, -1, scale),
      corner(1, 1, scale),
      corner(-1, 1, scale),
      corner(-1, -1, scale),
    ];
    if (i % 7 === 0) return { type: "Polygon", coordinates: [ring(1), ring(0.4).toReversed()] };
    if (i % 11 === 0) {
      return {
        type: "MultiPolygon",
        coordinates: [[ring(1)], [ring(0.5).map(([lon, lat]): [number, number] => [lon + 2.5, lat])]],
      };
    }
    return { type: "Polygon", coordinates: [ring(1)] };
  });
  await service.insertScenes(
    footprints.map((footprint, i) => record({ local: `r${i}`, footprint, atMs: NOW - i * 3_600_000, dataset })),
  );
  const extents: readonly GeoJson[] = [
    box(10, 49, 11, 50),
    {
      type: "Polygon",
      coordinates: [
        [
          [10, 48.5],
          [12, 49],
          [11, 49.4],
          [12.2, 50.5],
          [10.2, 50],
          [10, 48.5],
        ],
      ],
    },
    {
      type: "FeatureCollection",
      features: [
        { type: "Feature", geometry: box(9.5, 48.5, 10, 49) as never, properties: null },
        { type: "Feature", geometry: box(11, 49.5, 12, 50.2) as never, properties: null },
        { type: "Feature", geometry: { type: "Point", coordinates: [40, 40] }, properties: null },
      ],
    },
  ];
  for (const extent of extents) {
    const whole = area(extent);
    const overlaps = footprints.map((footprint, i) => {
      const scene = area(footprint);
      const common = areaKm2(intersection(whole, scene));
      return { local: `r${i}`, ofExtent: common / areaKm2(whole), ofScene: common / areaKm2(scene) };
    });
    for (const ratio of [0, 0.05, 0.3, 0.5, 0.9, 1]) {
      const meets = (share: number) => (ratio === 0 ? share > 1e-9 : share >= ratio - 1e-9);
      const search = { ...request(extent), datasets: [{ provider: "ee", dataset }], limit: 1000 };
      assert.deepEqual(
        await found(service, { ...search, minIntersection: ratio }),
        overlaps.filter(({ ofExtent }) => meets(ofExtent)).map(({ local }) => local),
        `minIntersection ${ratio}`,
      );
      assert.deepEqual(
        await found(service, { ...search, minAoiIntersection: ratio }),
        overlaps.filter(({ ofScene }) => meets(ofScene)).map(({ local }) => local),
        `minAoiIntersection ${ratio}`,
      );
    }
  }
});

test("pages join to the whole, newest first then by identifier, whatever is inserted in between", async () => {
  const service = serviceAt();
  const dataset = "LANDSAT/LC08/C02/T1";
  const scenes = Array.from({ length: 57 }, (_, i) =>
    record({
      local: `p${String(i).padStart(2, "0")}`,
      footprint: box(20, 40, 21, 41),
      // Groups of five share a moment; the oldest lie decades back.
      atMs: NOW - Math.floor(i / 5) ** 3 * 10 * 86_400_000,
      dataset,
    }),
  );
  await service.insertScenes(scenes.toReversed());
  const search = { ...request(box(20.2, 40.2, 20.8, 40.8)), datasets: [{ provider: "ee", dataset }], limit: 10 };
  const pages: string[] = [];
  let cursor: number | null = null;
  for (let page = 0; page < 10; page += 1) {
    const answer = await service.search(cursor === null ? search : { ...search, cursor }, idle);
    pages.push(...answer.results.map(({ foreignId }) => foreignId));
    cursor = answer.cursor;
    await service.insertScenes([
      record({ local: `new${page}`, footprint: box(20, 40, 21, 41), atMs: NOW + page * 1000, dataset }),
    ]);
    if (cursor === null) break;
  }
  assert.equal(cursor, null);
  assert.deepEqual(
    pages,
    scenes.map(({ scene }) => scene.foreignId),
  );
});

test("a cursor that no search gave is refused", async () => {
  const service = serviceAt();
  const search = request(box(0, 0, 1, 1), { cursor: 999_999_999 });
  assert.equal(await codeOf(() => service.search(search, idle)), "INVALID-CURSOR");
  assert.equal(await codeOf(() => service.admitSearch(search, new AbortController().signal)), "INVALID-CURSOR");
});

test("scenes across the antimeridian are found from both sides and from a box across it", async () => {
  const service = serviceAt();
  const dataset = "GOOGLE/DYNAMICWORLD/V1";
  await service.insertScenes([
    record({ local: "crossing", footprint: box(179, -1, -179, 1), atMs: NOW - 1000, dataset }),
    record({ local: "unwrapped", footprint: box(179.5, -1, 181, 1), atMs: NOW - 2000, dataset }),
    record({ local: "west", footprint: box(178, -1, 179.9, 1), atMs: NOW - 3000, dataset }),
    record({ local: "east", footprint: box(-179.9, -1, -178, 1), atMs: NOW - 4000, dataset }),
    record({ local: "far", footprint: box(0, -1, 2, 1), atMs: NOW - 5000, dataset }),
  ]);
  const at = (extent: GeoJson) =>
    found(service, { ...request(extent, { minIntersection: 0 }), datasets: [{ provider: "ee", dataset }] });
  assert.deepEqual(await at(box(179.6, -0.5, 179.8, 0.5)), ["crossing", "unwrapped", "west"]);
  assert.deepEqual(await at(box(-179.8, -0.5, -179.6, 0.5)), ["crossing", "unwrapped", "east"]);
  assert.deepEqual(await at(box(180.2, -0.5, 180.4, 0.5)), ["crossing", "unwrapped", "east"]);
  assert.deepEqual(await at(box(179.6, -0.5, -179.6, 0.5)), ["crossing", "unwrapped", "west", "east"]);
  assert.deepEqual(await at(box(-1, -0.5, 1, 0.5)), ["far"]);
});

test("a scene over the pole is found from every longitude near it", async () => {
  const service = serviceAt();
  const dataset = "LANDSAT/LE07/C02/T1";
  const cap: GeoJson = {
    type: "Polygon",
    coordinates: [
      [
        [0, 88],
        [120, 88],
        [-120, 88],
        [0, 88],
      ],
    ],
  };
  await service.insertScenes([record({ local: "cap", footprint: cap, atMs: NOW, dataset })]);
  for (const lon of [-179, -90, 0, 90, 179]) {
    const search = { ...request(box(lon - 0.5, 89, lon + 0.5, 89.5)), datasets: [{ provider: "ee", dataset }] };
    assert.deepEqual(await found(service, search), ["cap"], `at ${lon}`);
  }
});

test("neighbours that only touch the extent are not found, not even with threshold 0", async () => {
  const service = serviceAt();
  const dataset = "COPERNICUS/S1_GRD";
  await service.insertScenes([
    record({ local: "inside", footprint: box(30.1, 10.1, 30.2, 10.2), atMs: NOW, dataset }),
    record({ local: "edge", footprint: box(31, 10, 32, 11), atMs: NOW, dataset }),
    record({ local: "corner", footprint: box(31, 11, 32, 12), atMs: NOW, dataset }),
  ]);
  const search = { ...request(box(30, 10, 31, 11)), datasets: [{ provider: "ee", dataset }] };
  assert.deepEqual(await found(service, { ...search, minIntersection: 0 }), ["inside"]);
  assert.deepEqual(await found(service, search), []);
  assert.deepEqual(await found(service, { ...search, minAoiIntersection: 1 }), ["inside"]);
});

test("time limits belong to the interval, the store flag and the dataset list filter", async () => {
  const service = serviceAt();
  const at = Date.UTC(2020, 0, 10, 12, 0, 0);
  const here = box(50, 20, 51, 21);
  await service.insertScenes([
    record({ local: "a", footprint: here, atMs: at, provider: "pl", dataset: "PSScene" }),
    record({ local: "b", footprint: here, atMs: at + 1000, provider: "pl", dataset: "PSScene", ingested: false }),
    record({ local: "c", footprint: here, atMs: at + 2000, provider: "ab", dataset: "spot" }),
  ]);
  const both = {
    ...request(box(50.2, 20.2, 50.8, 20.8)),
    datasets: [
      { provider: "pl", dataset: "PSScene" },
      { provider: "ab", dataset: "spot" },
    ],
  };
  assert.deepEqual(await found(service, both), ["c", "b", "a"]);
  assert.deepEqual(await found(service, { ...both, onlyIngested: true }), ["c", "a"]);
  assert.deepEqual(await found(service, { ...both, onlyDownloadable: true }), ["c", "a"]);
  assert.deepEqual(
    await found(service, { ...both, startDatetime: "2020-01-10 12:00:01", endDatetime: "2020-01-10T12:00:02Z" }),
    ["c", "b"],
  );
  assert.deepEqual(await found(service, { ...both, endDatetime: "2020-01-10 12:00:00" }), ["a"]);
  const { datasets: _, ...legacy } = both;
  assert.deepEqual(await found(service, { ...legacy, provider: "pl", dataset: "PSScene" }), ["b", "a"]);
  const { results } = await service.search(both, idle);
  assert.deepEqual(
    results.map(({ downloadable, clippedImagery, minArea }) => [downloadable, clippedImagery, minArea]),
    [
      [true, true, 0.1],
      [false, false, 0],
      [true, false, 0],
    ],
  );
});

test("whole-world datasets are searched over the whole world, and the answer has clockwise exteriors", async () => {
  const service = serviceAt();
  const dataset = "VIIRS/Monthly";
  const world = box(-180, -65, 180, 75);
  await service.insertScenes([record({ local: "m", footprint: world, atMs: NOW, provider: "noaa", dataset })]);
  const search = { ...request(box(-180, -60, 180, 70)), datasets: [{ provider: "noaa", dataset }] };
  const { results, cursor } = await service.search(search, idle);
  assert.equal(results.length, 1);
  assert.equal(cursor, null);
  assert.deepEqual(results[0]?.footprint.coordinates[0]?.[0]?.slice(0, 2), [
    [-180, -65],
    [-180, 75],
  ]);
});

test("scene coverage answers simplified footprints of nearly the same area", async () => {
  const service = serviceAt();
  const circle: GeoJson = {
    type: "Polygon",
    coordinates: [
      Array.from({ length: 721 }, (_, i): [number, number] => [
        -60 + Math.cos((i % 720) * (Math.PI / 360)),
        -20 + Math.sin((i % 720) * (Math.PI / 360)),
      ]),
    ],
  };
  await service.insertScenes([
    record({ local: "round", footprint: circle, atMs: NOW, provider: "esa", dataset: "COPERNICUS/S1_SLC" }),
  ]);
  const search = {
    ...request(box(-70, -30, -50, -10), { minIntersection: 0, sceneCoverage: true }),
    datasets: [{ provider: "esa", dataset: "COPERNICUS/S1_SLC" }],
  };
  const { results } = await service.search(search, idle);
  const simplified = results[0]?.footprint;
  assert.ok(simplified !== undefined);
  assert.ok((simplified.coordinates[0]?.[0]?.length ?? 0) < 150);
  assert.ok(Math.abs(areaKm2(simplified) / areaKm2(area(circle)) - 1) < 0.01);
  assert.equal(await codeOf(() => service.search({ ...search, sceneCoverage: false }, idle)), "EXTENT-TOO-LARGE");
});

test("a search that is aborted stops", async () => {
  const service = serviceAt();
  await assert.rejects(service.search(request(box(9, 48, 10, 49)), AbortSignal.abort()), { name: "AbortError" });
});

test("every page size gives the same order", async () => {
  const service = serviceAt();
  const search = { ...request(box(9.5, 48.5, 12.5, 50.5), { minIntersection: 0 }) };
  const datasets = [{ provider: "ee", dataset: "COPERNICUS/S2_SR_HARMONIZED" }];
  const whole = await found(service, { ...search, datasets, limit: 1000 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 20, max: 400 }), async (limit) => {
      const joined: string[] = [];
      let cursor: number | null = null;
      do {
        const page: Awaited<ReturnType<ImageryService["search"]>> = await service.search(
          { ...search, datasets, limit, ...(cursor === null ? {} : { cursor }) },
          idle,
        );
        assert.ok(page.results.length <= limit);
        joined.push(...page.results.map(({ foreignId }) => foreignId));
        cursor = page.cursor;
      } while (cursor !== null);
      assert.deepEqual(joined, whole);
    }),
    { numRuns: 8 },
  );
});

test("the area of a search is read once by the process that admits and runs it", async () => {
  const areas = createAreas();
  let readings = 0;
  const service = createImageryService({
    areas: {
      ...areas,
      read: (...question) => {
        readings += 1;
        return areas.read(...question);
      },
    },
    db: database.db,
    clock: { now: () => new Date(NOW) },
    thumbnails: { render: () => Promise.resolve(new Uint8Array()) },
  });
  const search: SearchRequest = {
    datasets: [{ provider: "ee", dataset: "COPERNICUS/S2_HARMONIZED" }],
    extent: box(10, 50, 11, 51),
  };
  await service.admitSearch(search, idle);
  await service.search(search, idle);
  assert.equal(readings, 1);
  await service.search({ ...search }, idle);
  assert.equal(readings, 2);
});
