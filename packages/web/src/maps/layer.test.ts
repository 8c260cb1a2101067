import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { readMapId } from "./layer.ts";

const idOf = (claims: unknown): string => `e.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.s`;

test("a map ID tells its map type and its tiles", () => {
  assert.deepEqual(readMapId(idOf({ mapType: "ndvi", tiles: [{ zoom: 13, x: 1, y: 2 }] })), {
    mapType: "ndvi",
    tiles: [[13, 1, 2]],
  });
  assert.equal(
    readMapId(idOf({ mapType: "expression:(α)", tiles: [{ zoom: 1, x: 1, y: 0 }] }))?.mapType,
    "expression:(α)",
  );
});

test("any other text is no map ID", () => {
  for (const text of ["", "a.b.c", idOf({}), idOf({ mapType: "ndvi", tiles: [] }), idOf({ mapType: 1, tiles: [{}] })]) {
    assert.equal(readMapId(text), null, text);
  }
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      assert.equal(readMapId(text), null);
    }),
    { endOnFailure: true },
  );
});
