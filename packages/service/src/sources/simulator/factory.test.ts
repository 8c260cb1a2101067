import assert from "node:assert/strict";
import { test } from "node:test";
import { PRODUCTS } from "@swath/simulator/constellation/products";
import { WORLD_PRODUCTS } from "@swath/simulator/constellation/world-product";
import type { DatasetDescriptor } from "../../providers/provider.ts";
import { findDataset } from "../../providers/registry.ts";
import { simulatorSourceFactory } from "./factory.ts";

const factory = simulatorSourceFactory({ clock: { now: () => new Date(Date.UTC(2026, 0, 1)) } });

test("every simulated product imitates a registered dataset of its type", () => {
  const products: readonly { provider: string; dataset: string; type: DatasetDescriptor["type"] }[] = [
    ...PRODUCTS,
    ...WORLD_PRODUCTS.map((one) => ({ ...one, type: "environmental" as const })),
  ];
  assert.ok(products.length > 30);
  for (const { provider, dataset, type } of products) {
    assert.equal(findDataset(provider, dataset)?.dataset.type, type, `${provider} ${dataset}`);
  }
});

test("the simulator refuses a dataset that it does not have", () => {
  const [local, simulated] = [findDataset("local", "uploads"), findDataset("noaa", "VIIRS/Monthly")];
  assert.ok(local !== null && simulated !== null);
  assert.deepEqual([factory.offers?.(local), factory.offers?.(simulated)], [false, true]);
  assert.deepEqual(factory.check({}, simulated), []);
  assert.deepEqual(factory.check({}, local), [
    { path: "", message: 'the simulator has no dataset "uploads" of provider "local"' },
  ]);
});
