import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { usersBench, type UsersBench } from "./testing.ts";

/** The code of a refusal and its reason; `"done"` without one. */
async function outcome(bench: UsersBench, token: string, path: string, body: object): Promise<string> {
  const { status, body: answer } = await bench.post(token, path, body);
  return status === 200 ? "done" : `${answer.error} ${answer.errorMessage}`;
}

test("a group goes when nobody is in it, nobody pays through it and no credit is left or held; its log stays", async () => {
  await using bench = await usersBench();
  const { db } = bench.database;
  const admin = await bench.person("admin", [await bench.group("admins", ["admin"], "operator")]);
  const groupId = await bench.group("field", ["imagery"], "acme");
  const other = await bench.group("other", [], "acme");
  const user = await bench.person("ada", [groupId]);
  const remove = () => outcome(bench, admin.token, "/group/delete", { groupId });
  assert.match(await remove(), /^CONFLICT .*"field" has 1 members/);
  const move = { userId: user.id, set: { groups: [other], accounting: groupId, taskingAccounting: groupId } };
  assert.equal(await outcome(bench, admin.token, "/user/manage", { ...move, set: { groups: [other] } }), "done");
  await db.updateTable("users").set({ accounting: groupId }).where("id", "=", user.id).execute();
  assert.match(await remove(), /^CONFLICT .* pays for 1 users/);
  await db
    .updateTable("users")
    .set({ accounting: other, tasking_accounting: other })
    .where("id", "=", user.id)
    .execute();

  await sql`insert into credit_groups (group_id) values (${groupId})`.execute(db);
  await sql`
    insert into credit_grants (id, group_id, micro, note, created_at)
    values ('g1', ${groupId}, 2500000, 'first', now())`.execute(db);
  assert.match(await remove(), /^CONFLICT .* has 2\.5 credits/);
  await sql`
    insert into credit_grants (id, group_id, micro, note, created_at)
    values ('g2', ${groupId}, -2500000, 'back', now())`.execute(db);
  await sql`insert into credit_users (group_id, user_id) values (${groupId}, ${user.id})`.execute(db);
  await sql`
    insert into credit_holds (order_reference_id, group_id, user_id, preallocated_micro, preallocated_m2,
      reserved_micro, reserved_m2, created_at, updated_at)
    values ('o', ${groupId}, ${user.id}, 0, 0, 0, 0, now(), now())`.execute(db);
  assert.match(await remove(), /^CONFLICT .* holds credit for 1 orders/);
  await sql`update credit_holds set state = 'returned' where group_id = ${groupId}`.execute(db);

  assert.equal(await remove(), "done");
  assert.match(await remove(), /^NON-EXISTENT-GROUP/);
  assert.deepEqual((await bench.actionsOn(groupId)).at(-1), "group.delete");
  const grants = await db.selectFrom("credit_grants").select("id").where("group_id", "=", groupId).execute();
  assert.equal(grants.length, 2);
});

test("an organisation goes when it has no groups, and a group of administrators by administrators alone", async () => {
  await using bench = await usersBench();
  const chiefs = await bench.group("admins", ["admin"], "operator");
  const admin = await bench.person("admin", [chiefs]);
  const spare = await bench.group("more admins", ["admin"], "spare");
  const keeper = await bench.person("keeper", [
    await bench.group("keepers", ["admin.groups.manage", "admin.organizations"], "operator"),
  ]);
  const removeGroup = (token: string, groupId: string) => outcome(bench, token, "/group/delete", { groupId });
  const remove = (token: string) => outcome(bench, token, "/organization/delete", { organizationId: "spare" });
  assert.match(await removeGroup(keeper.token, spare), /^NOT-AUTHORIZED/);
  assert.match(await remove(keeper.token), /^CONFLICT .* has 1 groups/);
  assert.equal(await removeGroup(admin.token, spare), "done");
  assert.equal(await remove(keeper.token), "done");
  assert.match(await remove(keeper.token), /^NON-EXISTENT-ORGANIZATION/);
  assert.deepEqual(await bench.actionsOn("spare"), ["organization.delete"]);
});

test("a user who joins while the group is deleted keeps it, or is told that it is gone", async () => {
  await using bench = await usersBench();
  const admin = await bench.person("admin", [await bench.group("admins", ["admin"], "operator")]);
  const home = await bench.group("home", [], "acme");
  const user = await bench.person("ada", [home]);
  for (let round = 0; round < 10; round += 1) {
    const groupId = await bench.group(`group ${round}`, [], "acme");
    const [removed, moved] = await Promise.all([
      outcome(bench, admin.token, "/group/delete", { groupId }),
      bench.other.post(admin.token, "/user/manage", { userId: user.id, set: { groups: [home, groupId] } }),
    ]);
    const isMember = moved.status === 200;
    assert.equal(removed === "done", !isMember, `${removed} ${JSON.stringify(moved.body)}`);
    await bench.post(admin.token, "/user/manage", { userId: user.id, set: { groups: [home] } });
  }
});
