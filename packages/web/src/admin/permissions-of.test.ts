import assert from "node:assert/strict";
import { test } from "node:test";
import { permissionsOf } from "./permissions-of.ts";

test("permissions are divided by spaces, commas and lines, and named once", () => {
  assert.deepEqual(permissionsOf(" imagery, mapsvc\nimagery;credits.check-area "), [
    "imagery",
    "mapsvc",
    "credits.check-area",
  ]);
});

test("an empty field names no permission", () => {
  assert.deepEqual(permissionsOf("  "), []);
});
