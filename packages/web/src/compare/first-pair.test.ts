import assert from "node:assert/strict";
import { test } from "node:test";
import { firstPair } from "./first-pair.ts";

const layer = (mapId: string, mapType: string) => ({ mapId, mapType });

test("two dates of a type are compared before two types", () => {
  assert.deepEqual(firstPair([layer("1", "water"), layer("2", "heat"), layer("3", "water")]), { a: "1", b: "3" });
  assert.deepEqual(firstPair([layer("1", "water"), layer("2", "heat")]), { a: "1", b: "2" });
});

test("one map has nothing to be compared with", () => {
  assert.equal(firstPair([]), null);
  assert.equal(firstPair([layer("1", "water")]), null);
});
