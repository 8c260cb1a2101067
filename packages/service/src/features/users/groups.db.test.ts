import assert from "node:assert/strict";
import { test } from "node:test";
import { usersBench, type UsersBench } from "./testing.ts";

async function outcome(bench: UsersBench, token: string, path: string, body: object) {
  const answer = await bench.post(token, path, body);
  return answer.status === 200 ? answer.body : `${answer.status} ${answer.body.error}`;
}

test("an organisation, a group with licence, tier and rights, and a change of them", async () => {
  await using bench = await usersBench();
  const admin = await bench.person("admin", [await bench.group("admins", ["admin"], "operator")]);
  const organization = await outcome(bench, admin.token, "/organization/create", { name: "Acme" });
  assert.deepEqual([organization.name, organization.groups], ["Acme", 0]);
  const group = await outcome(bench, admin.token, "/group/create", {
    organizationId: organization.id,
    name: "Field",
    permissions: ["imagery", "credits.check-area"],
    creditsTier: "gold",
    licenseStart: "2026-01-01T00:00:00+01:00",
    licenseEnd: "2027-01-01",
  });
  assert.deepEqual(
    [group.organizationId, group.permissions, group.creditsTier, group.licenseStart, group.licenseEnd, group.members],
    [
      organization.id,
      ["imagery", "credits.check-area"],
      "gold",
      "2025-12-31T23:00:00.000Z",
      "2027-01-01T00:00:00.000Z",
      0,
    ],
  );
  const account = await bench.database.db
    .selectFrom("credit_groups")
    .select(["tier", "remaining_micro"])
    .where("group_id", "=", group.id)
    .executeTakeFirst();
  assert.deepEqual(account, { tier: "gold", remaining_micro: 0 });

  const set = { name: "Field team", creditsTier: "standard", licenseEnd: null, permissions: ["imagery"] };
  const changed = await outcome(bench, admin.token, "/group/manage", { groupId: group.id, set });
  assert.deepEqual(
    [changed.name, changed.creditsTier, changed.licenseStart, changed.licenseEnd, changed.permissions],
    ["Field team", "standard", group.licenseStart, null, ["imagery"]],
  );
  await outcome(bench, admin.token, "/group/manage", { groupId: group.id, set });
  assert.deepEqual(await bench.actionsOn(group.id), ["group.create", "group.manage"]);
  assert.deepEqual(await bench.actionsOn(organization.id), ["organization.create"]);
  const { results } = await outcome(bench, admin.token, "/organization/list", {});
  assert.deepEqual(
    results.map(({ name, groups }: { name: string; groups: number }) => [name, groups]),
    [
      ["Acme", 1],
      ["operator", 1],
    ],
  );
});

test("what cannot be is refused: taken names, unknown organisations, licences that end before they begin", async () => {
  await using bench = await usersBench();
  const admin = await bench.person("admin", [await bench.group("admins", ["admin"], "operator")]);
  const groupId = await bench.group("field", []);
  const create = (body: object) =>
    outcome(bench, admin.token, "/group/create", { organizationId: "operator", name: "x", ...body });
  assert.equal(await create({ name: "field" }), "409 CONFLICT");
  assert.equal(await create({ organizationId: "nope" }), "404 NON-EXISTENT-ORGANIZATION");
  assert.equal(await create({ licenseStart: "2026-01-02", licenseEnd: "2026-01-01" }), "422 VALIDATION-ERROR");
  assert.equal(await create({ licenseEnd: "sometime soon" }), "422 VALIDATION-ERROR");
  assert.equal(await create({ permissions: ["no good"] }), "422 VALIDATION-ERROR");
  assert.equal(await outcome(bench, admin.token, "/organization/create", { name: "operator" }), "409 CONFLICT");
  const manage = (id: string, set: object) => outcome(bench, admin.token, "/group/manage", { groupId: id, set });
  assert.equal(await manage("nope", {}), "404 NON-EXISTENT-GROUP");
  assert.equal(await manage(groupId, { name: "admins" }), "409 CONFLICT");
  await manage(groupId, { licenseStart: "2026-06-01" });
  assert.equal(await manage(groupId, { licenseEnd: "2026-05-01" }), "422 VALIDATION-ERROR");
});

test("a keeper of groups gives them only rights he holds, and leaves administrators alone", async () => {
  await using bench = await usersBench();
  const admins = await bench.group("admins", ["admin"], "operator");
  await bench.person("admin", [admins]);
  const field = await bench.group("field", ["imagery"]);
  const keeper = await bench.person("keeper", [field], { extraPermissions: ["admin.groups.manage"] });
  const manage = (groupId: string, set: object) => outcome(bench, keeper.token, "/group/manage", { groupId, set });
  for (const permissions of [["imagery", "admin"], ["admin.groups"], ["credits"]]) {
    assert.equal(await manage(field, { permissions }), "401 NOT-AUTHORIZED");
    const body = { organizationId: "acme", name: "new", permissions };
    assert.equal(await outcome(bench, keeper.token, "/group/create", body), "401 NOT-AUTHORIZED");
  }
  assert.equal(await manage(admins, { name: "x" }), "401 NOT-AUTHORIZED");
  assert.deepEqual((await manage(field, { permissions: ["imagery.images"] })).permissions, ["imagery.images"]);
});

test("lists reach as far as the caller does, page by page, and say nothing of the rest", async () => {
  await using bench = await usersBench();
  const admins = await bench.group("admins", ["admin"], "operator");
  const field = await bench.group("field", []);
  const office = await bench.group("office", []);
  const globex = await bench.group("globex", [], "globex");
  const admin = await bench.person("admin", [admins]);
  const manager = await bench.person("manager", [office, field], { managerOf: [field] });
  const head = await bench.person("head", [office], { extraPermissions: ["organization"] });
  const stranger = await bench.person("stranger", [globex], { extraPermissions: ["organization"] });
  const plain = await bench.person("plain", [field]);
  const emails = async (token: string, request: object) => {
    const answer = await outcome(bench, token, "/user/list", request);
    return typeof answer === "string"
      ? answer
      : answer.results.map((user: { email: string }) => user.email.split("@")[0]);
  };
  const names = async (token: string, request: object = {}) => {
    const answer = await outcome(bench, token, "/group/list", request);
    return typeof answer === "string" ? answer : answer.results.map((group: { name: string }) => group.name);
  };

  assert.deepEqual(await emails(admin.token, {}), ["admin", "head", "manager", "plain", "stranger"]);
  assert.deepEqual(await emails(head.token, {}), ["head", "manager", "plain"]);
  assert.deepEqual(await emails(manager.token, {}), ["plain"], "who belongs to the group, not who is its guest");
  assert.deepEqual(await emails(stranger.token, {}), ["stranger"]);
  assert.equal(await emails(plain.token, {}), "401 NOT-AUTHORIZED");
  assert.deepEqual(await names(admin.token), ["admins", "field", "globex", "office"]);
  assert.deepEqual(await names(head.token), ["field", "office"]);
  assert.deepEqual(await names(manager.token), ["field"]);
  assert.equal(await names(plain.token), "401 NOT-AUTHORIZED");
  const info = async (token: string, groupId: string) => {
    const answer = await outcome(bench, token, "/group/info", { groupId });
    return typeof answer === "string" ? answer : answer.name;
  };
  assert.equal(await info(admin.token, globex), "globex");
  assert.equal(await info(head.token, field), "field");
  assert.equal(await info(head.token, globex), "404 NON-EXISTENT-GROUP");
  assert.equal(await info(head.token, "nope"), "404 NON-EXISTENT-GROUP");
  assert.equal(await info(manager.token, office), "404 NON-EXISTENT-GROUP");
  assert.equal(await info(plain.token, field), "401 NOT-AUTHORIZED");

  assert.deepEqual(await emails(head.token, { groupId: globex }), []);
  assert.deepEqual(await emails(head.token, { organizationId: "globex" }), []);
  assert.deepEqual(await names(head.token, { organizationId: "globex" }), []);
  assert.deepEqual(await emails(admin.token, { groupId: office }), ["head", "manager"]);
  assert.deepEqual(await emails(admin.token, { organizationId: "acme", search: "A" }), ["head", "manager", "plain"]);
  assert.deepEqual(await emails(admin.token, { search: "%" }), [], "no pattern, only text");
  await bench.users.setBlocked(plain.id, true);
  assert.deepEqual(await emails(admin.token, { blocked: true }), ["plain"]);

  for (const [path, all] of [
    ["/user/list", ["admin", "head", "manager", "plain", "stranger"]],
    ["/group/list", ["admins", "field", "globex", "office"]],
    ["/organization/list", ["acme", "globex", "operator"]],
  ] as const) {
    const seen: string[] = [];
    let cursor: string | null = null;
    let pages = 0;
    do {
      const request: object = { limit: 2, ...(cursor === null ? {} : { cursor }) };
      const page = await outcome(bench, admin.token, path, request);
      seen.push(...page.results.map((one: { email?: string; name: string }) => one.email?.split("@")[0] ?? one.name));
      cursor = page.cursor;
      pages += 1;
    } while (cursor !== null);
    assert.deepEqual([seen, pages], [all, Math.ceil(all.length / 2)]);
    assert.equal(await outcome(bench, admin.token, path, { cursor: "nonsense" }), "400 INVALID-CURSOR");
  }
  const shown = (await outcome(bench, admin.token, "/user/list", {})).results;
  assert.doesNotMatch(JSON.stringify(shown), /argon|hash|version/i);
});

test("other features learn who manages a group and what belongs to an organisation", async () => {
  await using bench = await usersBench();
  const field = await bench.group("field", []);
  const office = await bench.group("office", []);
  const globex = await bench.group("globex", [], "globex");
  const ada = await bench.person("ada", [field, globex], { managerOf: [globex] });
  assert.deepEqual(await Promise.all([field, globex, "nope"].map((id) => bench.users.managesGroup(ada.id, id))), [
    false,
    true,
    false,
  ]);
  assert.deepEqual(
    await Promise.all([field, office, globex, "nope"].map((id) => bench.users.isInOrganizationOf(ada.id, id))),
    [true, true, false, false],
  );
});
