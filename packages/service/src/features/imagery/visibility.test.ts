import assert from "node:assert/strict";
import { test } from "node:test";
import { audienceFor, maySee, mayShare, ownerKey, visibilityOf, type Viewer } from "./visibility.ts";

const viewer = (userId: string, groupId: string, organizationId: string | null, ...permissions: string[]): Viewer => ({
  userId,
  groupId,
  organizationId,
  permissions: new Set(permissions),
});

const VIEWERS: Readonly<Record<string, Viewer>> = {
  owner: viewer("ada", "field", "acme"),
  colleague: viewer("bob", "field", "acme"),
  sibling: viewer("cy", "office", "acme"),
  stranger: viewer("eve", "globex", "globex"),
  groupless: viewer("nomad", "", null),
  anonymous: viewer("", "", null),
  administrator: viewer("root", "admins", null, "admin"),
  operator: viewer("op", "admins", null, "admin.users.manage", "imagery"),
  service: "service",
};

const allowed = (may: (one: Viewer) => boolean): readonly string[] =>
  Object.entries(VIEWERS).flatMap(([name, one]) => (may(one) ? [name] : []));

const seen = (visibility: "group" | "organization" | "public") =>
  allowed((one) => maySee(one, audienceFor(visibility, "group:field", "acme")));

test("each visibility is seen by its audience, administrators and the service", () => {
  assert.deepEqual(seen("group"), ["owner", "colleague", "administrator", "service"]);
  assert.deepEqual(seen("organization"), ["owner", "colleague", "sibling", "administrator", "service"]);
  assert.deepEqual(seen("public"), Object.keys(VIEWERS));
});

test("the owning group, administrators and the service change the audience", () => {
  assert.deepEqual(
    allowed((one) => mayShare(one, "group:field")),
    ["owner", "colleague", "administrator", "service"],
  );
  assert.deepEqual(
    allowed((one) => mayShare(one, null)),
    ["administrator", "service"],
  );
});

test("a user without a group shares with nobody else of that kind", () => {
  const audience = audienceFor("group", ownerKey({ userId: "nomad", groupId: "" }), null);
  assert.equal(audience, "user:nomad");
  assert.deepEqual(
    allowed((one) => maySee(one, audience)),
    ["groupless", "administrator", "service"],
  );
  assert.equal(maySee(viewer("other", "", null), audience), false);
});

test("a visibility is read back from the audience; organization needs one", () => {
  for (const visibility of ["group", "organization", "public"] as const) {
    assert.equal(visibilityOf(audienceFor(visibility, "group:field", "acme")), visibility);
  }
  assert.throws(() => audienceFor("organization", "group:alone", null), RangeError);
});
