import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { formatRoute, parseRoute } from "./route.ts";

const part = fc.string({ minLength: 1, maxLength: 40 });

test("the path of a view reads as the same view", () => {
  fc.assert(
    fc.property(part, fc.array(part, { maxLength: 4 }), (screen, parts) => {
      assert.deepEqual(parseRoute(formatRoute({ screen, parts })), { screen, parts });
    }),
    { endOnFailure: true },
  );
});

test("the path of a view has no dot, which the service takes for the end of a file name", () => {
  assert.equal(formatRoute({ screen: "objects", parts: ["a.b"] }), "/console/objects/a%2Eb");
});

test("the address of the console is the search, and a broken part is left out", () => {
  assert.deepEqual(parseRoute("/console"), { screen: "", parts: [] });
  assert.deepEqual(parseRoute("/console/"), { screen: "", parts: [] });
  assert.deepEqual(parseRoute("/console/credits/%E0%A4"), { screen: "credits", parts: [] });
});
