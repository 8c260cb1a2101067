import assert from "node:assert/strict";
import { test } from "node:test";
import { rightsOf } from "./rights.ts";

test("a permission grants itself and all below it, and nothing beside it", () => {
  const rights = rightsOf(["admin.users", "mapsvc.release"]);
  assert.equal(rights.holds("admin.users"), true);
  assert.equal(rights.holds("admin.users.manage"), true);
  assert.equal(rights.holds("admin"), false);
  assert.equal(rights.holds("admin.usersettings"), false);
  assert.equal(rights.holds("mapsvc"), false);
});
