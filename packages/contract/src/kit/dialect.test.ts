import assert from "node:assert/strict";
import { test } from "node:test";
import { isOfDialect } from "./dialect.ts";

test("the first segment of a path decides on its dialect", () => {
  const dialects = ["/stac", "/stac?f=json", "/stac/none", "/ogc/maps/a#b", "/stapi/orders"];
  const others = ["/", "", "/stacks", "/mapsvc/stac", "//stac", "stac"];
  assert.deepEqual([...dialects, ...others].filter(isOfDialect), dialects);
});
