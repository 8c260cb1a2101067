import assert from "node:assert/strict";
import { test } from "node:test";
import type { MultiPolygon } from "../geometry/geojson.ts";
import { areaCost, freeAreasOf, mapTypePriceOf, priceOf, type PriceRule } from "./pricing.ts";

const FALLBACK = { microPerKm2: 1n, minAreaM2: 0 };
const WANTED = { provider: "ab", dataset: "spot", groupId: "g1", tier: "standard" };

function rule(members: Partial<PriceRule>): PriceRule {
  return {
    provider: null,
    dataset: null,
    mapType: null,
    groupId: null,
    tier: null,
    area: null,
    microPerKm2: 0n,
    minAreaM2: 0,
    ...members,
  };
}

test("seven scenes of 121 km2 at 0.1 credits cost 84.7 credits", () => {
  assert.equal(areaCost(847_000_000, { microPerKm2: 100_000n, minAreaM2: 0 }), 84_700_000n);
});

test("a cost is rounded half up to a micro-credit", () => {
  assert.equal(areaCost(1, { microPerKm2: 500_000n, minAreaM2: 0 }), 1n);
  assert.equal(areaCost(1, { microPerKm2: 499_999n, minAreaM2: 0 }), 0n);
});

test("the dataset's own price holds where no rule matches", () => {
  assert.equal(priceOf([], WANTED, FALLBACK), FALLBACK);
  assert.equal(priceOf([rule({ dataset: "pleiades", microPerKm2: 9n })], WANTED, FALLBACK), FALLBACK);
});

test("the most specific rule wins: group before dataset before provider before tier", () => {
  const rules = [
    rule({ tier: "standard", microPerKm2: 2n }),
    rule({ provider: "ab", microPerKm2: 3n }),
    rule({ dataset: "spot", microPerKm2: 4n }),
    rule({ provider: "ab", dataset: "spot", microPerKm2: 5n }),
    rule({ groupId: "g1", microPerKm2: 6n }),
    rule({ groupId: "g1", tier: "standard", microPerKm2: 7n }),
    rule({ groupId: "g1", provider: "ab", microPerKm2: 8n }),
    rule({ groupId: "g1", dataset: "spot", microPerKm2: 9n }),
  ];
  for (let count = 1; count <= rules.length; count += 1) {
    assert.equal(priceOf(rules.slice(0, count), WANTED, FALLBACK).microPerKm2, BigInt(count + 1));
    assert.equal(priceOf(rules.slice(0, count).toReversed(), WANTED, FALLBACK).microPerKm2, BigInt(count + 1));
  }
});

test("a rule of a group prices, and makes free, nothing for another group", () => {
  const area: MultiPolygon = { type: "MultiPolygon", coordinates: [] };
  const rules = [
    rule({ groupId: "g2", provider: "ab", dataset: "spot", tier: "standard", microPerKm2: 9n }),
    rule({ groupId: "g2", mapType: "ndvi", microPerKm2: 5n }),
    rule({ groupId: "g2", area }),
  ];
  assert.equal(priceOf(rules, WANTED, FALLBACK), FALLBACK);
  assert.equal(mapTypePriceOf(rules, WANTED, "ndvi"), null);
  assert.deepEqual(freeAreasOf(rules, WANTED), []);
  assert.equal(priceOf(rules, { ...WANTED, groupId: "g2" }, FALLBACK).microPerKm2, 9n);
  assert.deepEqual(freeAreasOf(rules, { ...WANTED, groupId: "g2" }), [area]);
});

test("a free area prices nothing but itself", () => {
  const area: MultiPolygon = { type: "MultiPolygon", coordinates: [] };
  const rules = [rule({ area })];
  assert.equal(priceOf(rules, WANTED, FALLBACK), FALLBACK);
  assert.deepEqual(freeAreasOf(rules, WANTED), [area]);
  assert.deepEqual(freeAreasOf([rule({ area, provider: "pl" })], WANTED), []);
});

test("a map type costs what its own most specific rule says, and the scene never does", () => {
  const area: MultiPolygon = { type: "MultiPolygon", coordinates: [] };
  const rules = [
    rule({ mapType: "ndvi", microPerKm2: 5n }),
    rule({ mapType: "ndvi", dataset: "spot", microPerKm2: 7n }),
    rule({ mapType: "evi", microPerKm2: 0n }),
    rule({ mapType: "ndvi", area }),
  ];
  assert.equal(mapTypePriceOf(rules, WANTED, "ndvi")?.microPerKm2, 7n);
  assert.equal(mapTypePriceOf(rules, { ...WANTED, dataset: "other" }, "ndvi")?.microPerKm2, 5n);
  assert.equal(mapTypePriceOf(rules, WANTED, "evi"), null);
  assert.equal(mapTypePriceOf(rules, WANTED, "imagery"), null);
  assert.equal(priceOf(rules, WANTED, FALLBACK), FALLBACK);
  assert.deepEqual(freeAreasOf(rules, WANTED), []);
  assert.deepEqual(freeAreasOf(rules, WANTED, "evi"), []);
  assert.deepEqual(freeAreasOf(rules, WANTED, "ndvi"), [area]);
});
