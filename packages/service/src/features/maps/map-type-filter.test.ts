import assert from "node:assert/strict";
import { test } from "node:test";
import type { ListMapTypesRequest } from "@swath/contract/features/maps/map-types-contract";
import { createMapTypes } from "@swath/maps/registry";
import { createCatalog } from "../../providers/catalog.ts";
import { providers } from "../../providers/registry.ts";
import { createKeptListings } from "./kept-listings.ts";
import { listedDatasets } from "./listed-datasets.ts";

const catalog = createCatalog(providers);
const mapTypes = createMapTypes([]).all;
const listingFor = createKeptListings(catalog, { all: mapTypes }, listedDatasets(catalog));
const permissions = new Set(["imagery", "algorithms"]);
const listed = (filter: ListMapTypesRequest, rights = permissions) => listingFor(rights, filter).value;

test("a filter for a dataset lists the types of that dataset, and no other dataset", () => {
  const spot = listed({ provider: "ab", dataset: "spot" });
  assert.deepEqual(spot, listed({ dataset: "spot" }));
  assert.ok(spot.length > 0 && spot.length < mapTypes.length);
  for (const { availableDatasets } of spot) {
    assert.deepEqual(
      Object.entries(availableDatasets).map(([id, sets]) => [id, sets.map(([name]) => name)]),
      [["ab", ["spot"]]],
    );
  }
  const expected = listed({}).filter(({ availableDatasets }) =>
    availableDatasets["ab"]?.some(([name]) => name === "spot"),
  );
  assert.deepEqual(
    spot.map(({ mapType }) => mapType),
    expected.map(({ mapType }) => mapType),
  );
  assert.ok(!spot.some(({ mapType }) => mapType === "precipitation"));
});

test("a filter for a group lists the types of that group, and filters unite", () => {
  const green = listed({ group: "vegetation" });
  assert.ok(green.some(({ mapType }) => mapType === "ndvi"));
  assert.ok(green.every(({ group }) => group === "vegetation"));
  const both = listed({ group: "change", dataset: "spot" });
  assert.deepEqual(
    both,
    listed({ dataset: "spot" }).filter(({ group }) => group === "change"),
  );
  assert.ok(both.length > 0 && both.length < listed({ group: "change" }).length);
  assert.deepEqual(listed({ dataset: "spot" }, new Set(["imagery.images.pl"])), []);
});

test("a provider or dataset that is filtered by an alias comes back by the alias", () => {
  const [first] = listed({ provider: "gbdx", dataset: "idaho-swir" });
  assert.deepEqual(
    Object.entries(first?.availableDatasets ?? {}).map(([id, sets]) => [id, sets.map(([name]) => name)]),
    [["gbdx", ["idaho-swir"]]],
  );
  assert.deepEqual(Object.keys(listed({ provider: "optical-legacy" })[0]?.availableDatasets ?? {}), ["optical-legacy"]);
});

test("a filter that names nothing is refused with what was expected", () => {
  for (const [filter, message] of [
    [{ group: "plants" }, /there is no group plants, expected one of imagery, land-cover/u],
    [{ provider: "nobody" }, /there is no provider nobody/u],
    [{ provider: "pl", dataset: "spot" }, /there is no dataset spot of the provider pl/u],
    [{ dataset: "dots" }, /there is no dataset dots/u],
  ] as const) {
    assert.throws(() => listed(filter), { code: "VALIDATION-ERROR", message });
  }
});

test("equal filters of equal permissions share one listing", () => {
  assert.equal(listingFor(permissions, { group: "water" }), listingFor(new Set(permissions), { group: "water" }));
  assert.notEqual(listingFor(permissions, { group: "water" }), listingFor(permissions, {}));
});
