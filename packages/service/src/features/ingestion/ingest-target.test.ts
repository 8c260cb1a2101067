import assert from "node:assert/strict";
import { test } from "node:test";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { createCatalog } from "../../providers/catalog.ts";
import { defineDataset, type ProviderDescriptor } from "../../providers/provider.ts";
import { providers } from "../../providers/registry.ts";
import { parseCatalogue } from "../../sources/catalogue-configuration.ts";
import { ingestTarget } from "./ingest-target.ts";

const builtIn = createCatalog(providers);
const { catalog: configured } = parseCatalogue(
  {
    providers: {
      local: { aliases: ["house"], datasets: { uploads: { aliases: ["drone"] } } },
      esa: { datasets: { "COPERNICUS/S1_SLC": { aliases: ["s1-slc"] } } },
      "optical-legacy": { enabled: false },
    },
  },
  providers,
  { byName: {}, standard: "store" },
);

function refused(request: { provider: string; dataset?: string }, catalog: typeof builtIn): void {
  assert.throws(
    () => ingestTarget(request, catalog),
    (error) => error instanceof ServiceError && error.code === "BAD-REQUEST",
  );
}

test("configured aliases name providers and datasets of uploads", () => {
  const rasters = { slcProducts: false, rasters: true };
  assert.deepEqual(ingestTarget({ provider: "house", dataset: "drone" }, configured), {
    provider: "local",
    dataset: "uploads",
    takes: rasters,
  });
  assert.deepEqual(ingestTarget({ provider: "esa", dataset: "s1-slc" }, configured), {
    provider: "esa",
    dataset: "COPERNICUS/S1_SLC",
    takes: { slcProducts: true, rasters: false },
  });
  refused({ provider: "house" }, builtIn);
  refused({ provider: "local", dataset: "drone" }, builtIn);
});

test("what is turned off takes no uploads", () => {
  assert.equal(ingestTarget({ provider: "gbdx" }, builtIn).dataset, "idaho-pansharpened");
  refused({ provider: "optical-legacy" }, configured);
});

test("a provider with a catalogue takes rasters of the datasets that can be ingested", () => {
  const online: ProviderDescriptor = {
    id: "online",
    name: "Online",
    aliases: [],
    ownImagery: false,
    datasets: ["listed", "sold"].map((dataset) =>
      defineDataset({
        dataset,
        name: dataset,
        type: "optical",
        resolutionClass: "high",
        resolutionM: [1, 1],
        attribution: "© Online",
        changeGroup: "online",
        externalProvider: "Online",
        catalogAccess: true,
        canBeIngested: dataset === "sold",
      }),
    ),
  };
  const catalog = createCatalog([online]);
  const sold = { provider: "online", dataset: "sold", takes: { slcProducts: false, rasters: true } };
  assert.deepEqual(ingestTarget({ provider: "online" }, catalog), sold);
  assert.deepEqual(ingestTarget({ provider: "online", dataset: "sold" }, catalog), sold);
  refused({ provider: "online", dataset: "listed" }, catalog);
});

test("other providers with a catalogue take complex radar products only", () => {
  assert.equal(ingestTarget({ provider: "esa" }, builtIn).takes.slcProducts, true);
  refused({ provider: "ee", dataset: "COPERNICUS/S1_GRD" }, builtIn);
  refused({ provider: "nobody" }, builtIn);
});
