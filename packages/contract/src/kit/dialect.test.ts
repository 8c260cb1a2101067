import assert from "node:assert/strict";
import { test } from "node:test";
import { addressesOf, isOfDialect } from "./dialect.ts";

test("the first segment of a path decides on its dialect", () => {
  const dialects = ["/stac", "/stac?f=json", "/stac/none", "/ogc/maps/a#b", "/stapi/orders"];
  const others = ["/", "", "/stacks", "/mapsvc/stac", "//stac", "stac"];
  assert.deepEqual([...dialects, ...others].filter(isOfDialect), dialects);
});

test("a landing page has an address with a last slash, too", () => {
  assert.deepEqual(addressesOf("/stac"), ["/stac", "/stac/"]);
  assert.deepEqual(["/stac/search", "/mapsvc", "/"].map(addressesOf), [["/stac/search"], ["/mapsvc"], ["/"]]);
});
