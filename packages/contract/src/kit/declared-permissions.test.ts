import assert from "node:assert/strict";
import { test } from "node:test";
import { contract } from "../contract.ts";
import { declaredPermissions } from "./declared-permissions.ts";
import type { Declaration } from "./contract.ts";

const DECLARATIONS = Object.entries(contract).flatMap(([feature, declarations]) =>
  Object.entries<Declaration>(declarations).map(([name, declaration]) => ({ name: `${feature}.${name}`, declaration })),
);

test("whoever holds the declared permissions holds each of them, templates up to their first placeholder", () => {
  const declared = declaredPermissions(contract);
  for (const permission of ["algorithms", "credits.allocate-area", "geojsondb.delete", "imagery.images"]) {
    assert.ok(declared.includes(permission), permission);
  }
  assert.deepEqual(
    declared.filter((permission) => !/^[a-z]+(?:-[a-z]+)*(?:\.[a-z]+(?:-[a-z]+)*)*$/.test(permission)),
    [],
  );
});

test("a declaration that derives permissions of a request lists their templates", () => {
  assert.deepEqual(
    DECLARATIONS.filter(
      ({ declaration: { dynamicPermissions, conditionalPermissions } }) =>
        dynamicPermissions !== null && conditionalPermissions.length === 0,
    ).map(({ name }) => name),
    [],
  );
});
