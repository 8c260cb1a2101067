import assert from "node:assert/strict";
import { test } from "node:test";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { createCatalog } from "../../providers/catalog.ts";
import { providers } from "../../providers/registry.ts";
import { builtInContract } from "../tasking/contracts/built-in-contract.ts";
import { readFilter } from "./filter.ts";
import { productsOf, type Product } from "./product.ts";

const catalog = createCatalog(providers);
const contracts = new Map(
  catalog.providers.flatMap((provider) => {
    const contract = builtInContract(provider);
    return contract === null ? [] : [[provider.id, contract] as const];
  }),
);
// Every dataset has an adapter here: products ask for nothing but its presence.
const products = productsOf({ catalog, taskingProviders: { providerOf: () => ({}) as never } }, contracts);

function productNamed(id: string): Product {
  const product = products.find((one) => one.id === id);
  assert.ok(product !== undefined, `${id} is none of ${products.map((one) => one.id).join(" ")}`);
  return product;
}

const OPTICAL = productNamed("optical--agile.newsat.assured");
const CLOUDS = { property: "eo:cloud_cover" };
const atMost = (property: string, value: unknown) => ({ op: "<=", args: [{ property }, value] });
const PASS = { "view:off_nadir": 12, "swath:credits": 40, "swath:priority": "assured", "sat:orbit_state": "ascending" };

test("the limits of clouds of a conjunction are one, and no condition on opportunities", () => {
  const both = { op: "and", args: [atMost("eo:cloud_cover", 30), { op: ">", args: [15, CLOUDS] }] };
  const filter = { op: "and", args: [both, atMost("view:off_nadir", 20)] };
  const { holds, maxCloudCover } = readFilter(OPTICAL, filter);
  assert.equal(maxCloudCover, 0.15);
  assert.deepEqual([holds(PASS), holds({ ...PASS, "view:off_nadir": 21 }), holds({})], [true, false, false]);
});

test("without a filter every opportunity has the usual limit and priority", () => {
  for (const filter of [undefined, null, {}]) {
    const { holds, maxCloudCover, priority } = readFilter(OPTICAL, filter);
    assert.deepEqual([holds({}), maxCloudCover, priority], [true, null, OPTICAL.priorities[0]]);
  }
});

test("a priority is demanded by equality, whichever way round", () => {
  const [usual, other = usual] = OPTICAL.priorities;
  assert.equal(readFilter(OPTICAL, { op: "=", args: [{ property: "swath:priority" }, other] }).priority, other);
  assert.equal(readFilter(OPTICAL, { op: "=", args: [other, { property: "swath:priority" }] }).priority, other);
});

test("clouds elsewhere than in a conjunction are refused", () => {
  const refused: readonly unknown[] = [
    { op: "or", args: [atMost("eo:cloud_cover", 30), atMost("view:off_nadir", 20)] },
    { op: "not", args: [atMost("eo:cloud_cover", 30)] },
    { op: ">=", args: [CLOUDS, 30] },
    { op: "in", args: [CLOUDS, [1, 2]] },
    atMost("eo:cloud_cover", 101),
    atMost("eo:cloud_cover", "few"),
    atMost("swath:credits", "few"),
  ];
  for (const filter of refused) {
    assert.throws(
      () => readFilter(OPTICAL, filter),
      (error) => error instanceof ServiceError && error.code === "BAD-REQUEST" && error.message.startsWith("/filter"),
      JSON.stringify(filter),
    );
  }
});
