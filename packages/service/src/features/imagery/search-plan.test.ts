import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv } from "ajv";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import type { GeoJson } from "@swath/kernel/geometry/geojson";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { imageryContract, type SearchRequest } from "@swath/contract/features/imagery/contract";
import { createCatalog } from "../../providers/catalog.ts";
import { providers } from "../../providers/registry.ts";
import { createAreas } from "../../platform/geometry/areas.ts";
import { imageryPermissions } from "./content-permissions.ts";
import { planSearch } from "./search-plan.ts";
import { negotiateThumbnail } from "./thumbnail.ts";

const never = new AbortController().signal;
const searchable = { areas: createAreas(), catalog: createCatalog(providers), hasSource: () => false };
const S2 = { provider: "ee", dataset: "COPERNICUS/S2_HARMONIZED" };
const METHANE = { provider: "ee", dataset: "COPERNICUS/S5P/OFFL/L3_CH4" };
const NIGHT = { provider: "noaa", dataset: "VIIRS/Monthly" };

function box(west: number, south: number, east: number, north: number): GeoJson {
  return boundsPolygon([west, south, east, north]);
}

function request(more: Partial<SearchRequest> = {}): SearchRequest {
  return { datasets: [S2], extent: box(10, 50, 11, 51), ...more };
}

/** Code and paths of the refusal, or "accepted". */
async function refusal(search: SearchRequest): Promise<string> {
  try {
    await planSearch(search, searchable, never);
    return "accepted";
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    return [error.code, ...(error.details ?? []).map(({ path }) => path)].join(" ");
  }
}

test("defaults are half of the extent, a thousand scenes and all time", async () => {
  const plan = await planSearch(request(), searchable, never);
  assert.deepEqual(plan.threshold, { of: "extent", ratio: 0.5 });
  assert.deepEqual([plan.limit, plan.from, plan.to, plan.cursor], [1000, null, null, null]);
});

test("faults of a request are refused with their paths", async () => {
  const line: GeoJson = {
    type: "LineString",
    coordinates: [
      [0, 0],
      [1, 1],
    ],
  };
  const cases: readonly (readonly [Partial<SearchRequest>, string])[] = [
    [{}, "accepted"],
    [{ minIntersection: 0.1, minAoiIntersection: 0.1 }, "VALIDATION-ERROR /minIntersection /minAoiIntersection"],
    [{ extent: line }, "VALIDATION-ERROR /extent"],
    [{ extent: box(10, 50, 10, 51) }, "VALIDATION-ERROR /extent"],
    [{ extent: box(10, 50, 11, 95) }, "VALIDATION-ERROR /extent/coordinates/0/2 /extent/coordinates/0/3"],
    [{ startDatetime: "2024-02-30 00:00:00" }, "VALIDATION-ERROR /startDatetime"],
    [{ startDatetime: "2024-02-02 00:00:00", endDatetime: "2024-02-01 00:00:00" }, "VALIDATION-ERROR /endDatetime"],
    [{ datasets: [{ provider: "ee", dataset: "NOTHING" }] }, "DATASET-NOT-SUPPORTED-FOR-SEARCH"],
    [{ datasets: [METHANE, S2] }, "DATASETS-NEED-SEPARATE-SEARCH"],
    [{ datasets: [METHANE, METHANE] }, "accepted"],
    [{ datasets: [NIGHT, S2] }, "accepted"],
  ];
  for (const [more, expected] of cases) assert.equal(await refusal(request(more)), expected, JSON.stringify(more));
  const { datasets: _, ...bare } = request();
  assert.equal(await refusal(bare), "VALIDATION-ERROR /datasets");
  assert.equal(await refusal({ ...bare, ...S2 }), "accepted");
  assert.equal(await refusal({ ...bare, provider: "gbdx", dataset: "idaho-pansharpened" }), "accepted");
  assert.equal(await refusal({ ...bare, provider: "gbdx", dataset: "idaho-swir" }), "accepted");
});

test("extents stay below 400 km, 4000 km for coverage, the world for global datasets alone", async () => {
  const sides = (widthDeg: number) => box(0, -0.5, widthDeg, 0.5);
  // 400 km are 3.5933 degrees of longitude at the equator.
  assert.equal(await refusal(request({ extent: sides(3.593) })), "accepted");
  assert.equal(await refusal(request({ extent: sides(3.594) })), "EXTENT-TOO-LARGE");
  assert.equal(await refusal(request({ extent: sides(35.9), sceneCoverage: true })), "accepted");
  assert.equal(await refusal(request({ extent: sides(36), sceneCoverage: true })), "EXTENT-TOO-LARGE");
  const world = box(-180, -90, 180, 90);
  assert.equal(await refusal(request({ extent: world, datasets: [METHANE] })), "accepted");
  assert.equal(await refusal(request({ extent: world, datasets: [NIGHT] })), "accepted");
  assert.equal(await refusal(request({ extent: world, datasets: [NIGHT, S2] })), "EXTENT-TOO-LARGE");
  assert.equal(await refusal(request({ extent: world })), "EXTENT-TOO-LARGE");
});

test("a search across the antimeridian is measured the short way", async () => {
  assert.equal(await refusal(request({ extent: box(179, 0, -179, 1) })), "accepted");
});

test("rights are those of each dataset, under the provider's own name, and of the store", () => {
  const { search: rights, thumbnail } = imageryPermissions(searchable.catalog);
  const asked = { ...request(), datasets: [S2, NIGHT], onlyIngested: true };
  assert.deepEqual(rights(asked), ["imagery.images.ee.COPERNICUS/S2_HARMONIZED", "imagery.images.noaa.VIIRS/Monthly"]);
  assert.deepEqual(imageryContract.search.dynamicPermissions?.(asked), ["store.ingested"]);
  assert.deepEqual(rights({ provider: "gbdx", dataset: "idaho-pansharpened" } as never), [
    "imagery.images.optical-legacy.idaho-pansharpened",
  ]);
  for (const odd of [null, 5, [], { datasets: 5 }, { datasets: [null, { provider: 1 }] }]) {
    assert.deepEqual(rights(odd as never), []);
  }
  assert.deepEqual(thumbnail({ scene_id: "ee.COPERNICUS-_S1_GRD.x" }), ["imagery.images.ee.COPERNICUS/S1_GRD"]);
  assert.deepEqual(thumbnail({ scene_id: "nothing" }), []);
});

test("an alias of the operator's needs the permission of its dataset, one that is off needs none", () => {
  const configured = createCatalog(
    providers
      .filter(({ id }) => id !== "noaa")
      .map((provider) => (provider.id === "pl" ? { ...provider, aliases: ["doves"] } : provider)),
  );
  const { search: rights } = imageryPermissions(configured);
  const doves = { provider: "doves", dataset: "PSScene" };
  assert.deepEqual(rights({ ...request(), datasets: [doves, NIGHT] }), ["imagery.images.pl.PSScene"]);
  assert.deepEqual(imageryPermissions(searchable.catalog).search({ ...request(), datasets: [doves] }), []);
});

test("the request schema takes documented searches and refuses others", () => {
  const check = new Ajv({ strict: false, strictNumbers: true }).compile(imageryContract.search.request);
  assert.equal(check({ ...request(), limit: 1000, forceRefresh: true, unknown: 1 }), true);
  for (const more of [
    { limit: 0 },
    { limit: 1001 },
    { cursor: "1" },
    { minIntersection: 1.1 },
    { datasets: [] },
    { datasets: [{ provider: "ee" }] },
    { startDatetime: "now" },
    { extent: { type: "Polygon" } },
    { extent: null },
  ]) {
    assert.equal(check({ ...request(), ...more }), false, JSON.stringify(more));
  }
});

test("the Accept header decides the picture's format", () => {
  const cases: readonly (readonly [string | undefined, string])[] = [
    [undefined, "image/jpeg"],
    ["*/*", "image/jpeg"],
    ["image/png", "image/png"],
    ["image/avif,image/webp,image/png;q=0.8,*/*;q=0.5", "image/webp"],
    ["image/*;q=0.5, image/png", "image/png"],
    ["image/jpeg;q=0, */*", "image/png"],
    ["text/html", "image/jpeg"],
    ["image/webp;q=x", "image/jpeg"],
  ];
  for (const [accept, expected] of cases) assert.equal(negotiateThumbnail(accept), expected, String(accept));
});
