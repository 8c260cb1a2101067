import assert from "node:assert/strict";
import type { RawClient } from "./raw-client.ts";
import { ADMIN } from "./service-process.ts";

/** An operator makes an organisation, a group and users, changes them and reads who did what. */
export async function organisationJourney({
  admin,
  anonymous,
}: Readonly<Record<"admin" | "anonymous", RawClient>>): Promise<void> {
  const password = "a password of eight or more";
  const organization = await admin.post("/organization/create", { name: "Acceptance" });
  assert.equal(organization.status, 200, JSON.stringify(organization.body));
  const { body: organizations } = await admin.post("/organization/list");
  assert.ok(organizations.results.some((one: { id: string }) => one.id === organization.body.id));
  const group = await admin.post("/group/create", {
    organizationId: organization.body.id,
    name: "Acceptance field team",
    permissions: ["imagery"],
    licenseEnd: "2099-01-01T00:00:00Z",
  });
  assert.equal(group.status, 200, JSON.stringify(group.body));
  const groupId = group.body.id;
  const changed = await admin.post("/group/manage", { groupId, set: { permissions: ["imagery", "organization"] } });
  assert.deepEqual(changed.body.permissions, ["imagery", "organization"]);

  const first = await admin.post("/user/organization/create-user", {
    email: "head@swath.example",
    password,
    name: "Head",
    groupId,
    isManager: false,
    accounting: groupId,
    taskingAccounting: groupId,
  });
  assert.equal(first.status, 200, JSON.stringify(first.body));
  const set = { extraPermissions: ["admin.users.create-managed-user"] };
  const managing = await admin.post("/user/manage", { userId: first.body.id, set });
  assert.deepEqual(managing.body.permissions, ["admin.users.create-managed-user", "imagery", "organization"]);

  let head = await anonymous.login({ email: "head@swath.example", password });
  const made = await head.post("/user/organization/create-user", {
    email: "field@swath.example",
    password,
    name: "Field",
    groupId,
    isManager: true,
  });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  assert.equal(made.body.accounting, groupId);
  const managed = await head.post("/user/managed-user/create", { email: "m@swath.example", password, name: "M" });
  assert.deepEqual(managed.body.groups, [groupId]);
  const listed = await head.post("/user/list");
  assert.deepEqual(
    listed.body.results.map((user: { email: string; managerOf: string[] }) => [user.email, user.managerOf]),
    [
      ["field@swath.example", [groupId]],
      ["head@swath.example", []],
      ["m@swath.example", []],
    ],
  );
  assert.deepEqual((await head.post("/group/info", { groupId })).body, {
    ...changed.body,
    members: listed.body.results.length,
  });
  assert.deepEqual(
    (await head.post("/group/list")).body.results.map((one: { id: string }) => one.id),
    [groupId],
  );

  const newPassword = `${password}, and better`;
  assert.deepEqual((await head.post("/user/change-password", { currentPassword: password, newPassword })).body, {});
  assert.equal((await head.post("/user/info")).status, 401);
  head = await anonymous.login({ email: "head@swath.example", password: newPassword });
  const field = await anonymous.login({ email: "field@swath.example", password });
  assert.equal((await head.post("/user/managed-user/delete", { email: "field@swath.example" })).status, 401);
  assert.deepEqual((await admin.post("/user/managed-user/delete", { email: "field@swath.example" })).body, {});
  assert.equal((await field.post("/user/info")).status, 401);

  const { body: signedIn } = await head.post("/user/session/list");
  assert.deepEqual(signedIn.results, [], "programs have no sessions");
  const userId = first.body.id;
  const { body: ended } = await admin.post("/user/session/end", { userId });
  assert.deepEqual(ended, { ended: 0 });
  assert.equal((await head.post("/user/info")).status, 401, "its tokens end too");
  head = await anonymous.login({ email: "head@swath.example", password: newPassword });

  const spare = await admin.post("/organization/create", { name: "Acceptance, spare" });
  const organizationId = spare.body.id;
  const empty = await admin.post("/group/create", { organizationId, name: "Acceptance, empty" });
  const kept = await admin.post("/organization/delete", { organizationId });
  assert.deepEqual([kept.status, kept.body.error], [409, "CONFLICT"]);
  assert.equal((await admin.post("/group/delete", { groupId })).status, 409, "it has members");
  assert.deepEqual((await admin.post("/group/delete", { groupId: empty.body.id })).body, {});
  assert.deepEqual((await admin.post("/organization/delete", { organizationId })).body, {});

  const { body: record } = await admin.post("/audit/list", { target: made.body.id });
  assert.deepEqual(
    record.results.map((entry: { action: string; actor: { email: string } }) => [entry.action, entry.actor.email]),
    [
      ["user.block", ADMIN.email],
      ["user.create", "head@swath.example"],
    ],
  );
  assert.equal((await head.post("/audit/list")).status, 401);
}
