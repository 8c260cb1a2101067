import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { SOFTWARE } from "./software.ts";

test("records have the version of the package", () => {
  const text = readFileSync(new URL("../../../../package.json", import.meta.url), "utf8");
  assert.equal((JSON.parse(text) as { readonly version: string }).version, SOFTWARE.version);
});
