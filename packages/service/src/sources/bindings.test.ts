import assert from "node:assert/strict";
import { test } from "node:test";
import { createCatalog } from "../providers/catalog.ts";
import { providers } from "../providers/registry.ts";
import { createSourceBindings, type SourceBinding, type SourceFactory } from "./bindings.ts";
import type { SceneSource } from "@swath/raster/source/scene-source";

function tracedFactory(kind: SceneSource["kind"], shared: boolean, log: string[]): SourceFactory {
  return {
    shared,
    check: () => [],
    create: ({ dataset: { dataset } }) => {
      const name = `${kind} ${dataset}`;
      log.push(`made ${name}`);
      return {
        kind,
        search: () => Promise.resolve({ scenes: [], end: true }),
        scene: () => Promise.resolve(null),
        open: () => Promise.reject(new Error("no pixels")),
        thumbnail: () => Promise.resolve(null),
        [Symbol.asyncDispose]: () => {
          log.push(`ended ${name}`);
          return Promise.resolve();
        },
      };
    },
  };
}

function bindingOf(provider: string, dataset: string): SourceBinding {
  if (provider === "local") return { kind: "store" };
  return dataset === "spot" ? { kind: "stac", settings: { url: "u" } } : { kind: "simulator", settings: {} };
}

test("sources are made when first asked, once, shared where their kind is, and all ended", async () => {
  const log: string[] = [];
  const bindings = createSourceBindings({
    catalogue: { findDataset: createCatalog(providers).findDataset, bindingOf },
    factories: { simulator: tracedFactory("simulator", true, log), stac: tracedFactory("stac", false, log) },
  });
  assert.deepEqual(log, []);
  assert.equal(bindings.sourceOf("local", "uploads"), null);
  assert.equal(bindings.sourceOf("nobody", "nothing"), null);
  const simulator = bindings.sourceOf("ab", "pleiades");
  assert.equal(bindings.sourceOf("pl", "PSScene"), simulator);
  const stac = bindings.sourceOf("ab", "spot");
  assert.equal(stac?.kind, "stac");
  assert.equal(bindings.sourceOf("ab", "spot"), stac);
  await bindings[Symbol.asyncDispose]();
  assert.deepEqual(
    log.toSorted((a, b) => (a < b ? -1 : 1)),
    ["ended simulator pleiades", "ended stac spot", "made simulator pleiades", "made stac spot"],
  );
  assert.throws(() => bindings.sourceOf("ab", "spot"), /after their end/u);
});
