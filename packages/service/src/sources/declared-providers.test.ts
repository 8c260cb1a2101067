import assert from "node:assert/strict";
import { test } from "node:test";
import { conformsToProvider } from "../providers/provider.conformance.ts";
import { providers as builtIn } from "../providers/registry.ts";
import { CatalogueFaults, parseCatalogue, type CatalogueConfiguration } from "./catalogue-configuration.ts";
import type { SourceKinds } from "./dataset-binding.ts";

const kinds: SourceKinds = {
  byName: {
    simulator: {
      simulated: true,
      offers: ({ provider }) => builtIn.some(({ id }) => id === provider.id),
      check: (_settings, { provider }) =>
        builtIn.some(({ id }) => id === provider.id) ? [] : [{ path: "", message: "is not simulated" }],
    },
    stac: { simulated: false, offers: null, check: () => [] },
  },
  standard: "simulator",
};
const VISUAL = { name: "Acme visual", type: "optical", resolutionM: [0.5, 0.5] };

const parse = (document: unknown): CatalogueConfiguration => parseCatalogue(document, builtIn, kinds);

function faultsOf(providers: unknown): readonly string[] {
  try {
    parse({ providers });
    return [];
  } catch (error) {
    assert.ok(error instanceof CatalogueFaults, String(error));
    return error.faults;
  }
}

test("a provider of the file comes after the built-in ones, with the usual values where it says nothing", () => {
  const { catalog, bindingOf } = parse({
    providers: { acme: { name: "Acme", aliases: ["acme-imaging"], datasets: { acme_visual: VISUAL } } },
  });
  assert.equal(catalog.providers.at(-1)?.id, "acme");
  assert.equal(catalog.providers.length, builtIn.length + 1);
  const found = catalog.findDataset("acme-imaging", "acme_visual")?.dataset;
  assert.deepEqual(
    [found?.attribution, found?.externalProvider, found?.changeGroup, found?.resolutionClass, found?.creditsPerKm2],
    ["Acme", "Acme", "acme", "high", 0.1],
  );
  assert.deepEqual(found?.visualizationBands, ["red", "green", "blue"]);
  assert.deepEqual([found?.canBeIngested, found?.catalogAccess, found?.analysisResolutionM], [true, true, 0.5]);
  assert.equal(bindingOf("acme", "acme_visual"), null);
});

test("a dataset of the file says everything itself, and a built-in provider gets another dataset", () => {
  const { catalog, bindingOf } = parse({
    providers: {
      ee: {
        datasets: {
          "MODIS/061/MOD13Q1": {
            name: "MODIS vegetation",
            type: "environmental",
            resolutionM: [250, 500],
            resolutionClass: "medium-high",
            analysisResolutionM: 300,
            attribution: "NASA",
            externalProvider: "NASA LP DAAC",
            changeGroup: "modis",
            canBeIngested: true,
            clip: "required",
            thumbnail: false,
            exportable: false,
            aliases: ["modis-ndvi"],
            creditsPerKm2: 3,
            minAreaKm2: 9,
            source: { kind: "stac", url: "https://modis.example", collections: ["m"] },
          },
        },
      },
    },
  });
  const found = catalog.findDataset("ee", "modis-ndvi");
  assert.equal(found?.provider.name, builtIn.find(({ id }) => id === "ee")?.name);
  assert.deepEqual(
    [found?.dataset.name, found?.dataset.resolutionClass, found?.dataset.analysisResolutionM, found?.dataset.clip],
    ["MODIS vegetation", "medium-high", 300, "required"],
  );
  assert.deepEqual(
    [found?.dataset.thumbnail, found?.dataset.exportable, found?.dataset.creditsPerKm2, found?.dataset.minAreaKm2],
    [false, false, 3, 9],
  );
  assert.equal(found?.dataset.visualizationBands, null);
  assert.equal(bindingOf("ee", "MODIS/061/MOD13Q1")?.kind, "stac");
  assert.equal(bindingOf("ee", "COPERNICUS/S1_GRD")?.kind, "simulator");
});

function classOf(finestM: number): unknown {
  const datasets = { one: { ...VISUAL, resolutionM: [finestM, 100] } };
  const found = parse({ providers: { acme: { name: "Acme", datasets } } }).catalog.findDataset("acme", "one");
  return [found?.dataset.resolutionClass, found?.dataset.creditsPerKm2];
}

test("pixels of 2 m and of 10 m begin a coarser class, which decides the price", () => {
  assert.deepEqual(classOf(1.99), ["high", 0.1]);
  assert.deepEqual(classOf(2), ["medium-high", 0.02]);
  assert.deepEqual(classOf(10), ["low", 0]);
});

const { catalog } = parse({
  providers: {
    acme: {
      name: "Acme",
      datasets: {
        acme_coarse: { ...VISUAL, name: "Coarse", resolutionM: [20, 60] },
        acme_radar: { name: "Radar", type: "sar-slc", resolutionM: [3, 3], source: { kind: "stac" } },
        acme_visual: VISUAL,
      },
    },
  },
});
for (const provider of catalog.providers.filter(({ id }) => id === "acme")) conformsToProvider(provider);

test("misspelt providers, datasets and members are refused with the name that was probably meant", () => {
  assert.deepEqual(
    faultsOf({
      "optical-archve": { enabled: false },
      ee: { datasets: { "COPERNICUS/S2_SR_HARMONISED": { creditsPerKm2: 1 } } },
    }).map((fault) => fault.split(" expected")[0]),
    [
      '/providers/ee/datasets/COPERNICUS~1S2_SR_HARMONISED: provider "ee" has no dataset "COPERNICUS/S2_SR_HARMONISED", did you mean "COPERNICUS/S2_SR_HARMONIZED"?',
      '/providers/optical-archve: there is no provider "optical-archve", did you mean "optical-archive"?',
    ],
  );
  const [fault = ""] = faultsOf({ acme: { name: "Acme", datasets: { v: { ...VISUAL, creditPerKm2: 1 } } } });
  assert.match(
    fault,
    /^\/providers\/acme\/datasets\/v: got the member "creditPerKm2", did you mean "creditsPerKm2"\?/u,
  );
  const [wrongType = ""] = faultsOf({ acme: { name: "Acme", datasets: { v: { ...VISUAL, type: "optic" } } } });
  assert.equal(
    wrongType,
    '/providers/acme/datasets/v/type: got "optic", expected one of optical, sar-grd, sar-slc, probabilities, environmental',
  );
});

test("a provider or dataset that lacks something, or cannot be, is refused with its place", () => {
  const own = (datasets: object): readonly string[] => faultsOf({ acme: { name: "Acme", datasets } });
  assert.deepEqual(own({}), ["/providers/acme/datasets: got none, expected one at least for a provider of your own"]);
  assert.match(faultsOf({ Acme: { name: "Acme", datasets: { v: VISUAL } } })[0] ?? "", /got the identifier "Acme"/u);
  assert.match(own({ "a b": VISUAL })[0] ?? "", /^\/providers\/acme\/datasets\/a b: got the identifier "a b"/u);
  assert.match(own({ ["v".repeat(60)]: VISUAL })[0] ?? "", /too long for scenes, expected 56 characters/u);
  assert.deepEqual(own({ v: {} }), [
    '/providers/acme/datasets/v: got no "name", which a dataset of your own needs',
    '/providers/acme/datasets/v: got no "type", which a dataset of your own needs',
    '/providers/acme/datasets/v: got no "resolutionM", which a dataset of your own needs',
  ]);
  assert.match(own({ v: { ...VISUAL, resolutionM: [5, 1] } })[0] ?? "", /resolutionM: got \[5, 1\]/u);
  assert.match(own({ v: { ...VISUAL, canBeIngested: false } })[0] ?? "", /canBeIngested: got false, expected true or/u);
  const bands = { visualizationBands: ["vv", "vh", "vv"] };
  assert.match(
    own({ v: { ...VISUAL, type: "sar-grd", ...bands } })[0] ?? "",
    /visualizationBands: got bands of a dataset/u,
  );
  assert.deepEqual(own({ v: { ...VISUAL, source: "simulator" } }), [
    "/providers/acme/datasets/v/source: is not simulated",
  ]);
});

test("built-in providers and datasets cannot be described anew", () => {
  assert.deepEqual(faultsOf({ ab: { name: "Mine", datasets: { spot: { type: "optical", creditsPerKm2: 1 } } } }), [
    '/providers/ab/name: provider "ab" is built in, expected no name for it',
    '/providers/ab/datasets/spot/type: dataset "spot" is built in, expected no "type" for it',
  ]);
});

test("names of built-in providers, of their aliases and of datasets are not free, on or off", () => {
  const acme = (settings: object, id = "acme"): Record<string, unknown> => ({
    [id]: { name: "Acme", datasets: { v: VISUAL }, ...settings },
  });
  const alias = builtIn.find(({ id }) => id === "optical-legacy")?.aliases[0] ?? "";
  assert.deepEqual(faultsOf(acme({}, alias)), [
    `/providers/${alias}: "${alias}" means provider optical-legacy already`,
  ]);
  assert.deepEqual(faultsOf(acme({ aliases: ["ab"] })), ['/providers/acme/aliases: "ab" means provider ab already']);
  assert.deepEqual(faultsOf({ ...acme({ aliases: ["noaa"] }), noaa: { enabled: false } }), [
    '/providers/acme/aliases: "noaa" means provider noaa already',
  ]);
  assert.deepEqual(faultsOf(acme({ datasets: { spot: VISUAL } })), [
    '/providers/acme/datasets/spot: "spot" means dataset ab spot already',
  ]);
  assert.deepEqual(faultsOf(acme({ datasets: { v: { ...VISUAL, aliases: ["uploads"] } } })), [
    '/providers/acme/datasets/v/aliases: "uploads" means dataset local uploads already',
  ]);
  assert.deepEqual(faultsOf({ ...acme({}), ...acme({}, "other") }), [
    '/providers/other/datasets/v: "v" means dataset acme v already',
  ]);
});
