import assert from "node:assert/strict";
import { test } from "node:test";
import { createMapTypes } from "@swath/maps/registry";
import { providers } from "../../../providers/registry.ts";
import { MAP_GROUPS } from "./group-catalogue.ts";
import { listGroups } from "./list-groups.ts";

const mapTypes = createMapTypes([]);

test("every group but that of others has a built-in map type, and every built-in one a group", () => {
  const used = new Set(mapTypes.all.map(({ group }) => group));
  assert.deepEqual(
    [...used].toSorted(),
    Object.keys(MAP_GROUPS)
      .filter((id) => id !== "other")
      .toSorted(),
  );
});

test("the groups of a kind of dataset hold its map types, once each", () => {
  for (const datasetType of ["optical", "sar-grd", "environmental"]) {
    const groups = listGroups(mapTypes.all, { providers }, datasetType);
    const listed = Object.values(groups).flatMap(({ mapTypes: same, types }) => [
      ...new Set(same ?? Object.values(types ?? {}).flat()),
    ]);
    const fitting = mapTypes.all.filter((one) => one.datasetTypes.includes(datasetType)).map(({ id }) => id);
    assert.deepEqual(listed.toSorted(), fitting.toSorted());
  }
});

test("a type that needs fine pixels is only listed where they are", () => {
  const { objects, vegetation } = listGroups(mapTypes.all, { providers }, "optical");
  assert.ok(objects?.types !== undefined && objects.mapTypes === undefined);
  assert.ok(objects.types["high"]?.includes("cars"));
  assert.ok(!objects.types["low"]?.includes("cars"));
  assert.ok(vegetation?.mapTypes?.includes("ndvi") && vegetation.types === undefined);
});
