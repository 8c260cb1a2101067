import assert from "node:assert/strict";
import { test } from "node:test";
import { providers } from "../providers/registry.ts";
import type { SettingsFault } from "./bindings.ts";
import { CatalogueFaults, parseCatalogue, type CatalogueConfiguration } from "./catalogue-configuration.ts";

/** A STAC source that needs an address, and a simulator without settings. */
const checks = {
  simulator: { check: (): readonly SettingsFault[] => [] },
  stac: {
    check: (settings: Readonly<Record<string, unknown>>): readonly SettingsFault[] =>
      typeof settings["url"] === "string" ? [] : [{ path: "/url", message: "is required" }],
  },
};

function parse(document: unknown): CatalogueConfiguration {
  return parseCatalogue(document, providers, checks);
}

function faultsOf(document: unknown): readonly string[] {
  try {
    parse(document);
    return [];
  } catch (error) {
    assert.ok(error instanceof CatalogueFaults, String(error));
    return error.faults;
  }
}

test("without a file every dataset that has a catalogue is simulated, marked and free; others hold what was ingested", () => {
  const { catalog, bindingOf } = parse({});
  for (const provider of catalog.providers) {
    for (const { dataset, name, attribution, creditsPerKm2, catalogAccess } of provider.datasets) {
      const { kind } = bindingOf(provider.id, dataset);
      const simulated = catalogAccess && !provider.ownImagery;
      assert.equal(kind, simulated ? "simulator" : "store", dataset);
      assert.equal(/simulated/iu.test(name) && /simulated/iu.test(attribution), simulated, dataset);
      if (simulated) assert.equal(creditsPerKm2, 0, dataset);
    }
  }
  assert.equal(bindingOf("optical-legacy", "idaho-pansharpened").kind, "simulator");
  assert.equal(bindingOf("radar-legacy", "Stripmap_GRD").kind, "store");
  assert.equal(bindingOf("local", "uploads").kind, "store");
  assert.equal(catalog.findDataset("local", "uploads")?.dataset.creditsPerKm2, 0.1);
  assert.equal(catalog.findProvider("gbdx")?.id, "optical-legacy");
});

test("datasets are turned off, renamed, priced and bound", () => {
  const { catalog, bindingOf, sourceTimeoutMs, catalogueDays } = parse({
    defaultSource: "store",
    sourceTimeoutSeconds: 5,
    catalogueDays: 7,
    stac: { earth: { url: "https://stac.example.com", hosts: ["*.example.com"] } },
    providers: {
      noaa: { enabled: false },
      "optical-legacy": { aliases: ["old"] },
      pl: { source: "simulator" },
      ee: {
        datasets: {
          "COPERNICUS/S2_SR_HARMONIZED": {
            aliases: ["sentinel-2"],
            creditsPerKm2: 0.5,
            minAreaKm2: 25,
            source: { kind: "stac", catalogue: "earth", collections: ["sentinel-2-l2a"] },
          },
          "COPERNICUS/S1_GRD": { enabled: false },
        },
      },
    },
  });
  assert.equal(catalog.findProvider("noaa"), null);
  assert.equal(catalog.findDataset("noaa", "VIIRS/Monthly"), null);
  assert.equal(catalog.findDataset("ee", "COPERNICUS/S1_GRD"), null);
  assert.equal(catalog.findProvider("gbdx"), null);
  assert.equal(catalog.findDataset("old", "idaho-pansharpened")?.provider.id, "optical-legacy");
  const found = catalog.findDataset("ee", "sentinel-2")?.dataset;
  assert.deepEqual(
    [found?.dataset, found?.creditsPerKm2, found?.minAreaKm2, found?.name],
    ["COPERNICUS/S2_SR_HARMONIZED", 0.5, 25, "Sentinel-2 surface reflectance, harmonized"],
  );
  assert.deepEqual(bindingOf("ee", "COPERNICUS/S2_SR_HARMONIZED"), {
    kind: "stac",
    settings: { url: "https://stac.example.com", hosts: ["*.example.com"], collections: ["sentinel-2-l2a"] },
  });
  assert.equal(bindingOf("ee", "LANDSAT/LC08/C02/T1").kind, "store");
  assert.equal(bindingOf("pl", "PSScene").kind, "simulator");
  assert.deepEqual([sourceTimeoutMs, catalogueDays], [5000, 7]);
});

test("a simulated dataset that is priced costs what it says", () => {
  const { catalog } = parse({ providers: { ab: { datasets: { spot: { creditsPerKm2: 2 } } } } });
  assert.equal(catalog.findDataset("ab", "spot")?.dataset.creditsPerKm2, 2);
  assert.equal(catalog.findDataset("ab", "pleiades")?.dataset.creditsPerKm2, 0);
});

test("faults of form are named with their paths, all of them", () => {
  assert.deepEqual(faultsOf([]), ["/: must be object"]);
  const faults = faultsOf({ sourceTimeoutSeconds: 0, provider: {}, providers: { ee: { aliases: "x" } } });
  assert.equal(faults.length, 3, faults.join("\n"));
  assert.match(faults.join("\n"), /"provider"/u);
  assert.match(faults.join("\n"), /\/sourceTimeoutSeconds: must be >= 1/u);
  assert.match(faults.join("\n"), /\/providers\/ee\/aliases: must be array/u);
});

test("unknown names, names used twice and bindings that cannot be are named together", () => {
  const faults = faultsOf({
    providers: {
      nobody: {},
      ee: {
        aliases: ["pl"],
        datasets: {
          "LANDSAT/X": {},
          "COPERNICUS/S1_GRD": { source: { kind: "stac" } },
          "COPERNICUS/S2_HARMONIZED": { source: { kind: "stac", catalogue: "none" } },
          "LANDSAT/LC08/C02/T1": { aliases: ["spot"] },
        },
      },
      local: { datasets: { uploads: { source: "simulator" } } },
    },
  });
  for (const expected of [
    /^\/providers\/nobody: there is no provider "nobody", expected one of ab, ee/u,
    /^\/providers\/ee\/datasets\/LANDSAT~1X: provider "ee" has no dataset "LANDSAT\/X"/u,
    /^\/providers\/ee\/datasets\/COPERNICUS~1S1_GRD\/source\/url: is required$/u,
    /^\/providers\/ee\/datasets\/COPERNICUS~1S2_HARMONIZED\/source\/catalogue: there is no "none" under \/stac$/u,
    /^\/providers\/ee\/aliases: "pl" means provider pl already$/u,
    /^\/providers\/ee\/datasets\/LANDSAT~1LC08~1C02~1T1\/aliases: "spot" means dataset spot already$/u,
    /^\/providers\/local\/datasets\/uploads\/source: imagery of the operator's own is in the store only/u,
  ]) {
    assert.ok(
      faults.some((fault) => expected.test(fault)),
      `${expected} in:\n${faults.join("\n")}`,
    );
  }
  assert.equal(faults.length, 7);
});

test("a configuration that leaves nothing is refused", () => {
  const off = Object.fromEntries(providers.map(({ id }) => [id, { enabled: false }]));
  assert.deepEqual(faultsOf({ providers: off }), ["/providers: none is left enabled"]);
});
