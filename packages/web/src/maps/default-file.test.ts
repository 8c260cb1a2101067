import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultFile } from "./default-file.ts";

test("a map is shown by its true colours, its classes or its index", () => {
  assert.equal(defaultFile("imagery", false), "truecolor.png");
  assert.equal(defaultFile("water", true), "segmentation.png");
  assert.equal(defaultFile("ndvi", false), "ndvi.png");
  assert.equal(defaultFile("index:NDVI:L=1", false), "ndvi.png");
  assert.equal(defaultFile("expression:B8-B4", false), "expression.png");
});
