import assert from "node:assert/strict";
import { test } from "node:test";
import { createAccountReader } from "../../platform/identity/account-reader.ts";
import { PASSWORD, usersBench } from "./testing.ts";

test("a block holds from the next request on, in the process that made it and in another", async () => {
  await using bench = await usersBench();
  const admin = await bench.person("admin", [await bench.group("admins", ["admin"])]);
  const ada = await bench.person("ada", [await bench.group("g", ["imagery"])]);
  for (let round = 0; round < 3; round += 1) {
    for (const node of [bench, bench.other]) assert.equal((await node.post(ada.token, "/user/info")).status, 200);
    const [by, elsewhere] = round % 2 === 0 ? [bench, bench.other] : [bench.other, bench];
    await by.post(admin.token, "/user/manage", { userId: ada.id, set: { blocked: true } });
    for (const node of [elsewhere, by]) {
      const refused = await node.post(ada.token, "/user/info");
      assert.deepEqual([refused.status, refused.body.error], [401, "NOT-AUTHORIZED"]);
    }
    assert.equal(await elsewhere.login(ada.email), "refused");
    await by.post(admin.token, "/user/manage", { userId: ada.id, set: { blocked: false } });
  }
});

test("rights given and taken, of the user and of its group, hold from the next request on in another process", async () => {
  await using bench = await usersBench();
  const admin = await bench.person("admin", [await bench.group("admins", ["admin"])]);
  const groupId = await bench.group("g", []);
  const more = await bench.group("more", ["admin.users.manage"]);
  const ada = await bench.person("ada", [groupId]);
  const mayNow = async () => (await bench.other.post(ada.token, "/user/info", { userId: admin.id })).status === 200;
  const manage = (set: object) => bench.post(admin.token, "/user/manage", { userId: ada.id, set });
  const manageGroup = (set: object) => bench.post(admin.token, "/group/manage", { groupId, set });
  assert.equal(await mayNow(), false);
  for (const [give, take] of [
    [() => manage({ extraPermissions: ["admin.users.manage"] }), () => manage({ extraPermissions: [] })],
    [() => manageGroup({ permissions: ["admin.users"] }), () => manageGroup({ permissions: ["admin.groups"] })],
    [() => manage({ groups: [groupId, more] }), () => manage({ groups: [groupId] })],
  ] as const) {
    assert.equal((await give()).status, 200);
    assert.equal(await mayNow(), true);
    assert.equal((await take()).status, 200);
    assert.equal(await mayNow(), false);
  }
});

test("a new password ends older tokens everywhere, and no token of the former password comes after", async () => {
  await using bench = await usersBench();
  const ada = await bench.person("ada", [await bench.group("g", [])]);
  assert.equal((await bench.other.post(ada.token, "/user/info")).status, 200);
  const changed = await bench.post(ada.token, "/user/change-password", {
    currentPassword: PASSWORD,
    newPassword: "another good one",
  });
  assert.deepEqual([changed.status, changed.body], [200, {}]);
  for (const node of [bench, bench.other]) {
    const refused = await node.post(ada.token, "/user/info");
    assert.deepEqual([refused.status, refused.body.error], [401, "INVALID-JWT"]);
  }
  assert.deepEqual((await bench.post(null, "/user/authorize", { token: ada.token })).body.authorized, false);
  assert.equal(await bench.other.login(ada.email), "refused");
  const fresh = await bench.other.login(ada.email, "another good one");
  for (const node of [bench, bench.other]) assert.equal((await node.post(fresh, "/user/info")).status, 200);
});

test("an answer never rests on a query that began before the question", async () => {
  await using bench = await usersBench();
  const ada = await bench.person("ada", [await bench.group("g", [])]);
  const read = createAccountReader(bench.database.db);
  let version = 0;
  for (let round = 0; round < 40; round += 1) {
    const early = Array.from({ length: 5 }, () => read(ada.id));
    version += 1;
    await bench.database.db.updateTable("users").set({ token_version: version }).where("id", "=", ada.id).execute();
    const late = await Promise.all([read(ada.id), read(ada.id), read(ada.id)]);
    for (const account of late) assert.equal(account?.tokenVersion, version);
    await Promise.all(early);
  }
});

test("permissions are read again only when something they follow from has changed", async () => {
  await using bench = await usersBench();
  const group = await bench.group("g", ["imagery"]);
  const ada = await bench.person("ada", [group]);
  const read = createAccountReader(bench.database.db);
  const first = await read(ada.id);
  assert.equal((await read(ada.id))?.permissions, first?.permissions);
  await bench.database.db
    .updateTable("groups")
    .set({ permissions: ["maps"] })
    .where("id", "=", group)
    .execute();
  assert.deepEqual([...((await read(ada.id))?.permissions ?? [])], ["maps"]);
  await bench.database.db.deleteFrom("group_members").where("user_id", "=", ada.id).execute();
  assert.equal((await read(ada.id))?.permissions.size, 0);
  assert.equal(await read("nobody"), null);
});

test("many requests at once share queries: two of one account at most", async () => {
  await using bench = await usersBench();
  const ada = await bench.person("ada", [await bench.group("g", [])]);
  const read = createAccountReader(bench.database.db);
  const answers = await Promise.all(Array.from({ length: 500 }, () => read(ada.id)));
  assert.equal(new Set(answers).size, 2);
});
