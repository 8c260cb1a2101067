import assert from "node:assert/strict";
import { test } from "node:test";
import type { DatasetDescriptor } from "../../../service/src/providers/provider.ts";
import { findDataset, providers } from "../../../service/src/providers/registry.ts";
import { SPECIFIED_DATASETS } from "./specified-datasets.ts";

/** The table of the service interface, "Providers and datasets"; providers that it does not name have class high. */
const RESOLUTION_CLASSES: Readonly<Record<string, string>> = {
  ee: "low",
  esa: "low",
  noaa: "low",
  pl: "medium-high",
};

/** Names of the specified datasets whose descriptor holds a property. Providers may be added beside them. */
function specifiedWhere(holds: (one: DatasetDescriptor) => boolean): readonly string[] {
  return SPECIFIED_DATASETS.filter(({ provider, dataset }) => {
    const found = findDataset(provider, dataset)?.dataset;
    return found !== undefined && holds(found);
  })
    .map(({ dataset }) => dataset)
    .toSorted();
}

function specifiedOf(...ids: readonly string[]): readonly string[] {
  return SPECIFIED_DATASETS.filter(({ provider }) => ids.includes(provider)).map(({ dataset }) => dataset);
}

test("every dataset of the specification is registered in its resolution class", () => {
  for (const { provider, dataset } of SPECIFIED_DATASETS) {
    const found = findDataset(provider, dataset)?.dataset;
    assert.equal(found?.dataset, dataset);
    assert.equal(found.resolutionClass, RESOLUTION_CLASSES[provider] ?? "high", `${provider} ${dataset}`);
  }
});

test("providers of the specification have its datasets and no other", () => {
  for (const { id, datasets } of providers) {
    const specified = specifiedOf(id);
    if (specified.length === 0) continue;
    assert.deepEqual(datasets.map(({ dataset }) => dataset).toSorted(), specified.toSorted(), id);
  }
});

test("the two datasets that need a separate search and the three that span the world are the specified ones", () => {
  assert.deepEqual(
    specifiedWhere((one) => one.requiresSeparateSearch),
    ["COPERNICUS/S5P/OFFL/L3_CH4", "JAXA/GPM_L3/GSMaP/v6/operational"],
  );
  assert.deepEqual(
    specifiedWhere((one) => one.wholeWorld),
    ["COPERNICUS/S5P/OFFL/L3_CH4", "JAXA/GPM_L3/GSMaP/v6/operational", "VIIRS/Monthly"],
  );
  assert.deepEqual(
    specifiedWhere((one) => one.clip === "required"),
    ["ard_clipped", "ortho_4ps", "pleiades", "pleiades-neo", "spot"],
  );
});

test("analyses of pl have an effective resolution of 3.125 m, others of 0.5 m", () => {
  for (const { provider, dataset } of SPECIFIED_DATASETS) {
    const resolutionM = findDataset(provider, dataset)?.dataset.analysisResolutionM;
    assert.equal(resolutionM, provider === "pl" ? 3.125 : 0.5, dataset);
  }
});

test("tiles, tasking and missing catalogues are those of the specified datasets", () => {
  assert.deepEqual(
    specifiedWhere((one) => one.hasStoreTiles),
    ["PSScene4Band_tile", "PSScene_analytic_4b_sr_tile", "PSScene_tile"],
  );
  assert.deepEqual(
    specifiedWhere((one) => !one.catalogAccess),
    specifiedOf("radar-legacy").toSorted(),
  );
  assert.deepEqual(
    specifiedWhere((one) => !one.archiveDownload),
    ["spotlight_GEC"],
  );
  const tasked = specifiedOf("ab", "optical-agile", "radar-gec", "radar-multi");
  assert.deepEqual(
    specifiedWhere((one) => one.taskingInfo !== null),
    [...tasked, "SkySatCollect", "SkySatCollect_pansharpened", "SkySatScene"].toSorted(),
  );
});
