import assert from "node:assert/strict";
import { test } from "node:test";
import { usersBench, type Person, type UsersBench } from "./testing.ts";

const OPERATOR = ["admin.users.manage", "imagery"];

/** Two groups of acme, one of globex with the same rights, and users of the first. */
async function world(bench: UsersBench) {
  const [office, field] = [await bench.group("office", ["imagery"]), await bench.group("field", ["imagery"])];
  const globex = await bench.group("globex", ["imagery"], "globex");
  const ada = await bench.person("ada", [office]);
  const manage = async (by: Person, userId: string, set: object) => {
    const { status, body } = await bench.post(by.token, "/user/manage", { userId, set });
    return status === 200 ? [body.accounting, body.taskingAccounting] : `${status} ${body.error}`;
  };
  return { office, field, globex, ada, manage };
}

const grants = (extra: readonly string[]) => ({ extraPermissions: [...OPERATOR, ...extra] });

const REFUSED = "401 NOT-AUTHORIZED";

test("an operator lets no group pay that it does not manage, for itself or for others", async () => {
  await using bench = await usersBench();
  const { office, field, globex, ada, manage } = await world(bench);
  const operator = await bench.person("operator", [office], { extraPermissions: OPERATOR });
  for (const userId of [operator.id, ada.id]) {
    for (const groupId of [field, globex]) {
      for (const set of [
        { accounting: groupId },
        { taskingAccounting: groupId },
        { groups: [office, groupId], accounting: groupId },
        { groups: [groupId] },
      ]) {
        assert.equal(await manage(operator, userId, set), REFUSED, JSON.stringify(set));
      }
    }
  }
  assert.deepEqual(await manage(operator, ada.id, { name: "Ada", accounting: office }), [office, office], "as before");
  assert.deepEqual(await manage(operator, ada.id, { groups: [field, office] }), [office, office], "office still pays");
});

test("the first group of a user without a paying group pays: an operator cannot exchange it either", async () => {
  await using bench = await usersBench();
  const { office, globex, manage } = await world(bench);
  const operator = await bench.person("operator", [office], { extraPermissions: OPERATOR });
  await bench.database.db
    .updateTable("users")
    .set({ accounting: null, tasking_accounting: null })
    .where("id", "=", operator.id)
    .execute();
  assert.equal(await manage(operator, operator.id, { groups: [globex, office] }), REFUSED);
  assert.deepEqual(await manage(operator, operator.id, { groups: [office, globex] }), [null, null]);
});

test("managers, heads of organisations, managers of all groups and administrators reach what they manage", async () => {
  await using bench = await usersBench();
  const { office, field, globex, ada, manage } = await world(bench);
  const manager = await bench.person("manager", [office, field], { ...grants([]), managerOf: [field] });
  assert.deepEqual(await manage(manager, ada.id, { accounting: field, taskingAccounting: field }), [field, field]);
  assert.equal(await manage(manager, ada.id, { accounting: globex }), REFUSED);

  const head = await bench.person("head", [office], grants(["organization"]));
  assert.deepEqual(await manage(head, ada.id, { accounting: office }), [office, field]);
  assert.equal(await manage(head, ada.id, { taskingAccounting: globex }), REFUSED);

  const keeper = await bench.person("keeper", [office], grants(["admin.groups.manage"]));
  assert.deepEqual(await manage(keeper, ada.id, { accounting: globex }), [globex, field]);
  const boss = await bench.person("boss", [office], { extraPermissions: ["admin"] });
  assert.deepEqual(await manage(boss, ada.id, { taskingAccounting: globex }), [globex, globex]);
});
