import assert from "node:assert/strict";
import { test } from "node:test";
import { grants } from "@swath/kernel/permissions/permission";
import * as fc from "fast-check";
import { isAdministrator } from "@swath/kernel/permissions/administrator";
import { notGrantable } from "./rights.ts";

const permission = fc
  .array(fc.constantFrom("a", "b", "ab", "admin", "users"), { minLength: 1, maxLength: 4 })
  .map((segments) => segments.join("."));
const permissions = fc.array(permission, { maxLength: 6 });

test("what may be given is what one held permission grants, by the table of the interface", () => {
  fc.assert(
    fc.property(permissions, permissions, (held, wanted) => {
      const expected = held.includes("admin") ? [] : wanted.filter((one) => !held.some((own) => grants(own, one)));
      assert.deepEqual(notGrantable(new Set(held), wanted), expected);
    }),
  );
});

test("giving never raises anybody above the giver: what the given grants, the giver held", () => {
  fc.assert(
    fc.property(permissions, permissions, permission, (held, wanted, needed) => {
      fc.pre(!held.includes("admin"));
      const refused = new Set(notGrantable(new Set(held), wanted));
      const given = wanted.filter((one) => !refused.has(one));
      if (given.some((one) => grants(one, needed))) assert.ok(held.some((one) => grants(one, needed)));
    }),
  );
});

test("a part of administration does not make an administrator", () => {
  assert.equal(isAdministrator(new Set(["admin.users.manage", "admin.users"])), false);
  assert.deepEqual(notGrantable(new Set(["admin.users.manage"]), ["admin"]), ["admin"]);
  assert.deepEqual(notGrantable(new Set(["admin.users.manage"]), ["admin.users"]), ["admin.users"]);
  assert.equal(isAdministrator(new Set(["admin"])), true);
  assert.deepEqual(notGrantable(new Set(["admin"]), ["imagery", "x"]), []);
});
