import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { textStart } from "./text-start.ts";

test("a text is cut before a surrogate pair that does not fit", () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4, 9].map((units) => textStart("a🛰b", units)),
    ["", "a", "a", "a🛰", "a🛰b", "a🛰b"],
  );
});

test("the start of a storable text is storable, as long as it fits, and the text begins with it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(20), (text, units) => {
      const start = textStart(text, units);
      assert.ok(text.startsWith(start) && start.length <= units);
      assert.ok(start.length >= Math.min(text.length, units) - 1);
      assert.equal(start.isWellFormed(), true);
    }),
    { endOnFailure: true },
  );
});
