import assert from "node:assert/strict";
import { test } from "node:test";
import { mapTypes } from "../../../map-types/registry.ts";
import { providers } from "../../../providers/registry.ts";
import { groupOf, MAP_GROUPS, OTHER_GROUP } from "./group-catalogue.ts";
import { listGroups } from "./list-groups.ts";

test("every built-in map type has a group with a name of its own", () => {
  for (const mapType of mapTypes.values()) {
    assert.ok(groupOf(mapType) in MAP_GROUPS);
    assert.notEqual(groupOf(mapType), OTHER_GROUP, mapType.id);
  }
});

test("the groups of a kind of dataset hold its map types, once each", () => {
  for (const datasetType of ["optical", "sar-grd", "environmental"]) {
    const groups = listGroups(mapTypes.values(), { providers }, datasetType);
    const listed = Object.values(groups).flatMap(({ mapTypes: same, types }) => [
      ...new Set(same ?? Object.values(types ?? {}).flat()),
    ]);
    const fitting = [...mapTypes.values()].filter((one) => one.datasetTypes.includes(datasetType)).map(({ id }) => id);
    assert.deepEqual(listed.toSorted(), fitting.toSorted());
  }
});

test("a type that needs fine pixels is only listed where they are", () => {
  const { objects, vegetation } = listGroups(mapTypes.values(), { providers }, "optical");
  assert.ok(objects?.types !== undefined && objects.mapTypes === undefined);
  assert.ok(objects.types["high"]?.includes("cars"));
  assert.ok(!objects.types["low"]?.includes("cars"));
  assert.ok(vegetation?.mapTypes?.includes("ndvi") && vegetation.types === undefined);
});
