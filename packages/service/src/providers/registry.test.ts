import assert from "node:assert/strict";
import { test } from "node:test";
import { conformsToProvider } from "./provider.conformance.ts";
import type { DatasetDescriptor } from "./provider.ts";
import { findDataset, findProvider, providers } from "./registry.ts";

/** The table of the service interface, "Providers and datasets", with the identifiers of the interface decisions. */
const SPECIFIED: Readonly<Record<string, readonly [resolutionClass: string, ...datasets: string[]]>> = {
  "optical-legacy": ["high", "idaho-pansharpened"],
  "optical-archive": ["high", "ard", "ard_clipped", "ortho_4ps"],
  pl: [
    "medium-high",
    "PSScene4Band",
    "PSScene4Band_tile",
    "PSScene",
    "PSScene_tile",
    "PSScene_analytic_4b_sr",
    "PSScene_analytic_4b_sr_tile",
    "SkySatScene",
    "SkySatCollect",
    "SkySatCollect_pansharpened",
  ],
  "radar-legacy": [
    "high",
    "Spotlight_SLC",
    "SpotlightHigh_SLC",
    "Stripmap_SLC",
    "StripmapHigh_SLC",
    "Spotlight_GRD",
    "SpotlightHigh_GRD",
    "Stripmap_GRD",
    "StripmapHigh_GRD",
  ],
  ee: [
    "low",
    "COPERNICUS/S1_GRD",
    "COPERNICUS/S2_HARMONIZED",
    "COPERNICUS/S2_SR_HARMONIZED",
    "GOOGLE/DYNAMICWORLD/V1",
    "JAXA/GPM_L3/GSMaP/v6/operational",
    "LANDSAT/LC08/C02/T1",
    "LANDSAT/LE07/C02/T1",
    "COPERNICUS/S5P/OFFL/L3_CH4",
  ],
  esa: ["low", "COPERNICUS/S1_SLC"],
  noaa: ["low", "VIIRS/Monthly"],
  "optical-agile": ["high", "newsat", "newsat_sr"],
  ab: ["high", "spot", "pleiades", "pleiades-neo"],
  "radar-multi": ["high", "spotlight", "stripmap", "sliding_spotlight"],
  "radar-gec": ["high", "spotlight_GEC"],
  local: ["high", "uploads"],
};

for (const provider of providers) conformsToProvider(provider);

test("every dataset of the specification is registered in its resolution class, and no other", () => {
  const registered = Object.fromEntries(
    providers.map((provider) => [provider.id, provider.datasets.map(({ dataset }) => dataset).toSorted()]),
  );
  const specified = Object.fromEntries(
    Object.entries(SPECIFIED).map(([id, [, ...datasets]]) => [id, datasets.toSorted()]),
  );
  assert.deepEqual(registered, specified);
  for (const [id, [resolutionClass, ...datasets]] of Object.entries(SPECIFIED)) {
    for (const dataset of datasets) {
      assert.equal(findDataset(id, dataset)?.dataset.resolutionClass, resolutionClass, `${id} ${dataset}`);
    }
  }
});

test("dataset identifiers are unique by themselves", () => {
  const all = providers.flatMap((provider) => provider.datasets.map(({ dataset }) => dataset));
  assert.equal(new Set(all).size, all.length);
});

test("provider identifiers and aliases are unique and the list is in order", () => {
  const ids = providers.flatMap(({ id, aliases }) => [id, ...aliases]);
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(
    providers.map(({ id }) => id),
    providers.map(({ id }) => id).toSorted(),
  );
});

function datasetsWhere(holds: (one: DatasetDescriptor) => boolean): readonly string[] {
  return providers.flatMap(({ datasets }) => datasets.filter(holds).map(({ dataset }) => dataset)).toSorted();
}

test("the two datasets that need a separate search and the three that span the world are the specified ones", () => {
  assert.deepEqual(
    datasetsWhere((one) => one.requiresSeparateSearch),
    ["COPERNICUS/S5P/OFFL/L3_CH4", "JAXA/GPM_L3/GSMaP/v6/operational"],
  );
  assert.deepEqual(
    datasetsWhere((one) => one.wholeWorld),
    ["COPERNICUS/S5P/OFFL/L3_CH4", "JAXA/GPM_L3/GSMaP/v6/operational", "VIIRS/Monthly"],
  );
  assert.deepEqual(
    datasetsWhere((one) => one.clip === "required"),
    ["ard_clipped", "ortho_4ps", "pleiades", "pleiades-neo", "spot"],
  );
});

test("tiles, tasking and missing catalogues are those of the specified datasets", () => {
  assert.deepEqual(
    datasetsWhere((one) => one.hasStoreTiles),
    ["PSScene4Band_tile", "PSScene_analytic_4b_sr_tile", "PSScene_tile"],
  );
  assert.deepEqual(
    datasetsWhere((one) => !one.catalogAccess),
    (SPECIFIED["radar-legacy"] ?? []).slice(1).toSorted(),
  );
  assert.deepEqual(
    datasetsWhere((one) => !one.archiveDownload),
    ["spotlight_GEC"],
  );
  const tasked = ["ab", "optical-agile", "radar-gec", "radar-multi"].flatMap((id) => (SPECIFIED[id] ?? []).slice(1));
  assert.deepEqual(
    datasetsWhere((one) => one.taskingInfo !== null),
    [...tasked, "SkySatCollect", "SkySatCollect_pansharpened", "SkySatScene"].toSorted(),
  );
});

test("an alias finds its provider, an unknown name finds nothing", () => {
  assert.equal(findProvider("gbdx")?.id, "optical-legacy");
  assert.equal(findDataset("iceye", "Stripmap_GRD")?.provider.id, "radar-legacy");
  assert.equal(findProvider("nobody"), null);
  assert.equal(findDataset("ee", "uploads"), null);
});
