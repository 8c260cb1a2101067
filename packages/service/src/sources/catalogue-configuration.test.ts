import assert from "node:assert/strict";
import { test } from "node:test";
import type { RegisteredDataset } from "../providers/catalog.ts";
import { defineDataset, type ProviderDescriptor } from "../providers/provider.ts";
import { providers } from "../providers/registry.ts";
import { CatalogueFaults, parseCatalogue, type CatalogueConfiguration } from "./catalogue-configuration.ts";
import type { SourceKinds } from "./dataset-binding.ts";

/** A STAC source that needs an address, and a simulator of all datasets but one. */
const isOffered = ({ provider }: RegisteredDataset): boolean => provider.id !== "unsimulated";
const kinds: SourceKinds = {
  byName: {
    simulator: {
      simulated: true,
      offers: isOffered,
      check: (_settings, registered) => (isOffered(registered) ? [] : [{ path: "", message: "is not simulated" }]),
    },
    stac: {
      simulated: false,
      offers: null,
      check: (settings) => (typeof settings["url"] === "string" ? [] : [{ path: "/url", message: "is required" }]),
    },
  },
  standard: "simulator",
};
/** A provider that no source has by itself. */
const unsimulated: ProviderDescriptor = {
  id: "unsimulated",
  name: "Unsimulated",
  aliases: [],
  ownImagery: false,
  datasets: [
    defineDataset({
      dataset: "no_source_has_it",
      name: "Delivered",
      type: "optical",
      resolutionClass: "high",
      resolutionM: [0.5, 0.5],
      attribution: "© Unsimulated",
      changeGroup: "unsimulated",
      externalProvider: "Unsimulated",
    }),
  ],
};

function parse(document: unknown, builtIn: readonly ProviderDescriptor[] = providers): CatalogueConfiguration {
  return parseCatalogue(document, builtIn, kinds);
}

function faultsOf(document: unknown, builtIn?: readonly ProviderDescriptor[]): readonly string[] {
  try {
    parse(document, builtIn);
    return [];
  } catch (error) {
    assert.ok(error instanceof CatalogueFaults, String(error));
    return error.faults;
  }
}

test("without a file every dataset that the simulator may stand in for is simulated, marked and free; others hold what was ingested", () => {
  const { catalog, bindingOf } = parse({});
  for (const provider of catalog.providers) {
    for (const { dataset, name, attribution, creditsPerKm2, standIn } of provider.datasets) {
      const simulated = standIn && !provider.ownImagery;
      assert.equal(bindingOf(provider.id, dataset)?.kind, simulated ? "simulator" : undefined, dataset);
      assert.equal(/simulated/iu.test(name) && /simulated/iu.test(attribution), simulated, dataset);
      if (simulated) assert.equal(creditsPerKm2, 0, dataset);
    }
  }
  assert.equal(bindingOf("optical-legacy", "idaho-pansharpened")?.kind, "simulator");
  assert.equal(bindingOf("radar-legacy", "Stripmap_GRD"), null);
  assert.equal(bindingOf("radar-legacy", "Spotlight_SLC")?.kind, "simulator");
  assert.equal(bindingOf("local", "uploads"), null);
  assert.equal(catalog.findDataset("local", "uploads")?.dataset.creditsPerKm2, 0.1);
  assert.equal(catalog.findProvider("gbdx")?.id, "optical-legacy");
});

test("a dataset that the default source lacks is bound to the store, unmarked, at its own price", () => {
  const { catalog, bindingOf } = parse({}, [...providers, unsimulated]);
  assert.equal(bindingOf("unsimulated", "no_source_has_it"), null);
  assert.equal(bindingOf("ab", "spot")?.kind, "simulator");
  const dataset = catalog.findDataset("unsimulated", "no_source_has_it")?.dataset;
  assert.deepEqual([dataset?.name, dataset?.creditsPerKm2], ["Delivered", 0.1]);
});

test("a source that is named for a dataset or provider must have the dataset", () => {
  const path = "/providers/unsimulated/datasets/no_source_has_it/source";
  for (const settings of [{ source: "simulator" }, { datasets: { no_source_has_it: { source: "simulator" } } }]) {
    assert.deepEqual(faultsOf({ providers: { unsimulated: settings } }, [...providers, unsimulated]), [
      `${path}: is not simulated`,
    ]);
  }
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
  assert.equal(bindingOf("ee", "LANDSAT/LC08/C02/T1"), null);
  assert.equal(bindingOf("pl", "PSScene")?.kind, "simulator");
  assert.deepEqual([sourceTimeoutMs, catalogueDays], [5000, 7]);
});

test("a simulated dataset that is priced costs what it says", () => {
  const { catalog } = parse({ providers: { ab: { datasets: { spot: { creditsPerKm2: 2 } } } } });
  assert.equal(catalog.findDataset("ab", "spot")?.dataset.creditsPerKm2, 2);
  assert.equal(catalog.findDataset("ab", "pleiades")?.dataset.creditsPerKm2, 0);
});

test("faults of form are named with their paths, all of them", () => {
  assert.deepEqual(faultsOf([]), ["/: got [], expected object"]);
  const faults = faultsOf({ sourceTimeoutSeconds: 0, provider: {}, providers: { ee: { aliases: "x" } } });
  assert.equal(faults.length, 3, faults.join("\n"));
  assert.match(
    faults.join("\n"),
    /^\/: got the member "provider", did you mean "providers"\? expected defaultSource, /mu,
  );
  assert.match(faults.join("\n"), /^\/sourceTimeoutSeconds: got 0, expected >= 1$/mu);
  assert.match(faults.join("\n"), /^\/providers\/ee\/aliases: got "x", expected array$/mu);
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
    /^\/providers\/nobody: there is no provider "nobody", expected one of ab,.* radar-multi/u,
    /^\/providers\/ee\/datasets\/LANDSAT~1X: provider "ee" has no dataset "LANDSAT\/X"/u,
    /^\/providers\/ee\/datasets\/COPERNICUS~1S1_GRD\/source\/url: is required$/u,
    /^\/providers\/ee\/datasets\/COPERNICUS~1S2_HARMONIZED\/source\/catalogue: there is no "none" under \/stac$/u,
    /^\/providers\/ee\/aliases: "pl" means provider pl already$/u,
    /^\/providers\/ee\/datasets\/LANDSAT~1LC08~1C02~1T1\/aliases: "spot" means dataset ab spot already$/u,
    /^\/providers\/local\/datasets\/uploads\/source: imagery of the operator's own is in the store only/u,
  ]) {
    assert.ok(
      faults.some((fault) => expected.test(fault)),
      `${expected} in:\n${faults.join("\n")}`,
    );
  }
  assert.equal(faults.length, 7);
});

test("sources that do not exist or need settings of each dataset are named with their paths", () => {
  assert.deepEqual(
    faultsOf({
      defaultSource: "stac",
      providers: { pl: { source: "nowhere" }, ee: { datasets: { "COPERNICUS/S1_GRD": { source: { kind: "ftp" } } } } },
    }),
    [
      '/defaultSource: "stac" needs settings for each dataset',
      '/providers/pl/source: there is no source "nowhere", expected one of store, simulator, stac',
      "/providers/ee/datasets/COPERNICUS~1S1_GRD/source: " +
        'there is no source "ftp", expected one of store, simulator, stac',
    ],
  );
});

test("a configuration that leaves nothing is refused", () => {
  const off = Object.fromEntries(providers.map(({ id }) => [id, { enabled: false }]));
  assert.deepEqual(faultsOf({ providers: off }), ["/providers: none is left enabled"]);
});

test("sensors of a document take orders, for a dataset of its own and in place of built-in ones", () => {
  const satellites = [{ name: "ACME-1", catalogueNumber: 61_001, meanMotionRevPerDay: 15.2 }];
  const optical = { preallocationAreaKm2: 16, swathKm: 12, maxOffNadirDeg: 35, satellites };
  const radar = { preallocationAreaKm2: 50, swathKm: 10, incidenceDeg: [20, 45], satellites, mode: "stripmap" };
  const dataset = { name: "Acme", type: "optical", resolutionM: [0.5, 1] };
  const { catalog } = parse({
    providers: {
      acme: {
        name: "Acme",
        datasets: { visual: { ...dataset, sensors: optical }, radar: { ...dataset, type: "sar-grd", sensors: radar } },
      },
      ab: { datasets: { pleiades: { sensors: optical } } },
    },
  });
  const visual = catalog.findDataset("acme", "visual")?.dataset;
  assert.deepEqual(visual?.sensors?.limits, { kind: "optical", maxOffNadirDeg: 35, minSunElevationDeg: 15 });
  assert.deepEqual(visual.sensors.satellites, satellites);
  assert.equal(visual.taskingInfo?.flexible?.preallocationAreaKm2, 16);
  assert.deepEqual(visual.taskingInfo.flexible.taskingResolution, { min: 0.5, max: 1 });
  const own = catalog.findDataset("acme", "radar")?.dataset.sensors;
  assert.deepEqual([own?.mode, own?.setupGapS, own?.latencyHours], ["stripmap", 30, 6]);
  const lookSides = ["left", "right"];
  assert.deepEqual(own?.limits, { kind: "radar", minIncidenceDeg: 20, maxIncidenceDeg: 45, lookSides, dwellS: 10 });
  const builtIn = catalog.findDataset("ab", "pleiades")?.dataset;
  assert.deepEqual([builtIn?.sensors?.swathKm, builtIn?.taskingInfo?.assured?.preallocationAreaKm2], [12, 16]);
});

/** Faults of the sensors of a dataset, by their places below them. */
function faultsOfSensors(type: string, sensors: object): readonly string[] {
  const dataset = { name: "Acme", type, resolutionM: [0.5, 1], sensors };
  return faultsOf({ providers: { acme: { name: "Acme", datasets: { visual: dataset } } } }).map((fault) =>
    fault.replace("/providers/acme/datasets/visual/sensors", ""),
  );
}

test("faults of sensors name the place and the value expected", () => {
  const satellite = { name: "ACME-1", catalogueNumber: 61_001 };
  const sensors = { preallocationAreaKm2: 25, swathKm: 12, satellites: [satellite] };
  assert.deepEqual(faultsOfSensors("environmental", sensors), [
    ': a dataset of type "environmental" takes no orders, expected optical, sar-grd or sar-slc',
  ]);
  assert.deepEqual(
    faultsOfSensors("optical", { ...sensors, lookSides: ["left"], satellites: [satellite, satellite] }),
    [
      '/lookSides: not for a dataset of type "optical"',
      ': got no "maxOffNadirDeg"',
      "/satellites/1/catalogueNumber: 61001 is named twice",
    ],
  );
  assert.deepEqual(faultsOfSensors("sar-slc", { ...sensors, incidenceDeg: [45, 20], swathKm: 7 }), [
    "/incidenceDeg: got [45, 20], expected the least angle first",
    "/swathKm: got 7, expected 7.1 at least, the diagonal of a square of 25 km²",
  ]);
  assert.ok(faultsOfSensors("optical", { ...sensors, maxOffNadirDeg: 30, satelites: [] })[0]?.includes("satellites"));
});
