import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { migrations } from "../registry.ts";
import { readFunction } from "./replace-functions.ts";

test("every file of a function has the hash that the newest migration of the function names", () => {
  const named = new Map(Object.values(migrations).flatMap(({ functions = {} }) => Object.entries(functions)));
  const names = readdirSync(import.meta.dirname).flatMap((file) => (file.endsWith(".sql") ? [file.slice(0, -4)] : []));
  assert.ok(names.length > 0);
  for (const name of names) {
    const hash = readFunction(name)?.hash;
    assert.equal(named.get(name), hash, `${name}.sql has changed: add a migration that names its hash ${hash}`);
  }
});
