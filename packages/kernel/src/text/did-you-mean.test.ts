import assert from "node:assert/strict";
import { test } from "node:test";
import { didYouMean } from "./did-you-mean.ts";

test("the nearest name is asked for, and nothing where none is near", () => {
  assert.equal(didYouMean("ndvy", ["ndwi", "ndvi"]), ", did you mean ndvi?");
  assert.equal(didYouMean("something else", ["ndwi", "ndvi"]), "");
});
