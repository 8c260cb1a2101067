import assert from "node:assert/strict";
import { test } from "node:test";
import { createCatalog } from "../providers/catalog.ts";
import { providers } from "../providers/registry.ts";
import { createSourceBindings, type SourceBinding, type SourceFactory } from "./bindings.ts";
import type { SceneSource } from "@swath/raster/source/scene-source";

function tracedFactory(kind: string, shared: boolean, log: string[]): SourceFactory {
  return {
    simulated: false,
    offers: null,
    shared,
    check: () => [],
    create: ({ dataset: { dataset } }) => {
      const name = `${kind} ${dataset}`;
      log.push(`made ${name}`);
      const source: SceneSource = {
        isComputed: false,
        search: () => Promise.resolve({ scenes: [], end: true }),
        scene: () => Promise.resolve(null),
        open: () => Promise.reject(new Error("no pixels")),
        thumbnail: () => Promise.resolve(null),
        [Symbol.asyncDispose]: () => {
          log.push(`ended ${name}`);
          return Promise.resolve();
        },
      };
      return source;
    },
  };
}

function bindingOf(provider: string, dataset: string): SourceBinding | null {
  if (provider === "local") return null;
  return dataset === "spot" ? { kind: "own", settings: { url: "u" } } : { kind: "common", settings: {} };
}

test("sources are made when first asked, once, shared where their kind is, and all ended", async () => {
  const log: string[] = [];
  const bindings = createSourceBindings({
    catalogue: { findDataset: createCatalog(providers).findDataset, bindingOf },
    factories: { common: tracedFactory("common", true, log), own: tracedFactory("own", false, log) },
  });
  assert.deepEqual(log, []);
  assert.equal(bindings.sourceOf("local", "uploads"), null);
  assert.equal(bindings.sourceOf("nobody", "nothing"), null);
  const common = bindings.sourceOf("ab", "pleiades");
  assert.equal(bindings.sourceOf("pl", "PSScene"), common);
  const own = bindings.sourceOf("ab", "spot");
  assert.notEqual(own, common);
  assert.equal(bindings.sourceOf("ab", "spot"), own);
  await bindings[Symbol.asyncDispose]();
  assert.deepEqual(
    log.toSorted((a, b) => (a < b ? -1 : 1)),
    ["ended common pleiades", "ended own spot", "made common pleiades", "made own spot"],
  );
  assert.throws(() => bindings.sourceOf("ab", "spot"), /after their end/u);
});
