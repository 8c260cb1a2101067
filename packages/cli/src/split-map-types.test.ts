import assert from "node:assert/strict";
import { test } from "node:test";
import { UsageError } from "./exit-code.ts";
import { splitMapTypes } from "./split-map-types.ts";

function split(text: string): readonly string[] {
  return splitMapTypes(text, "--types");
}

test("commas in parentheses and between constants of an index separate no map types", () => {
  assert.deepEqual(split("imagery, ndvi"), ["imagery", "ndvi"]);
  assert.deepEqual(split("expression:where(B08>0.3,max(B04,B03),0)?min=0,ndvi"), [
    "expression:where(B08>0.3,max(B04,B03),0)?min=0",
    "ndvi",
  ]);
  assert.deepEqual(split("index:evi:C1=6,C2=7.5,ndvi"), ["index:evi:C1=6,C2=7.5", "ndvi"]);
  assert.deepEqual(split("expression:B08),ndvi"), ["expression:B08)", "ndvi"], "the service refuses the first");
  assert.throws(() => split("ndvi,,evi"), UsageError);
});
