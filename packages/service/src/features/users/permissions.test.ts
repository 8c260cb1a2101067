import assert from "node:assert/strict";
import { test } from "node:test";
import { isGranted } from "@swath/kernel/permissions/permission";
import { ADMINISTRATOR_PERMISSIONS, DEMO_PERMISSIONS } from "./permissions.ts";

/** Members of the list that clients look for. */
const PUBLISHED = [
  "algorithms",
  "analytics.analysis.download.report",
  "credits.allocate-area",
  "credits.check-area",
  "credits.export-usage",
  "credits.list-group-allocations",
  "credits.list-group-transactions",
  "credits.list-user-transactions",
  "credits.user-info",
  "geojson.feature.delete",
  "geojson.feature.get",
  "geojson.feature.list",
  "geojson.feature.save",
  "geojson.geometry.get",
  "geojson.geometry.save",
  "geojsondb.create",
  "geojsondb.delete",
  "geojsondb.get",
  "geojsondb.modify",
  "geojsondb.search",
  "imagery.availability",
  "imagery.images",
  "imagery.scene-info",
  "ingest-scene",
  "mapsvc.download-unclipped",
  "mapsvc.dry-run",
  "mapsvc.release",
  "store.ingested",
];

test("the demonstration user has the published permissions as exact members, and no administration", () => {
  assert.deepEqual(
    PUBLISHED.filter((permission) => !DEMO_PERMISSIONS.includes(permission)),
    [],
  );
  assert.deepEqual(
    DEMO_PERMISSIONS.filter((permission) => /^(?:admin|organization)\b/.test(permission)),
    [],
  );
});

test("administrators may do everything that the demonstration user may", () => {
  const held = new Set(ADMINISTRATOR_PERMISSIONS);
  assert.ok(DEMO_PERMISSIONS.every((permission) => isGranted(held, permission)));
  assert.ok(["admin.users.manage", "organization.credits.export-usage"].every((one) => isGranted(held, one)));
});
