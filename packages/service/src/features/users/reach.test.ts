import assert from "node:assert/strict";
import { test } from "node:test";
import { homeReach, listReach, organizationReach, reaches, reachesInCare } from "./reach.ts";
import { cursorOf, idAfter, pageById } from "./list-cursor.ts";
import { requireGoodPassword } from "./password-policy.ts";

const membership = (group: string, organization: string | null, manager = false) => ({
  group_id: group,
  organization_id: organization,
  is_manager: manager,
});

test("an organisation is reached through the first group only", () => {
  const reach = organizationReach([membership("g1", "acme"), membership("g2", "globex")]);
  assert.equal(reaches(reach, { id: "any", organization_id: "acme" }), true);
  assert.equal(reaches(reach, { id: "g2", organization_id: "globex" }), false);
  assert.equal(reaches(reach, { id: "alone", organization_id: null }), false);
  assert.equal(reaches(reach, null), false);
});

test("groups that stand alone are no organisation together", () => {
  const reach = organizationReach([membership("g1", null)]);
  assert.equal(reaches(reach, { id: "g1", organization_id: null }), true);
  assert.equal(reaches(reach, { id: "g2", organization_id: null }), false);
});

test("who has no group reaches nobody", () => {
  for (const reach of [organizationReach([]), homeReach([])]) {
    assert.equal(reaches(reach, { id: "g1", organization_id: null }), false);
    assert.equal(reaches(reach, null), false);
  }
});

test("lists show everything, an organisation or managed groups, and nothing to others", () => {
  const memberships = [membership("g1", "acme"), membership("g2", "globex", true)];
  const of = (...held: string[]) => listReach(new Set(held), memberships, ["admin.users.list"]);
  assert.deepEqual(of("admin"), { kind: "everything" });
  assert.deepEqual(of("admin.users"), { kind: "everything" });
  assert.deepEqual(of("organization"), { kind: "organization", organizationId: "acme" });
  assert.deepEqual(of("admin.users.manage"), { kind: "groups", groupIds: ["g2"] });
  assert.throws(() => listReach(new Set(["imagery"]), memberships.slice(0, 1), ["admin.users.list"]), {
    code: "NOT-AUTHORIZED",
  });
});

test("a cursor leads to the row after its own, and anything else is none", () => {
  assert.equal(idAfter(undefined), null);
  assert.equal(idAfter(cursorOf("0197-ab")), "0197-ab");
  for (const cursor of ["", "x", cursorOf(""), cursorOf("a b"), cursorOf("a\0"), "YWJj"]) {
    assert.throws(() => idAfter(cursor), { code: "INVALID-CURSOR" }, cursor);
  }
  const rows = [{ id: "a" }, { id: "b" }];
  assert.deepEqual(
    pageById(rows, 1, ({ id }) => id),
    { results: ["a"], cursor: cursorOf("a") },
  );
  assert.deepEqual(
    pageById(rows, 2, ({ id }) => id),
    { results: ["a", "b"], cursor: null },
  );
});

test("the address and its first part are no passwords", () => {
  for (const password of ["ada.lovelace@example.org", "ADA.Lovelace"]) {
    assert.throws(() => requireGoodPassword(password, "Ada.Lovelace@example.org", "/password"), {
      code: "VALIDATION-ERROR",
    });
  }
  requireGoodPassword("ada.lovelace1", "ada.lovelace@example.org", "/password");
});

test("matters of groups are in the care of their managers, of the head of the organisation and of administrators", () => {
  const memberships = [membership("g1", "acme"), membership("g2", null, true)];
  const needs = { everything: "admin.tasking.read", organization: "organization.tasking.read" };
  const managed = { kind: "groups", groupIds: ["g2"] };
  assert.deepEqual(reachesInCare(new Set(), memberships, needs), [managed]);
  assert.deepEqual(reachesInCare(new Set(["organization"]), memberships, needs), [
    { kind: "organization", organizationId: "acme" },
    managed,
  ]);
  assert.deepEqual(reachesInCare(new Set(["organization.tasking.cancel"]), memberships, needs), [managed]);
  assert.deepEqual(reachesInCare(new Set(["admin"]), memberships, needs), [{ kind: "everything" }]);
});
