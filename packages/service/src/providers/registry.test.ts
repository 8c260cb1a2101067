import assert from "node:assert/strict";
import { test } from "node:test";
import { conformsToProvider } from "./provider.conformance.ts";
import { findDataset, findProvider, providers } from "./registry.ts";

for (const provider of providers) conformsToProvider(provider);

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

test("aliases of datasets are unique among all dataset identifiers", () => {
  const names = providers.flatMap(({ datasets }) => datasets.flatMap(({ dataset, aliases }) => [dataset, ...aliases]));
  assert.equal(new Set(names).size, names.length);
});

test("an alias finds its provider or dataset, an unknown name finds nothing", () => {
  assert.equal(findProvider("gbdx")?.id, "optical-legacy");
  assert.equal(findDataset("iceye", "Stripmap_GRD")?.provider.id, "radar-legacy");
  for (const product of ["idaho-swir", "idaho-panchromatic"]) {
    assert.equal(findDataset("gbdx", product)?.dataset.dataset, "idaho-pansharpened");
  }
  assert.equal(findProvider("nobody"), null);
  assert.equal(findDataset("ee", "uploads"), null);
});
