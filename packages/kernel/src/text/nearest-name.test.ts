import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { nearestName } from "./nearest-name.ts";

const MEMBERS = ["startDatetime", "endDatetime", "minIntersection", "groupId", "limit"];

test("a misspelt name finds the one it means", () => {
  for (const [text, meant] of [
    ["start_datetime", "startDatetime"],
    ["StartDateTime", "startDatetime"],
    ["groupid", "groupId"],
    ["gorupId", "groupId"],
    ["limti", "limit"],
    ["minIntersecton", "minIntersection"],
  ] as const) {
    assert.equal(nearestName(text, MEMBERS), meant, text);
  }
});

test("a text that is like none of the names finds none", () => {
  for (const text of ["cloudCover", "x", "", "z".repeat(100_000)]) assert.equal(nearestName(text, MEMBERS), null);
  assert.equal(nearestName("limit", []), null);
});

test("a name is nearest to itself, also after a swap of two neighbours", () => {
  fc.assert(
    fc.property(fc.constantFrom(...MEMBERS), fc.nat(), (name, n) => {
      assert.equal(nearestName(name, MEMBERS), name);
      const i = n % (name.length - 1);
      const swapped = `${name.slice(0, i)}${name[i + 1]}${name[i]}${name.slice(i + 2)}`;
      assert.equal(nearestName(swapped, MEMBERS), name);
    }),
  );
});
