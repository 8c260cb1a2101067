import assert from "node:assert/strict";
import { test } from "node:test";
import { permissionSources } from "./permission-sources.ts";

test("a permission names each group that grants it, and the user", () => {
  const groups = [
    { name: "Surveyors", permissions: ["imagery", "credits"] },
    { name: "Guests", permissions: ["credits"] },
  ];
  assert.deepEqual(permissionSources(["imagery.availability.ee", "credits"], groups), [
    { permission: "credits", groups: ["Surveyors", "Guests", null] },
    { permission: "imagery", groups: ["Surveyors"] },
    { permission: "imagery.availability.ee", groups: [null] },
  ]);
});
