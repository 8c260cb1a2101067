import assert from "node:assert/strict";
import { test } from "node:test";
import { usersBench, type UsersBench } from "./testing.ts";

/** An administrator, an operator of users who holds imagery only, and ada of a group of plain rights. */
async function world(bench: UsersBench) {
  const admins = await bench.group("admins", ["admin"], "operator");
  const plain = await bench.group("plain", ["imagery.availability"]);
  const rich = await bench.group("rich", ["credits", "imagery"]);
  const admin = await bench.person("admin", [admins]);
  const operator = await bench.person("operator", [plain], { extraPermissions: ["admin.users.manage", "imagery"] });
  const ada = await bench.person("ada", [plain]);
  const manage = async (token: string, userId: string, set: object) => {
    const { status, body } = await bench.post(token, "/user/manage", { userId, set });
    return status === 200 ? body : `${status} ${body.error}`;
  };
  return { admins, plain, rich, admin, operator, ada, manage };
}

test("every member can be set, the rest stays, and the record tells what changed", async () => {
  await using bench = await usersBench();
  const { admin, ada, plain, rich, manage } = await world(bench);
  const set = {
    name: "Ada Lovelace",
    requireMfa: true,
    groups: [rich, plain],
    managerOf: [rich],
    extraPermissions: ["mapsvc.release"],
    accounting: rich,
    taskingAccounting: plain,
    applicationLanguage: "de-CH",
    defaultApplication: "desk",
  };
  const user = await manage(admin.token, ada.id, set);
  const { managerOf, ...shown } = set;
  for (const [member, value] of Object.entries(shown)) assert.deepEqual(user[member], value, member);
  assert.deepEqual(user.permissions, ["credits", "imagery", "imagery.availability", "mapsvc.release"]);
  const { body } = await bench.post(admin.token, "/user/list", { search: "lovelace" });
  assert.deepEqual(body.results[0].managerOf, managerOf);

  await manage(admin.token, ada.id, { name: "Ada" });
  await manage(admin.token, ada.id, { name: "Ada", groups: [rich, plain] });
  await manage(admin.token, ada.id, { defaultApplication: null });
  const { results } = (await bench.post(admin.token, "/audit/list", { target: ada.id })).body;
  assert.deepEqual(
    results
      .map((one: { action: string; before: object; after: object }) => [one.action, one.before, one.after])
      .slice(0, 2),
    [
      ["user.manage", { defaultApplication: "desk" }, { defaultApplication: null }],
      ["user.manage", { name: "Ada Lovelace" }, { name: "Ada" }],
    ],
  );
  assert.equal(results.length, 4, "what changes nothing is not recorded");
  assert.deepEqual(results[0].actor, { kind: "user", id: admin.id, email: admin.email });
  assert.ok(results[0].requestId.length > 0);
});

test("groups that do not exist, and managed ones that are not the user's, are faults of the request", async () => {
  await using bench = await usersBench();
  const { admin, ada, plain, rich } = await world(bench);
  for (const [set, path] of [
    [{ groups: [plain, "nope"] }, "/set/groups/1"],
    [{ managerOf: [rich] }, "/set/managerOf/0"],
    [{ accounting: "nope" }, "/set/accounting"],
    [{ taskingAccounting: "nope" }, "/set/taskingAccounting"],
    [{ extraPermissions: ["a b"] }, "/set/extraPermissions/0"],
    [{ extraPermissions: ["a."] }, "/set/extraPermissions/0"],
    [{ extraPermissions: [""] }, "/set/extraPermissions/0"],
    [{ groups: [plain, plain] }, "/set/groups"],
    [{ name: "" }, "/set/name"],
    [{ name: "a\nb" }, "/set/name"],
    [{ applicationLanguage: "not a language" }, "/set/applicationLanguage"],
  ] as const) {
    const { status, body } = await bench.post(admin.token, "/user/manage", { userId: ada.id, set });
    assert.deepEqual([status, body.error, body.details?.[0]?.path], [422, "VALIDATION-ERROR", path]);
  }
  const unknown = await bench.post(admin.token, "/user/manage", { userId: "nobody", set: {} });
  assert.deepEqual([unknown.status, unknown.body.error], [404, "NON-EXISTENT-USER"]);
});

test("nobody gives rights he does not hold, to himself or to another, directly or by a group", async () => {
  await using bench = await usersBench();
  const { operator, ada, admins, rich, plain, manage } = await world(bench);
  for (const userId of [operator.id, ada.id]) {
    for (const set of [
      { extraPermissions: ["admin"] },
      { extraPermissions: ["admin.users"] },
      { extraPermissions: ["credits"] },
      { extraPermissions: ["admin.users.manage", "imagery", "organization"] },
      { groups: [plain, admins] },
      { groups: [rich] },
    ]) {
      assert.equal(await manage(operator.token, userId, set), "401 NOT-AUTHORIZED", JSON.stringify(set));
    }
  }
  const given = await manage(operator.token, ada.id, { extraPermissions: ["imagery.images", "admin.users.manage.x"] });
  assert.deepEqual(given.extraPermissions, ["imagery.images", "admin.users.manage.x"]);
  assert.deepEqual(await bench.actionsOn(operator.id), ["user.create"]);
});

test("rights that a user has already can be kept by who does not hold them", async () => {
  await using bench = await usersBench();
  const { admin, operator, ada, plain, rich, manage } = await world(bench);
  await manage(admin.token, ada.id, { extraPermissions: ["store"], groups: [plain, rich] });
  const kept = await manage(operator.token, ada.id, {
    extraPermissions: ["store", "imagery"],
    groups: [rich, plain],
  });
  assert.deepEqual(kept.groups, [rich, plain]);
  await manage(operator.token, ada.id, { extraPermissions: [], groups: [plain] });
  assert.equal(await manage(operator.token, ada.id, { extraPermissions: ["store"] }), "401 NOT-AUTHORIZED");
});

test("an administrator is changed by administrators only", async () => {
  await using bench = await usersBench();
  const { admin, operator, ada, manage } = await world(bench);
  assert.equal(await manage(operator.token, admin.id, { blocked: true }), "401 NOT-AUTHORIZED");
  assert.equal(await manage(operator.token, admin.id, { groups: [] }), "401 NOT-AUTHORIZED");
  assert.equal(await manage(ada.token, ada.id, { name: "x" }), "401 NOT-AUTHORIZED");
  assert.equal(await manage("none", ada.id, { name: "x" }), "401 INVALID-JWT");
});

test("every operation that changes an administrator is refused to all others", async () => {
  await using bench = await usersBench();
  const { admin, admins, plain } = await world(bench);
  const second = await bench.person("second", [admins]);
  const operator = await bench.person("deputy", [plain], {
    extraPermissions: ["admin.users", "admin.groups", "organization", "imagery"],
  });
  const changes: readonly (readonly [path: string, body: object])[] = [
    ["/user/manage", { userId: admin.id, set: { name: "x" } }],
    ["/user/manage", { userId: admin.id, set: { requireMfa: false } }],
    ["/user/manage", { userId: admin.id, set: { extraPermissions: [] } }],
    ["/user/manage", { userId: admin.id, set: { groups: [plain] } }],
    ["/user/managed-user/delete", { email: admin.email }],
    ["/group/manage", { groupId: admins, set: { name: "x" } }],
    ["/group/manage", { groupId: admins, set: { permissions: [] } }],
  ];
  for (const [path, body] of changes) {
    const { status, body: answer } = await bench.post(operator.token, path, body);
    assert.deepEqual([status, answer.error], [401, "NOT-AUTHORIZED"], `${path} ${JSON.stringify(body)}`);
  }
  assert.deepEqual(await bench.actionsOn(admin.id), ["user.create"]);
  const { status } = await bench.post(second.token, "/user/manage", { userId: admin.id, set: { name: "Chief" } });
  assert.equal(status, 200, "an administrator may");
});

test("nobody blocks himself, and the last administrator stays one", async () => {
  await using bench = await usersBench();
  const { admin, ada, operator, admins, plain, manage } = await world(bench);
  assert.equal(await manage(admin.token, admin.id, { blocked: true }), "409 CONFLICT");
  assert.equal(await manage(operator.token, operator.id, { blocked: true }), "409 CONFLICT");
  assert.equal(await manage(admin.token, admin.id, { groups: [plain] }), "409 CONFLICT");
  const group = await bench.post(admin.token, "/group/manage", { groupId: admins, set: { permissions: ["imagery"] } });
  assert.deepEqual([group.status, group.body.error], [409, "CONFLICT"]);
  await assert.rejects(bench.users.setBlocked(admin.id, true), { code: "CONFLICT" });
  assert.deepEqual((await bench.post(admin.token, "/user/info")).body.permissions, ["admin"]);

  await manage(admin.token, ada.id, { extraPermissions: ["admin"] });
  assert.equal((await manage(ada.token, admin.id, { groups: [plain] })).type, "user");
  assert.equal(await manage(ada.token, ada.id, { extraPermissions: [] }), "409 CONFLICT");
});

test("two administrators who block each other at once do not both succeed", async () => {
  await using bench = await usersBench();
  const { admins, admin } = await world(bench);
  const second = await bench.person("second", [admins]);
  const outcomes = await Promise.all([
    bench.post(admin.token, "/user/manage", { userId: second.id, set: { blocked: true } }),
    bench.other.post(second.token, "/user/manage", { userId: admin.id, set: { blocked: true } }),
  ]);
  assert.equal(outcomes.filter(({ status }) => status === 200).length, 1);
  const blocked = await bench.database.db.selectFrom("users").select("id").where("blocked", "=", true).execute();
  assert.equal(blocked.length, 1);
});

test("who leaves the group that paid is paid for by the first of the others", async () => {
  await using bench = await usersBench();
  const { admin, ada, plain, rich, manage } = await world(bench);
  assert.equal((await manage(admin.token, ada.id, { groups: [rich] })).accounting, rich);
  const none = await manage(admin.token, ada.id, { groups: [] });
  assert.deepEqual([none.accounting, none.taskingAccounting, none.permissions], [null, null, []]);
  await manage(admin.token, ada.id, { groups: [plain, rich], accounting: rich });
  assert.equal((await manage(admin.token, ada.id, { groups: [rich] })).accounting, rich);
});

test("info of another needs the right, of a blocked one the wish", async () => {
  await using bench = await usersBench();
  const { operator, ada, manage } = await world(bench);
  const info = async (token: string, request: object) => {
    const { status, body } = await bench.post(token, "/user/info", request);
    return status === 200 ? body.email : `${status} ${body.error}`;
  };
  assert.equal(await info(ada.token, {}), ada.email);
  assert.equal(await info(ada.token, { ignoreCache: true, allowBlocked: true }), ada.email);
  assert.equal(await info(ada.token, { userId: operator.id }), "401 NOT-AUTHORIZED");
  assert.equal(await info(ada.token, { userId: "nobody" }), "401 NOT-AUTHORIZED", "existing or not");
  assert.equal(await info(operator.token, { userId: ada.id }), ada.email);
  await manage(operator.token, ada.id, { blocked: true });
  assert.equal(await info(operator.token, { userId: ada.id }), "404 NON-EXISTENT-USER");
  assert.equal(await info(operator.token, { userId: ada.id, allowBlocked: true }), ada.email);
  assert.deepEqual(await bench.actionsOn(ada.id), ["user.create", "user.block"]);
});
