import assert from "node:assert/strict";
import { test } from "node:test";
import { sceneId } from "@swath/kernel/scenes/scene-id";
import * as fc from "fast-check";
import type { StacDatasetConfig } from "./config.ts";
import { footprintOfItem } from "./item-footprint.ts";
import { itemDigest, itemOfSceneId, sceneIdOfItem } from "./item-id.ts";
import { type CatalogueItem, sceneOfItem } from "./item-scene.ts";
import { madeItem, sampleItems } from "./testing/sample-items.ts";
import type { StacItemJson } from "./testing/stac-server.ts";

const dataset = (collection: string, more: Partial<StacDatasetConfig> = {}): StacDatasetConfig => ({
  provider: "ee",
  dataset: "D",
  collections: [collection],
  ...more,
});

async function sceneOf(item: StacItemJson, config = dataset(item.collection)): Promise<CatalogueItem> {
  const found = await sceneOfItem(item, config);
  if (typeof found === "string") assert.fail(`skipped: ${found}`);
  return found;
}

const sentinel2 = (properties: object, asset: object = {}): StacItemJson => {
  const item = madeItem("S2B_MSIL2A_20230101T100319_N0509_R122_T33UVR", "2023-01-01T10:03:19.024Z", 14, 50);
  return {
    ...item,
    properties: { ...item.properties, platform: "sentinel-2b", ...properties },
    assets: { red: { href: "https://x.test/B04.tif", type: "image/tiff", "eo:bands": [{ name: "B04" }], ...asset } },
  };
};

test("a Landsat 8 item becomes a scene with angles, cloud and numbered bands", async (t) => {
  const items = sampleItems("landsat8_netherlands_125_items.json");
  if (items === null) return t.skip("sample data absent");
  const found = await Promise.all(items.map((item) => sceneOf(item)));
  const scene = found[0]?.scene;
  // Values read from the sample by eye; reflectance is multiplied by the sine of the sun's elevation.
  assert.equal(scene?.sceneId, sceneId("ee", "D", "LC08_L2SP_198022_20190307_02_T2"));
  assert.equal(scene?.satellite, "LANDSAT-8");
  assert.equal(scene?.datetime, "2019-03-07 10:32:42");
  assert.equal(scene?.cloudCover, 0.9996);
  assert.equal(scene?.sunElevation, 28.29507829);
  assert.equal(scene?.crsEpsg, 32_632);
  assert.deepEqual(
    scene?.bands.map(({ names }) => names.at(-1)),
    ["B1", "B2", "B3", "B4", "B5"],
  );
  assert.deepEqual(scene?.bands[4]?.names, ["NIR", "near-ir", "B5"]);
  assert.equal(scene?.bands[0]?.pixelSizeX, 30);
  assert.equal(scene?.bands[0]?.crsOriginX, 212_085);
  const sine = Math.sin((28.29507829 * Math.PI) / 180);
  assert.ok(Math.abs((scene?.bands[0]?.reflectanceMult ?? 0) - 2.75e-5 * sine) < 1e-12);
  assert.ok(Math.abs((scene?.bands[0]?.reflectanceAdd ?? 0) + 0.2 * sine) < 1e-9);
});

test("a Landsat 7 item of 21 assets gives its seven bands, the thermal one without reflectance", async (t) => {
  const item = sampleItems("single/LE07_L2SP_021030_20100109_02_T1.json")?.[0];
  if (item === undefined) return t.skip("sample data absent");
  const { scene } = await sceneOf(item);
  const names = scene.bands.map(({ names: [long] }) => long);
  assert.deepEqual(names, ["Blue", "Green", "Red", "NIR", "SWIR 1", "Thermal", "SWIR 2"]);
  assert.equal(scene.bands[5]?.reflectanceMult, undefined);
  assert.equal(scene.bands[5]?.bitDepth, 16);
});

test("a Sentinel-2 item of 41 assets gives each band once, at its finest", async (t) => {
  const item = sampleItems("single/S2A_MSIL2A_20190212T192651_N0212_R013_T07HFE_20201007T160857.json")?.[0];
  if (item === undefined) return t.skip("sample data absent");
  const { scene, selection } = await sceneOf(item, dataset("sentinel-2-l2a"));
  const ids = scene.bands.map(({ names }) => names.at(-1));
  assert.deepEqual(ids, ["B01", "B02", "B03", "B04", "B05", "B06", "B07", "B08", "B8A", "B09", "B11", "B12"]);
  assert.deepEqual(
    scene.bands.map(({ gsd }) => gsd),
    [60, 10, 10, 10, 20, 20, 20, 10, 20, 60, 20, 20],
  );
  assert.equal(scene.bands[1]?.crsOriginX, 600_000);
  assert.equal(scene.satelliteAzimuth, 288.9954893614781);
  assert.equal(scene.relativeOrbitNumberStart, 13);
  assert.equal(scene.orbitPass, "descending");
  assert.ok(selection.files.every(({ shift }) => shift === 0));
});

test("Sentinel-2 items without sun elevation give it from their zenith angle", async (t) => {
  const items = sampleItems("sentinel2_l2a_2019-01-01_items.json");
  if (items === null) return t.skip("sample data absent");
  const [first] = await Promise.all(items.map((item) => sceneOf(item)));
  assert.ok(Math.abs((first?.scene.sunElevation ?? 0) - (90 - 81.3310068623942)) < 1e-9);
  assert.deepEqual(
    first?.scene.bands.map(({ gsd }) => gsd),
    [60, 10, 10, 10, 20],
  );
});

test("a Sentinel-1 GRD item gives mode, looks, look side and one band for each polarisation", async (t) => {
  const item = sampleItems("single/S1A_IW_GRDH_1SDV_20210809T173953_20210809T174018_039156_049F13.json")?.[0];
  if (item === undefined) return t.skip("sample data absent");
  const { scene } = await sceneOf(item);
  assert.deepEqual(
    [scene.mode, scene.looks, scene.lookSide, scene.orbitPass, scene.relativeOrbitNumberStop, scene.sliceNumber],
    ["IW", 4.4, "right", "ascending", 59, 7],
  );
  assert.deepEqual(
    scene.bands.map(({ names: [long] }) => long),
    ["VV", "VH"],
  );
  assert.equal(scene.bands[0]?.gsd, 10);
});

test("a Sentinel-1 SLC item is a scene although its pixels are complex", async (t) => {
  const item = sampleItems("single/S1A_IW_SL1__1_SH_20141031T095929_20141031T100002_003072_003842.json")?.[0];
  if (item === undefined) return t.skip("sample data absent");
  const { scene } = await sceneOf(item);
  assert.deepEqual(
    scene.bands.map(({ names: [long], gsd }) => [long, gsd]),
    [["HH", 2.3]],
  );
});

test("an asset of several bands gives all of them", async (t) => {
  const item = sampleItems("naip_vermont_items.json")?.[0];
  if (item === undefined) return t.skip("sample data absent");
  const { scene, selection } = await sceneOf(item);
  assert.deepEqual(
    scene.bands.map(({ names: [long] }) => long),
    ["Red", "Green", "Blue", "NIR"],
  );
  assert.equal(selection.files.length, 1);
  assert.equal(scene.bands[0]?.pixelSizeY, -0.3);
});

test("a Planet-like item takes its quality flags and the asset that the configuration names", async () => {
  const bands = ["coastal_blue", "blue", "green_i", "green"].map((name) => ({ name }));
  const base = madeItem("20240101_101010_12_24ab", "2024-01-01T10:10:10Z", 14, 50);
  const item = {
    ...base,
    properties: {
      ...base.properties,
      platform: "24ab",
      "view:off_nadir": 3.2,
      "pl:ground_control": true,
      "pl:quality_category": "standard",
      "pl:anomalous_pixels": 0.14,
    },
    assets: {
      ortho_analytic_4b: { href: "https://x.test/a_4b.tif", type: "image/tiff", "eo:bands": bands.slice(0, 3) },
      ortho_analytic_8b: { href: "https://x.test/a_8b.tif", type: "image/tiff", "eo:bands": bands },
      ortho_visual: { href: "https://x.test/v.tif", type: "image/tiff", roles: ["visual"] },
    },
  };
  const config = dataset(base.collection, {
    sensor: "planetscope-8",
    bands: { B2: ["missing#1", "ortho_*_8b#2"], B4: "ortho_analytic_8b#4", B8: "ortho_analytic_8b#8" },
  });
  const { scene, selection } = await sceneOf(item, config);
  assert.deepEqual(
    scene.bands.map(({ names: [long] }) => long),
    ["Blue", "Green", "NIR"],
  );
  assert.deepEqual(
    selection.bands.map(({ matched }) => matched.band),
    [1, 3, 7],
  );
  assert.deepEqual([scene.groundControlFlag, scene.sensorQualityFlag, scene.offNadir], [true, true, 3.2]);
  assert.equal(scene.anomalousRatio, 0.14);
  const automatic = await sceneOf(item);
  assert.deepEqual(
    automatic.selection.files.map(({ name }) => name),
    ["a_8b.tif"],
  );
});

test("bands whose scale has a unit of radiance state radiance and no reflectance", async () => {
  const base = madeItem("20240101_101010_12_24ab", "2024-01-01T10:10:10Z", 14, 50);
  for (const [unit, scale, mult] of [
    ["W m-2 sr-1 um-1", 0.02, 0.02],
    ["W⋅sr−1⋅m−2⋅nm−1", 1e-5, 0.01],
    // As stactools writes it for products of 0.01 W m^-2 sr^-1 um^-1.
    ["W⋅sr−1⋅m−2⋅nm−1", 0.01, 0.01],
  ] as const) {
    const analytic = {
      href: "https://x.test/analytic.tif",
      type: "image/tiff",
      "eo:bands": [{ name: "red", common_name: "red" }],
      "raster:bands": [{ data_type: "uint16", scale, offset: 0, unit }],
    };
    const { scene } = await sceneOf({ ...base, assets: { analytic } });
    const [band] = scene.bands;
    assert.ok(Math.abs((band?.radianceMult ?? 0) - mult) < 1e-12, `${unit}: ${band?.radianceMult}`);
    assert.deepEqual([band?.radianceAdd, band?.reflectanceMult], [0, undefined]);
  }
});

test("the offset of Sentinel-2 is what the item states, else what its baseline implies, unless it is taken out already", async () => {
  const stated = { "raster:bands": [{ scale: 0.0001, offset: -0.1, data_type: "uint16" }] };
  const cases = [
    { properties: { "s2:processing_baseline": "02.12" }, asset: {}, shift: 0 },
    { properties: { "s2:processing_baseline": "05.09" }, asset: {}, shift: 1000 },
    { properties: { "s2:product_uri": "S2A_MSIL2A_20220301T1_N0400_R1.SAFE" }, asset: {}, shift: 1000 },
    { properties: { "s2:processing_baseline": "05.09" }, asset: stated, shift: 1000 },
    {
      properties: { "s2:processing_baseline": "05.09", "earthsearch:boa_offset_applied": true },
      asset: stated,
      shift: 0,
    },
  ];
  const sine = Math.sin(Math.PI / 6);
  for (const { properties, asset, shift } of cases) {
    const item = sentinel2(properties, asset);
    const harmonized = await sceneOf(item);
    assert.equal(harmonized.selection.files[0]?.shift, shift, JSON.stringify(properties));
    assert.ok(Math.abs((harmonized.scene.bands[0]?.reflectanceMult ?? 0) - 1e-4 * sine) < 1e-15);
    assert.equal(harmonized.scene.bands[0]?.reflectanceAdd, 0);
    const left = await sceneOf(item, dataset(item.collection, { harmonize: false }));
    assert.equal(left.selection.files[0]?.shift, 0);
    assert.ok(Math.abs((left.scene.bands[0]?.reflectanceAdd ?? 0) + shift * 1e-4 * sine) < 1e-12);
  }
});

test("items that are no scenes are told why", async () => {
  const item = madeItem("x", "2024-01-01T00:00:00Z", 5, 52);
  const skipped = async (more: object, config = dataset(item.collection)) => sceneOfItem({ ...item, ...more }, config);
  assert.equal(await skipped({ properties: { datetime: null } }), "no datetime");
  assert.equal(await skipped({ id: "" }), "no identifier");
  assert.equal(await skipped({ collection: "other" }), "other collection");
  assert.equal(await skipped({ geometry: null, bbox: undefined }), "no geometry");
  assert.equal(await skipped({}, dataset(item.collection, { where: { platform: "landsat-9" } })), "not wanted");
  const start = await skipped({ properties: { datetime: null, start_datetime: "2024-01-02T03:04:05.678+01:00" } });
  assert.equal(typeof start === "string" ? start : start.scene.datetime, "2024-01-02 02:04:05");
  assert.equal(typeof (await skipped({ geometry: null })), "object");
});

test("documents of any form end in a scene or a reason, never in a crash", async () => {
  const item = madeItem("x", "2024-01-01T00:00:00Z", 5, 52);
  const keys = ["id", "collection", "geometry", "bbox", "properties", "assets", "links"];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...keys), fc.jsonValue({ maxDepth: 4 }), async (key, value) => {
      const found = await sceneOfItem({ ...item, [key]: value }, dataset(item.collection));
      assert.ok(typeof found === "string" || found.scene.areaKm2 > 0);
    }),
    { numRuns: 300 },
  );
});

const ring = (...positions: (readonly [number, number])[]) => ({
  geometry: { type: "Polygon", coordinates: [positions] },
});

test("footprints are closed, split at the antimeridian and replaced by the box where there is nothing to repair", () => {
  const open = footprintOfItem(ring([0, 0], [1, 0], [1, 1], [0, 1]));
  assert.deepEqual(open?.coordinates[0]?.[0]?.length, 5);
  const across = footprintOfItem(ring([179, 0], [-179, 0], [-179, 1], [179, 1], [179, 0]));
  assert.equal(across?.coordinates.length, 2);
  assert.ok(across?.coordinates.flat(2).every(([lon]) => Math.abs(lon) >= 179));
  const beyond = footprintOfItem(ring([179, 0], [181, 0], [181, 1], [179, 1], [179, 0]));
  assert.deepEqual(beyond, across);
  assert.deepEqual(footprintOfItem({ geometry: null, bbox: [179, 0, -179, 1] })?.coordinates.length, 2);
  const bowTie = footprintOfItem(ring([0, 0], [1, 1], [1, 0], [0, 1], [0, 0]));
  assert.equal(bowTie?.coordinates.length, 2);
  const box = { bbox: [0, 0, 1, 1] };
  assert.equal(footprintOfItem({ ...ring([0, 0], [1, 1], [0, 0]), ...box })?.coordinates[0]?.[0]?.length, 5);
  assert.equal(footprintOfItem({ geometry: { type: "Point", coordinates: [1, 2] } }), null);
});

test("identifiers of any characters and length lead back to their item", () => {
  const one = { provider: "ee", dataset: "A/B", collections: ["c"] };
  const two = { ...one, collections: ["c", "c:d"] };
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 150 }), (id) => {
      fc.pre(id.isWellFormed());
      for (const [config, collection] of [
        [one, "c"],
        [two, "c"],
      ] as const) {
        const scene = sceneIdOfItem(config, { collection, id, acquiredAtMs: 1_700_000_000_000 });
        assert.ok(scene.length <= 128);
        const address = itemOfSceneId(config, scene);
        if (address?.kind === "id") assert.deepEqual(address, { kind: "id", collection, id });
        else
          assert.deepEqual(address, {
            kind: "digest",
            acquiredAtMs: 1_700_000_000_000,
            digest: itemDigest(collection, id),
          });
      }
    }),
  );
  assert.equal(itemOfSceneId(one, sceneId("ee", "A/C", "x")), null);
  assert.equal(itemOfSceneId(one, "nonsense"), null);
});
