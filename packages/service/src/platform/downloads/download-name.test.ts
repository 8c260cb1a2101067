import assert from "node:assert/strict";
import { test } from "node:test";
import { downloadName } from "./download-name.ts";

test("the name of an index with other constants becomes a name that a store and an address take", () => {
  assert.equal(downloadName("index:savi:L=-0-metadata.json"), "index-savi-L--0-metadata.json");
  assert.equal(downloadName("imagery-truecolor.png"), "imagery-truecolor.png");
  assert.match(downloadName(`:${"x".repeat(200)}.zip`), /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/);
});
