import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import { areaKm2 } from "@swath/kernel/geometry/area";
import { overlapsEnough, prepareArea } from "@swath/kernel/geometry/intersection-ratio";
import type { Bounds, MultiPolygon } from "@swath/kernel/geometry/geojson";
import { splitBounds } from "@swath/kernel/geometry/mbr";
import { validateGeoJson } from "@swath/kernel/geometry/validate-geometry";
import { createProjection } from "@swath/kernel/crs/projection";
import { utmProjString, utmZoneOfEpsg } from "@swath/kernel/crs/utm";
import { baselineMatrix } from "@swath/kernel/orbits/baseline-matrix";
import { cloudCoverOf, groundTruth } from "../world/render.ts";
import { utmProjection } from "./scene-grid.ts";
import type { SceneModel } from "../scene-model.ts";
import { catalogueEntry, isSimulated, modelOf, scenesBetween } from "./catalogue.ts";
import { PRODUCTS } from "./products.ts";
import { WORLD_PRODUCTS } from "./world-product.ts";

const NOW = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;
const PRAGUE: Bounds = [14.2, 49.9, 14.7, 50.2];

/** A month in which all satellites of a dataset work. */
function activeMonth(provider: string, dataset: string): readonly [number, number] {
  const year =
    provider === "optical-legacy" ? 2018 : provider === "radar-legacy" || dataset.includes("LE07") ? 2022 : 2024;
  return [Date.UTC(year, 4, 1), Date.UTC(year, 6, 1)];
}

function scenes(
  provider: string,
  dataset: string,
  box: Bounds,
  fromMs: number | null,
  toMs: number | null,
  most = 400,
) {
  const found: SceneModel[] = [];
  for (const model of scenesBetween({ provider, dataset, boxes: splitBounds(box), fromMs, toMs, nowMs: NOW })) {
    found.push(model);
    if (found.length >= most) break;
  }
  return found;
}

function rectangle(bounds: Bounds): MultiPolygon {
  return { type: "MultiPolygon", coordinates: [boundsPolygon(bounds).coordinates] };
}

test("a dataset that no product imitates is not simulated and has no scenes", () => {
  assert.ok(isSimulated("noaa", "VIIRS/Monthly"));
  assert.ok(!isSimulated("local", "uploads"));
  assert.deepEqual(scenes("local", "uploads", PRAGUE, null, null), []);
});

test("every dataset has scenes over a city in two months, each rebuilt from its identifier alone", () => {
  for (const { provider, dataset } of [...PRODUCTS, ...WORLD_PRODUCTS]) {
    const [from, to] = activeMonth(provider, dataset);
    const found = scenes(provider, dataset, PRAGUE, from, to, 12);
    assert.ok(found.length >= 2, `${dataset} has ${found.length} scenes`);
    for (const model of found) {
      assert.deepEqual(modelOf(model.sceneId), model);
      assert.ok(model.acquiredAtMs >= from && model.acquiredAtMs < to && model.acquiredAtMs % 1000 === 0);
      assert.match(model.satellite, /^SIM /u);
    }
  }
});

function names(provider: string, dataset: string): readonly (string | undefined)[] {
  return scenes(provider, dataset, PRAGUE, ...activeMonth(provider, dataset)).map(
    ({ sceneId }) => sceneId.split(".")[2],
  );
}

test("datasets make the same scenes of the same captures", () => {
  assert.deepEqual(names("pl", "PSScene4Band_tile"), names("pl", "PSScene4Band"));
  assert.deepEqual(names("ee", "COPERNICUS/S2_SR_HARMONIZED"), names("ee", "COPERNICUS/S2_HARMONIZED"));
  assert.deepEqual(names("esa", "COPERNICUS/S1_SLC"), names("ee", "COPERNICUS/S1_GRD"));
  const clear = names("ee", "GOOGLE/DYNAMICWORLD/V1");
  const all = new Set(names("ee", "COPERNICUS/S2_HARMONIZED"));
  assert.ok(clear.length < all.size && clear.every((name) => all.has(name)));
});

test("footprints are valid, lie in their grid, and grids are made of whole pixels that agree", () => {
  for (const { provider, dataset } of PRODUCTS) {
    for (const model of scenes(provider, dataset, PRAGUE, ...activeMonth(provider, dataset), 4)) {
      assert.deepEqual(validateGeoJson(model.footprint, "/footprint"), [], model.sceneId);
      const zone = utmZoneOfEpsg(model.crsEpsg);
      assert.ok(zone !== null);
      const { forward } = createProjection(utmProjString(zone));
      const [first] = model.bands;
      assert.ok(first !== undefined);
      for (const band of model.bands) {
        assert.ok(band.widthPx > 0 && band.heightPx > 0 && band.names.length > 0);
        assert.ok(Math.abs(band.widthPx * band.pixelSizeX - first.widthPx * first.pixelSizeX) < 1e-6, model.sceneId);
        assert.deepEqual([band.originX, band.originY], [first.originX, first.originY]);
        const offGrid = (value: number) => Math.abs(value / band.gsdM - Math.round(value / band.gsdM));
        assert.ok(offGrid(band.originX) < 1e-6 && offGrid(band.originY) < 1e-6, `${model.sceneId} ${band.originX}`);
        for (const [lon, lat] of model.footprint.coordinates.flat(2)) {
          const [x, y] = forward(lon, lat);
          const column = (x - band.originX) / band.pixelSizeX;
          const row = (y - band.originY) / band.pixelSizeY;
          assert.ok(column > -0.1 && column < band.widthPx + 0.1 && row > -0.1 && row < band.heightPx + 0.1);
        }
      }
    }
  }
});

test("identifiers that were changed name another real scene or none", () => {
  const real = [
    "ee/COPERNICUS/S2_HARMONIZED",
    "radar-multi/spotlight",
    "pl/PSScene",
    "optical-legacy/idaho-pansharpened",
  ]
    .map((name) => [name.slice(0, name.indexOf("/")), name.slice(name.indexOf("/") + 1)] as const)
    .flatMap(([provider, dataset]) => scenes(provider, dataset, PRAGUE, ...activeMonth(provider, dataset), 3))
    .map(({ sceneId }) => sceneId);
  fc.assert(
    fc.property(
      fc.constantFrom(...real),
      fc.nat(120),
      fc.constantFrom(...Array.from("0123456789ABCDEFRST_.-")),
      (id, position, character) => {
        const at = position % id.length;
        const changed = id.slice(0, at) + character + id.slice(at + 1);
        const model = modelOf(changed);
        assert.ok(model === null || model.sceneId === changed);
        if (model !== null && changed !== id) assert.notDeepEqual(model, modelOf(id));
      },
    ),
    { numRuns: 2000 },
  );
  fc.assert(
    fc.property(fc.string({ maxLength: 140 }), (text) => {
      assert.equal(modelOf(text), null);
      assert.equal(modelOf(`ee.COPERNICUS-_S1_GRD.${text}`), null);
    }),
  );
});

test("nothing is found or known before it is published", () => {
  const captured = scenes("ee", "COPERNICUS/S2_HARMONIZED", PRAGUE, NOW - 30 * DAY_MS, null);
  assert.ok(captured.length > 0);
  for (const { sceneId } of captured) {
    const entry = catalogueEntry(sceneId);
    assert.ok(entry !== null && entry.publishedAtMs <= NOW);
  }
  for (const [provider, dataset] of [
    ["ee", "JAXA/GPM_L3/GSMaP/v6/operational"],
    ["noaa", "VIIRS/Monthly"],
    ["ee", "COPERNICUS/S5P/OFFL/L3_CH4"],
    ["pl", "PSScene"],
  ] as const) {
    const [newest] = scenes(provider, dataset, PRAGUE, null, null, 1);
    const entry = catalogueEntry(newest?.sceneId ?? "");
    assert.ok(entry !== null && entry.publishedAtMs <= NOW, `${newest?.sceneId}`);
  }
});

function starts(provider: string, dataset: string, fromMs: number, toMs: number): readonly string[] {
  return scenes(provider, dataset, PRAGUE, fromMs, toMs, 1000).map(({ acquiredAtMs }) =>
    new Date(acquiredAtMs).toISOString(),
  );
}

test("hourly, daily and monthly grids of the world come without gaps", () => {
  const hours = starts("ee", "JAXA/GPM_L3/GSMaP/v6/operational", Date.UTC(2018, 0, 1), Date.UTC(2018, 0, 11));
  assert.equal(hours.length, 240);
  assert.equal(hours[0], "2018-01-10T23:00:00.000Z");
  assert.equal(hours.at(-1), "2018-01-01T00:00:00.000Z");
  assert.equal(starts("ee", "COPERNICUS/S5P/OFFL/L3_CH4", Date.UTC(2020, 1, 1), Date.UTC(2020, 2, 1)).length, 29);
  assert.deepEqual(starts("noaa", "VIIRS/Monthly", Date.UTC(2019, 10, 1), Date.UTC(2020, 1, 1)), [
    "2020-01-01T00:00:00.000Z",
    "2019-12-01T00:00:00.000Z",
    "2019-11-01T00:00:00.000Z",
  ]);
});

test("searches across the antimeridian find the same as the halves, with footprints split there", () => {
  const [from, to] = [Date.UTC(2024, 5, 1), Date.UTC(2024, 6, 1)];
  let split = 0;
  for (const [provider, dataset] of [
    ["ee", "COPERNICUS/S1_GRD"],
    ["ee", "COPERNICUS/S2_HARMONIZED"],
    ["ab", "spot"],
  ] as const) {
    const whole = scenes(provider, dataset, [179, -16.5, 181, -15], from, to, 1000).map(({ sceneId }) => sceneId);
    assert.ok(whole.length < 1000);
    const halves = new Set(
      [
        ...scenes(provider, dataset, [179, -16.5, 180, -15], from, to, 1000),
        ...scenes(provider, dataset, [-180, -16.5, -179, -15], from, to, 1000),
      ].map(({ sceneId }) => sceneId),
    );
    assert.deepEqual(whole.toSorted(), [...halves].toSorted());
    for (const id of whole) {
      const model = modelOf(id);
      assert.ok(model !== null);
      for (const [lon] of model.footprint.coordinates.flat(2)) assert.ok(Math.abs(lon) <= 180);
      if (model.footprint.coordinates.length > 1) split += 1;
    }
  }
  assert.ok(split > 0);
});

test("near the poles scenes end where their grids do", () => {
  const [from, to] = [Date.UTC(2024, 5, 1), Date.UTC(2024, 5, 8)];
  for (const box of [
    [-180, 78, 180, 90],
    [-180, -90, 180, -75],
  ] as const) {
    const found = scenes("ee", "COPERNICUS/S1_GRD", box, from, to, 300);
    assert.ok(found.length > 0);
    for (const { footprint, sceneId } of found) {
      assert.deepEqual(validateGeoJson(footprint, "/footprint"), [], sceneId);
      const area = areaKm2(footprint);
      assert.ok(area > 1000 && area < 4000, `${sceneId}: ${area} km²`);
      for (const [, lat] of footprint.coordinates.flat(2)) assert.ok(lat <= 84 && lat >= -80, `${sceneId}: ${lat}`);
    }
  }
});

test("the demonstration area has clear scenes of half a metre over all of it when they are promised", () => {
  const area = prepareArea(rectangle([153.0313, -27.5107, 153.2346, -27.3279]));
  for (const [from, to] of [
    [Date.UTC(2018, 0, 1), Date.UTC(2018, 1, 1)],
    [Date.UTC(2018, 3, 1), Date.UTC(2018, 5, 1)],
  ] as const) {
    const found = scenes("optical-legacy", "idaho-pansharpened", [153.0313, -27.5107, 153.2346, -27.3279], from, to);
    const clear = found.filter(
      (model) =>
        overlapsEnough(area, prepareArea(model.footprint), { of: "extent", ratio: 1 }) &&
        model.bands.every(({ gsdM }) => gsdM < 0.55) &&
        cloudCoverOf(model) < 0.05,
    );
    assert.ok(clear.length >= 2, `${clear.length} of ${found.length}`);
    for (const model of clear.slice(0, 2)) {
      const [band] = model.bands;
      assert.ok(band !== undefined);
      const [x, y] = utmProjection(model.crsEpsg).forward(153.158, -27.35);
      const column = Math.floor((x - band.originX) / band.pixelSizeX);
      const row = Math.floor((y - band.originY) / band.pixelSizeY);
      const { cars } = groundTruth(model, { column, row, columns: 1024, rows: 1024 });
      assert.ok(cars.length >= 20 && cars.some(({ speedMs }) => speedMs === 0), `${cars.length} cars`);
    }
  }
});

function frameOf(sceneId: string): string {
  return /_F\d+_C\d+/u.exec(sceneId)?.[0] ?? assert.fail(sceneId);
}

test("repeated complex radar scenes form pairs with the baselines of a satellite kept in its tube", () => {
  const found = scenes("esa", "COPERNICUS/S1_SLC", PRAGUE, Date.UTC(2020, 0, 1), Date.UTC(2020, 2, 1));
  const stack = found.filter(
    // The same cell of the same frame, which follow the relative orbit in the identifier.
    ({ relativeOrbit, sceneId }) =>
      relativeOrbit === found[0]?.relativeOrbit && frameOf(sceneId) === frameOf(found[0].sceneId),
  );
  assert.ok(stack.length >= 9);
  const matrix = baselineMatrix(
    stack.map(({ relativeOrbit, footprint, stateVectors }) => ({ track: `${relativeOrbit}`, footprint, stateVectors })),
  );
  const pairs = matrix.flatMap((row, i) => row.filter((_, j) => j !== i));
  for (const baselineM of pairs) assert.ok(baselineM !== null && Math.abs(baselineM) < 400, `${baselineM}`);
  assert.ok(pairs.some((baselineM) => Math.abs(baselineM ?? 0) > 30));
});

test("a search takes milliseconds", (t) => {
  const box: Bounds = [12, 48, 13.4, 48.9];
  const [from, to] = [Date.UTC(2024, 5, 1), Date.UTC(2024, 6, 1)];
  const datasets = [
    ["ee", "COPERNICUS/S2_HARMONIZED"],
    ["ee", "COPERNICUS/S1_GRD"],
    ["ee", "LANDSAT/LC08/C02/T1"],
    ["pl", "PSScene"],
    ["ab", "pleiades"],
  ] as const;
  for (const round of ["first", "again"]) {
    const start = performance.now();
    const count = datasets.reduce(
      (sum, [provider, dataset]) => sum + scenes(provider, dataset, box, from, to, 200).length,
      0,
    );
    t.diagnostic(`${round}: ${count} scenes of 5 datasets in ${(performance.now() - start).toFixed(1)} ms`);
  }
  const start = performance.now();
  const hours = scenes("ee", "JAXA/GPM_L3/GSMaP/v6/operational", [-180, -60, 180, 60], from, from + 10 * DAY_MS, 240);
  t.diagnostic(`${hours.length} hours of the world in ${(performance.now() - start).toFixed(1)} ms`);
});
