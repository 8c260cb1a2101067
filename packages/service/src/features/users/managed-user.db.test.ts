import assert from "node:assert/strict";
import { test } from "node:test";
import { PASSWORD, usersBench, type Person, type UsersBench } from "./testing.ts";

const MANAGED = ["admin.users.create-managed-user", "admin.users.delete-managed-user"];

/** Two organisations; acme has two groups, of which the second holds more rights. */
async function world(bench: UsersBench) {
  const field = await bench.group("field", ["imagery"]);
  const office = await bench.group("office", ["imagery", "credits"]);
  const globex = await bench.group("globex", ["imagery"], "globex");
  const lead = await bench.person("lead", [field, office], { extraPermissions: MANAGED });
  const head = await bench.person("head", [office, field], { extraPermissions: ["organization", ...MANAGED] });
  const rival = await bench.person("rival", [globex], { extraPermissions: ["organization", ...MANAGED] });
  return { field, office, globex, lead, head, rival };
}

const wanted = (email: string) => ({ email, password: PASSWORD, name: "New" });
const inOrganization = (groupId: string, email = "new@example.org") => ({
  ...wanted(email),
  groupId,
  isManager: false,
});

async function outcome(bench: UsersBench, by: Person, path: string, body: object) {
  const answer = await bench.post(by.token, path, body);
  return answer.status === 200 ? answer.body : `${answer.status} ${answer.body.error}`;
}

test("a managed user joins the caller's first group, is paid for as the caller is, and can log in", async () => {
  await using bench = await usersBench();
  const { field, lead } = await world(bench);
  const user = await outcome(bench, lead, "/user/managed-user/create", {
    ...wanted("New@Example.org"),
    requireMfa: true,
  });
  assert.deepEqual(
    [user.email, user.name, user.groups, user.accounting, user.taskingAccounting, user.requireMfa, user.createdBy],
    ["new@example.org", "New", [field], field, field, true, lead.id],
  );
  assert.deepEqual([user.permissions, user.type, user.blocked], [["imagery"], "user", false]);
  await bench.database.db.updateTable("users").set({ require_mfa: false }).where("id", "=", user.id).execute();
  assert.notEqual(await bench.login("new@example.org"), "refused");
  const [entry] = await bench.database.db
    .selectFrom("audit_log")
    .selectAll()
    .where("target_id", "=", user.id)
    .execute();
  assert.deepEqual([entry?.action, entry?.actor_id, entry?.before], ["user.create", lead.id, null]);
  assert.doesNotMatch(JSON.stringify(entry), /password|argon|horse/i);
});

test("what a new account needs is checked: address, password, name", async () => {
  await using bench = await usersBench();
  const { lead } = await world(bench);
  for (const [change, path] of [
    [{ email: "nobody" }, "/email"],
    [{ email: "a@b" }, "/email"],
    [{ email: "a b@c.d" }, "/email"],
    [{ email: `${"a".repeat(250)}@b.cd` }, "/email"],
    [{ password: "short" }, "/password"],
    [{ password: "x".repeat(257) }, "/password"],
    [{ password: "NEW@example.org" }, "/password"],
    [{ name: "" }, "/name"],
    [{ name: "x".repeat(201) }, "/name"],
    [{ requireMfa: "yes" }, "/requireMfa"],
  ] as const) {
    const body = { ...wanted("new@example.org"), ...change };
    const answer = await bench.post(lead.token, "/user/managed-user/create", body);
    assert.deepEqual([answer.status, answer.body.details?.[0]?.path], [422, path], JSON.stringify(change));
  }
  assert.equal(await outcome(bench, lead, "/user/managed-user/create", wanted("LEAD@example.org")), "409 CONFLICT");
});

test("of two who create the same account at once one succeeds and the other is told", async () => {
  await using bench = await usersBench();
  const { lead, head } = await world(bench);
  for (let round = 0; round < 3; round += 1) {
    const answers = await Promise.all([
      bench.post(lead.token, "/user/managed-user/create", wanted(`new${round}@example.org`)),
      bench.other.post(head.token, "/user/managed-user/create", wanted(`New${round}@example.org`)),
    ]);
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 409]));
    const { length } = await bench.database.db
      .selectFrom("users")
      .select("id")
      .where("email", "=", `new${round}@example.org`)
      .execute();
    assert.equal(length, 1);
  }
});

test("deleting blocks users of the caller's group; others are as if they did not exist", async () => {
  await using bench = await usersBench();
  const { field, office, globex, lead } = await world(bench);
  const mine = await bench.person("mine", [field]);
  const colleague = await bench.person("colleague", [office, field]);
  const stranger = await bench.person("stranger", [globex]);
  const alone = await bench.person("alone", []);
  const remove = (email: string) => bench.post(lead.token, "/user/managed-user/delete", { email });

  assert.deepEqual((await remove("MINE@example.org")).body, {});
  assert.equal((await bench.other.post(mine.token, "/user/info")).status, 401);
  assert.equal((await remove(mine.email)).status, 200, "again is fine");
  assert.deepEqual(await bench.actionsOn(mine.id), ["user.create", "user.block"]);

  for (const email of [colleague.email, stranger.email, alone.email, "nobody@example.org"]) {
    const { status, body } = await remove(email);
    assert.deepEqual(
      [status, body],
      [404, { error: "NON-EXISTENT-USER", errorMessage: `There is no user "${email}"` }],
    );
  }
  assert.equal((await bench.post(stranger.token, "/user/info")).status, 200);
  assert.equal(await outcome(bench, lead, "/user/managed-user/delete", { email: lead.email }), "409 CONFLICT");
});

test("deleting reaches the organisation with organization, everybody with admin.users.manage, and no administrator", async () => {
  await using bench = await usersBench();
  const { field, globex, head } = await world(bench);
  const colleague = await bench.person("colleague", [field]);
  const stranger = await bench.person("stranger", [globex]);
  const boss = await bench.person("boss", [field], { extraPermissions: ["admin"] });
  assert.deepEqual(await outcome(bench, head, "/user/managed-user/delete", { email: colleague.email }), {});
  const absent = "404 NON-EXISTENT-USER";
  assert.equal(await outcome(bench, head, "/user/managed-user/delete", { email: stranger.email }), absent);
  assert.equal(await outcome(bench, head, "/user/managed-user/delete", { email: boss.email }), "401 NOT-AUTHORIZED");
  assert.deepEqual(await outcome(bench, boss, "/user/managed-user/delete", { email: stranger.email }), {});
});

test("an organisation's manager creates users in its groups, and the group of the new user pays unless another one is named", async () => {
  await using bench = await usersBench();
  const { field, office, head } = await world(bench);
  const first = await outcome(bench, head, "/user/organization/create-user", {
    ...inOrganization(field),
    isManager: true,
    frontendApplication: "desk",
  });
  assert.deepEqual(
    [first.groups, first.accounting, first.taskingAccounting, first.defaultApplication],
    [[field], field, field, "desk"],
    "the group of the new user, although office pays for the creator",
  );
  assert.equal(await bench.users.managesGroup(first.id, field), true);
  assert.equal(await bench.users.managesGroup(first.id, office), false);
  const second = await outcome(bench, head, "/user/organization/create-user", {
    ...inOrganization(office, "second@example.org"),
    accounting: field,
    taskingAccounting: field,
  });
  assert.deepEqual([second.groups, second.accounting, second.taskingAccounting], [[office], field, field]);
  assert.equal(await bench.users.managesGroup(second.id, office), false);
  const third = await outcome(bench, head, "/user/organization/create-user", {
    ...inOrganization(field, "third@example.org"),
    accounting: office,
  });
  assert.deepEqual([third.accounting, third.taskingAccounting], [office, office], "tasking follows areas");
});

const absent = (id: string) => [404, "NON-EXISTENT-GROUP", `There is no group "${id}" in your organisation`];

test("groups of another organisation are as if they did not exist, wherever they are named", async () => {
  await using bench = await usersBench();
  const { field, globex, head, rival } = await world(bench);
  const refused = async (by: Person, body: object) => {
    const { status, body: answer } = await bench.post(by.token, "/user/organization/create-user", body);
    return [status, answer.error, answer.errorMessage];
  };
  assert.deepEqual(await refused(head, inOrganization(globex)), absent(globex));
  assert.deepEqual(await refused(head, inOrganization("nope")), absent("nope"));
  assert.deepEqual(await refused(rival, inOrganization(field)), absent(field));
  assert.deepEqual(await refused(head, { ...inOrganization(field), accounting: globex }), absent(globex));
  assert.deepEqual(await refused(head, { ...inOrganization(field), taskingAccounting: "x" }), absent("x"));
  const boss = await bench.person("boss", [field], { extraPermissions: ["admin", "organization"] });
  const body = { ...inOrganization(globex), accounting: globex };
  assert.deepEqual((await outcome(bench, boss, "/user/organization/create-user", body)).groups, [globex]);
  assert.deepEqual(await refused(boss, inOrganization("nope")), absent("nope"));
  // An address that is taken is not told to who may not create the account.
  assert.deepEqual(await refused(rival, inOrganization(field, head.email)), absent(field));
  const [isManager] = (
    await bench.post(head.token, "/user/organization/create-user", { ...wanted("a@b.cd"), groupId: field })
  ).body.details;
  assert.equal(isManager.path, "/isManager");
});

test("an account in a group with rights the creator lacks would be a way to them", async () => {
  await using bench = await usersBench();
  const { office } = await world(bench);
  const modest = await bench.group("modest", []);
  const climber = await bench.person("climber", [modest], { extraPermissions: ["organization"] });
  const create = (groupId: string) =>
    outcome(bench, climber, "/user/organization/create-user", inOrganization(groupId, "ladder@example.org"));
  assert.equal(await create(office), "401 NOT-AUTHORIZED");
  assert.equal((await create(modest)).email, "ladder@example.org");
});

test("each operation needs its own right", async () => {
  await using bench = await usersBench();
  const { field } = await world(bench);
  const plain = await bench.person("plain", [field], { managerOf: [field] });
  const needed = {
    "/user/managed-user/create": wanted("x@example.org"),
    "/user/managed-user/delete": { email: "lead@example.org" },
    "/user/organization/create-user": inOrganization(field),
    "/user/manage": { userId: plain.id, set: { name: "x" } },
    "/group/create": { organizationId: "acme", name: "x" },
    "/group/manage": { groupId: field, set: { permissions: ["admin"] } },
    "/organization/create": { name: "x" },
    "/organization/list": {},
    "/audit/list": {},
  };
  for (const [path, body] of Object.entries(needed)) {
    assert.equal(await outcome(bench, plain, path, body), "401 NOT-AUTHORIZED", path);
    assert.equal((await bench.post(null, path, body)).status, 401, path);
  }
});

test("who belongs to no group has none to offer", async () => {
  await using bench = await usersBench();
  const nomad = await bench.person("nomad", [], { extraPermissions: [...MANAGED, "organization"] });
  assert.equal(await outcome(bench, nomad, "/user/managed-user/create", wanted("x@example.org")), "409 CONFLICT");
  const group = await bench.group("alone", [], null);
  assert.equal(
    await outcome(bench, nomad, "/user/organization/create-user", inOrganization(group)),
    "404 NON-EXISTENT-GROUP",
  );
});
