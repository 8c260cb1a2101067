import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { catalogueFaults, configuredCatalogue, sourceFactories } from "./compose-sources.ts";
import { taskingFactories } from "./compose-tasking.ts";
import { ConfigError, parseConfig } from "./platform/config/config.ts";
import { createLog } from "@swath/base/log/log";
import { createSourceBindings } from "./sources/bindings.ts";

const factories = sourceFactories({
  clock: { now: () => new Date(Date.UTC(2026, 5, 1)) },
  log: createLog("silent"),
  db: null,
});
const tasking = taskingFactories({
  clock: { now: () => new Date(Date.UTC(2026, 5, 1)) },
  log: createLog("silent"),
  db: null,
  passes: null,
  speed: 1,
});
const config = parseConfig({});

test("the built-in catalogue needs no file: datasets that the simulator may stand in for are bound to it", async () => {
  const { catalog, bindingOf } = configuredCatalogue(config, factories);
  const catalogue = { findDataset: catalog.findDataset, bindingOf };
  await using sources = createSourceBindings({ catalogue, factories });
  let simulated = 0;
  for (const provider of catalog.providers) {
    for (const dataset of provider.datasets) {
      const isBound = factories["simulator"]?.offers?.({ provider, dataset }) === true && dataset.standIn;
      assert.equal(bindingOf(provider.id, dataset.dataset)?.kind, isBound ? "simulator" : undefined, dataset.dataset);
      assert.equal(sources.sourceOf(provider.id, dataset.dataset)?.isComputed ?? false, isBound, dataset.dataset);
      if (isBound) simulated += 1;
    }
  }
  // The table of the specification without seven datasets of radar-legacy, which have no catalogue.
  assert.equal(simulated, 33);
});

test("a STAC catalogue is bound by its settings, and faults name the file and the place", async () => {
  const source = { kind: "stac", catalogue: "earth", collections: ["sentinel-2-l2a"] };
  const document = (earth: object) => ({
    path: "catalog.json",
    document: {
      stac: { earth },
      providers: { ee: { datasets: { "COPERNICUS/S2_SR_HARMONIZED": { source } } } },
    },
  });
  const earth = { url: "https://stac.example.com/v1", hosts: ["*.example.com"] };
  const { catalog, bindingOf } = configuredCatalogue({ ...config, catalog: document(earth) }, factories);
  const catalogue = { findDataset: catalog.findDataset, bindingOf };
  await using sources = createSourceBindings({ catalogue, factories });
  assert.equal(sources.sourceOf("ee", "COPERNICUS/S2_SR_HARMONIZED")?.isComputed, false);
  assert.throws(
    () => configuredCatalogue({ ...config, catalog: document({ url: "ftp://x", hots: [] }) }, factories),
    (error) => {
      assert.ok(error instanceof ConfigError);
      const prefix = "catalog.json /providers/ee/datasets/COPERNICUS~1S2_SR_HARMONIZED/source";
      assert.ok(error.faults.length > 0);
      assert.ok(
        error.faults.every((fault) => fault.startsWith(prefix)),
        error.message,
      );
      return true;
    },
  );
});

test("each configuration of the page is accepted as it is written", () => {
  const text = readFileSync(join(import.meta.dirname, "../../../docs/catalog.md"), "utf8");
  const blocks = [...text.matchAll(/```json\n([\s\S]*?)```/gu)].map(([, json = ""]): unknown => JSON.parse(json));
  assert.ok(blocks.length >= 5);
  process.env["ACME_STAPI_TOKEN"] = "secret";
  for (const document of blocks) {
    const { catalog } = configuredCatalogue({ catalog: { path: "catalog.json", document } }, factories, tasking);
    assert.ok(catalog.providers.length > 0);
  }
});

test("faults of the catalogue are named together with those of the environment", () => {
  const folder = mkdtempSync(join(tmpdir(), "swath-catalogue-"));
  try {
    const path = join(folder, "catalog.json");
    writeFileSync(path, JSON.stringify({ providers: { nowhere: {} } }));
    assert.throws(
      () => parseConfig({ SWATH_CATALOG: path, SWATH_PORT: "x" }, (catalog) => catalogueFaults(catalog, factories)),
      (error) => {
        assert.ok(error instanceof ConfigError);
        assert.ok(error.faults.some((fault) => fault.startsWith("SWATH_PORT")));
        assert.ok(error.faults.some((fault) => fault.startsWith(path)));
        return true;
      },
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
