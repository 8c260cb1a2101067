import assert from "node:assert/strict";
import { test } from "node:test";
import { createCatalog } from "../providers/catalog.ts";
import { providers } from "../providers/registry.ts";
import { createTaskingProviders, standardTasking, type TaskingFactory } from "./bindings.ts";
import type { TaskingProvider } from "./tasking-provider.ts";

const { findDataset } = createCatalog(providers);

const unused = () => Promise.reject(new Error("not asked"));

function tracedFactory(kind: string, shared: boolean, log: string[]): TaskingFactory {
  return {
    offers: ({ dataset }) => dataset.dataset !== "spot",
    shared,
    check: () => [],
    create: ({ dataset: { dataset } }): TaskingProvider => {
      log.push(`made ${kind} ${dataset}`);
      return {
        feasibility: unused,
        submit: unused,
        cancel: unused,
        poll: unused,
        presentOf: () => 0,
        [Symbol.asyncDispose]: async () => void log.push(`ended ${kind} ${dataset}`),
      };
    },
  };
}

test("adapters are made when first asked, once, shared where their kind is, and all ended", async () => {
  const log: string[] = [];
  const bindings = createTaskingProviders({
    catalogue: {
      findDataset,
      taskingOf: ({ provider, dataset }) => {
        if (dataset.taskingInfo === null) return null;
        return { kind: provider.id === "pl" ? "own" : "common", settings: {} };
      },
    },
    factories: { common: tracedFactory("common", true, log), own: tracedFactory("own", false, log) },
  });
  assert.deepEqual(log, []);
  assert.equal(bindings.providerOf("pl", "PSScene"), null);
  assert.equal(bindings.providerOf("nobody", "nothing"), null);
  const common = bindings.providerOf("ab", "pleiades");
  assert.ok(common !== null);
  assert.equal(bindings.providerOf("ab", "spot"), common);
  const own = bindings.providerOf("pl", "SkySatCollect");
  assert.ok(own !== null);
  assert.notEqual(own, common);
  assert.equal(bindings.providerOf("pl", "SkySatCollect"), own);
  await bindings[Symbol.asyncDispose]();
  assert.deepEqual(
    new Set(log),
    new Set(["ended common pleiades", "ended own SkySatCollect", "made common pleiades", "made own SkySatCollect"]),
  );
  assert.throws(() => bindings.providerOf("ab", "spot"), /after their end/u);
});

test("a dataset with tasking is bound to the standard kind where that offers it", () => {
  const factories = { standard: tracedFactory("standard", true, []) };
  const of = (provider: string, dataset: string) => {
    const registered = findDataset(provider, dataset);
    assert.ok(registered !== null);
    return standardTasking(registered, "standard", factories)?.kind ?? null;
  };
  assert.deepEqual([of("ab", "pleiades"), of("ab", "spot"), of("pl", "PSScene")], ["standard", null, null]);
});
