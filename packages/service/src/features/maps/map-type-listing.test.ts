import assert from "node:assert/strict";
import { test } from "node:test";
import { MATURITIES } from "@swath/maps/maturity";
import { createMapTypes } from "@swath/maps/registry";
import { listMapTypes as listOperation } from "@swath/contract/features/maps/map-types-contract";
import { legendOf, listMapTypes } from "./map-type-listing.ts";

const mapTypes = createMapTypes([]);

const DATASETS = [
  { provider: "ab", dataset: "spot", datasetType: "optical", finestResolutionM: 1.5 },
  { provider: "ee", dataset: "COPERNICUS/S1_GRD", datasetType: "sar-grd", finestResolutionM: 10 },
  { provider: "ee", dataset: "LANDSAT/LC08/C02/T1", datasetType: "optical", finestResolutionM: 15 },
];

function listed(...permissions: readonly string[]) {
  return listMapTypes(mapTypes.all, DATASETS, new Set(permissions));
}

test("only types and datasets that the caller may release are listed", () => {
  assert.deepEqual(listed("mapsvc.release"), []);
  const [only, ...more] = listed("imagery.images.ab");
  assert.deepEqual(more, []);
  assert.equal(only?.mapType, "imagery");
  assert.deepEqual(Object.keys(only?.availableDatasets ?? {}), ["ab"]);

  const [ndvi] = listed("algorithms.ndvi");
  assert.deepEqual(
    Object.entries(ndvi?.availableDatasets ?? {}).map(([provider, sets]) => [provider, sets.map(([name]) => name)]),
    [
      ["ab", ["spot"]],
      ["ee", ["LANDSAT/LC08/C02/T1"]],
    ],
  );
  const possible = mapTypes.all.filter(({ datasetTypes, settings }) =>
    DATASETS.some(
      ({ datasetType, finestResolutionM }) =>
        datasetTypes.includes(datasetType) && (settings.maxGsdM === null || finestResolutionM <= settings.maxGsdM),
    ),
  );
  assert.deepEqual(
    listed("imagery", "algorithms").map(({ mapType }) => mapType),
    possible.map(({ id }) => id),
  );
});

test("an entry carries files by suffix and the settings of each dataset", () => {
  const [imagery] = listed("imagery.images");
  assert.deepEqual(imagery?.gridFiles["png"], ["truecolor.png"]);
  assert.deepEqual(imagery?.deprecatedClasses, {});
  assert.equal("segmentationMetadata" in (imagery ?? {}), false);
  assert.deepEqual(Object.keys(imagery?.availableDatasets["ab"]?.[0]?.[1] ?? {}).toSorted(), [
    "is_global",
    "margin_m",
    "margin_px",
    "max_gsd",
    "min_size_px",
    "resolution",
    "version",
  ]);
});

test("a type that needs finer pixels is not offered for coarser datasets", () => {
  const first = mapTypes.find("imagery");
  assert.ok(first !== undefined);
  const fine = { ...first, settings: { ...first.settings, maxGsdM: 3.2 } };
  const [entry] = listMapTypes([fine], DATASETS, new Set(["imagery"]));
  assert.deepEqual(Object.keys(entry?.availableDatasets ?? {}), ["ab"]);
});

test("a legend carries colours, hierarchy and the classes of older versions", () => {
  const wrunc = mapTypes.find("wrunc");
  assert.ok(wrunc !== undefined);
  const legend = legendOf(wrunc);
  assert.deepEqual(legend.segmentationMetadata?.segmentationColors["water"], [31, 120, 255]);
  assert.deepEqual(legend.segmentationHierarchy?.baseClasses, ["water", "roads", "urban", "nonurban", "clouds"]);
  assert.deepEqual(legend.segmentationHierarchy?.parentClasses["artificial"], ["roads", "urban"]);
  assert.equal(legend.segmentationHierarchy?.masterClass, "all");
  assert.deepEqual(legend.deprecatedClasses["372"]?.["trees"], [0, 100, 0]);
});

test("every entry says whether real imagery has validated it", () => {
  const fine = { provider: "pneo", dataset: "archive", datasetType: "optical", finestResolutionM: 0.3 };
  const entries = listMapTypes(mapTypes.all, [fine], new Set(["imagery", "algorithms"]));
  for (const { mapType, maturity, maturityMeaning } of entries) {
    assert.ok(Object.hasOwn(MATURITIES, maturity), mapType);
    assert.equal(maturityMeaning.startsWith("Not validated on real imagery"), maturity !== "validated", mapType);
  }
  const graded = new Map(entries.map(({ mapType, maturity }) => [mapType, maturity]));
  assert.equal(graded.get("ndvi"), "validated");
  assert.equal(graded.get("burned-pair"), "self-tested");
  assert.equal(graded.get("pools"), "experimental");
});

test("the contract lists the grades that map types may have, and no others", () => {
  const answer = listOperation.response as unknown as {
    readonly items: { readonly properties: { readonly maturity: { readonly enum: readonly string[] } } };
  };
  assert.deepEqual(answer.items.properties.maturity.enum, Object.keys(MATURITIES));
});

test("an entry names its group and the scenes of one map", () => {
  const scenesOf = new Map(
    listed("imagery", "algorithms").map(({ mapType, group, scenes }) => [mapType, [group, scenes.min, scenes.max]]),
  );
  assert.deepEqual(scenesOf.get("imagery"), ["imagery", 1, 1]);
  assert.deepEqual(scenesOf.get("ndvi"), ["vegetation", 1, 1]);
  assert.deepEqual(scenesOf.get("change")?.slice(1), [2, 2]);
  for (const mapType of mapTypes.all.filter(({ analysis }) => analysis !== undefined)) {
    const entry = scenesOf.get(mapType.id);
    if (entry === undefined) continue;
    assert.deepEqual(entry.slice(1), [mapType.analysis?.scenes.min, mapType.analysis?.scenes.max], mapType.id);
  }
});
