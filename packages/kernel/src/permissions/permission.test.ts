import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { grants, isGranted } from "./permission.ts";

const specificationTable: readonly (readonly [held: string, required: string, granted: boolean])[] = [
  ["imagery.availability", "imagery.availability", true],
  ["imagery.availability", "imagery.availability.ee.COPERNICUS/S1_GRD", true],
  ["imagery.availability.ee", "imagery.availability.ee.COPERNICUS/S1_GRD", true],
  ["imagery.availability.ee", "imagery.availability", false],
  ["imagery.availability", "imagery.images", false],
  ["mapsvc", "imagery", false],
  ["imagery", "imagery", true],
];

for (const [held, required, granted] of specificationTable) {
  test(`"${held}" ${granted ? "grants" : "does not grant"} "${required}"`, () => {
    assert.equal(grants(held, required), granted);
    assert.equal(isGranted(new Set([held]), required), granted);
  });
}

test("a prefix that ends inside a segment grants nothing", () => {
  assert.equal(grants("imagery.avail", "imagery.availability"), false);
  assert.equal(isGranted(new Set(["imagery.avail"]), "imagery.availability"), false);
});

test("the set check and the pairwise check agree on random permissions", () => {
  const permission = fc
    .array(fc.constantFrom("a", "b", "ab", "c"), { minLength: 1, maxLength: 4 })
    .map((s) => s.join("."));
  fc.assert(
    fc.property(fc.array(permission, { maxLength: 6 }), permission, (held, required) => {
      assert.equal(
        isGranted(new Set(held), required),
        held.some((one) => grants(one, required)),
      );
    }),
  );
});
