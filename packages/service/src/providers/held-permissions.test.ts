import assert from "node:assert/strict";
import { test } from "node:test";
import { isGranted } from "@swath/kernel/permissions/permission";
import { createCatalog } from "./catalog.ts";
import { heldPermissions } from "./held-permissions.ts";
import { providers } from "./registry.ts";

const catalog = createCatalog(
  providers.map((one) =>
    one.id === "ee"
      ? {
          ...one,
          datasets: one.datasets.map((it) => (it.dataset === "COPERNICUS/S1_GRD" ? { ...it, aliases: ["s1"] } : it)),
        }
      : one,
  ),
);
const held = (...granted: readonly string[]) => heldPermissions(catalog, granted);

test("a permission that names a provider by an alias grants what the identifier is asked for", () => {
  for (const [granted, required] of [
    ["imagery.images.gbdx", "imagery.images.optical-legacy.idaho-pansharpened"],
    ["imagery.images.gbdx.idaho-pansharpened", "imagery.images.optical-legacy.idaho-pansharpened"],
    ["algorithms.cars.gbdx.idaho-pansharpened", "algorithms.cars.optical-legacy.idaho-pansharpened"],
    ["imagery.availability.iceye", "imagery.availability.radar-legacy.Stripmap_GRD"],
    ["imagery.images.ee.s1", "imagery.images.ee.COPERNICUS/S1_GRD"],
  ] as const) {
    assert.ok(isGranted(held(granted), required), granted);
    assert.ok(held(granted).has(granted), "the literal permission stays");
  }
});

test("an alias grants no other provider, dataset or map type", () => {
  const permissions = held("imagery.images.gbdx.idaho-pansharpened", "algorithms.cars.gbdx", "user.gbdx.x");
  for (const required of [
    "imagery.images.optical-legacy",
    "imagery.images.radar-legacy.Stripmap_GRD",
    "algorithms.ships.optical-legacy",
    "user.optical-legacy.x",
  ]) {
    assert.ok(!isGranted(permissions, required), required);
  }
});

test("permissions without an alias stay as they are", () => {
  const granted = ["imagery", "imagery.images", "imagery.images.ee", "algorithms.cars.nobody.x", "credits", ""];
  assert.deepEqual([...held(...granted)], granted);
});
