import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { creditAdministrationContract } from "@swath/contract/features/credits/administration-contract";
import {
  actions,
  admin,
  administrationWorld,
  box,
  boxKm2,
  manager,
  refused,
  sceneId,
  user,
} from "./administration-testing.ts";
import { boxPolygon } from "./testing.ts";

test("grants add up, corrections take back what is left at most, and each is in the record", async () => {
  await administrationWorld(async ({ db, credits, administration, audit }) => {
    const first = await administration.grant(
      admin,
      { groupId: "group-1", credit: 100.5, note: "order 7" },
      "request-1",
    );
    assert.equal(first.remainingCredit, 100.5);
    const back = await administration.grant(admin, { groupId: "group-1", credit: -0.5, note: "typing error" });
    assert.equal(back.remainingCredit, 100);
    await assert.rejects(
      administration.grant(admin, { groupId: "group-1", credit: -100.000001, note: "too much" }),
      refused("INSUFFICIENT-CREDIT"),
    );
    await assert.rejects(
      administration.grant(admin, { groupId: "group-1", credit: 1e-7, note: "n" }),
      refused("VALIDATION-ERROR"),
    );
    await assert.rejects(
      administration.grant(admin, { groupId: "none", credit: 1, note: "n" }),
      refused("NON-EXISTENT-GROUP"),
    );
    assert.deepEqual(await credits.remainingCredit(user), { remainingCredit: 100 });
    const { results } = await administration.listGrants({ groupId: "group-1" });
    assert.deepEqual(new Set(results.map(({ credit }) => credit)), new Set([100.5, -0.5]));
    assert.ok(results.every(({ grantedBy }) => grantedBy === "admin"));
    assert.equal((await administration.listGrants({ groupId: "group-2" })).results.length, 0);
    const page = await administration.listGrants({ limit: 1 });
    assert.equal((await administration.listGrants({ limit: 1, cursor: page.cursor ?? "" })).results.length, 1);
    await assert.rejects(
      administration.listGrants({ groupId: "group-1", cursor: page.cursor ?? "" }),
      refused("INVALID-CURSOR"),
    );
    assert.deepEqual(await actions(audit), ["credit.grant", "credit.grant"]);
    const record = (await audit.list({ target: "group-1" })).results.at(-1);
    assert.deepEqual([record?.requestId, record?.actor.id], ["request-1", "admin"]);
    assert.deepEqual(record?.after, { remainingCredit: 100.5, credit: 100.5, note: "order 7", grantId: first.id });
    const { rows } = await sql`
      select sum(micro)::text as granted, (select remaining_micro::text from credit_groups) as remaining
      from credit_grants`.execute(db);
    assert.deepEqual(rows, [{ granted: "100000000", remaining: "100000000" }]);
  });
});

test("a grant with a key is given once, also by eight at once, and the key is of its group", async () => {
  await administrationWorld(async ({ credits, administration, audit }) => {
    const request = { groupId: "group-1", credit: 10, note: "n", idempotencyKey: "k 1/ü" };
    const answers = await Promise.all(Array.from({ length: 8 }, () => administration.grant(admin, request)));
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
    assert.deepEqual(await credits.remainingCredit(user), { remainingCredit: 10 });
    await assert.rejects(administration.grant(admin, { ...request, credit: 11 }), refused("CONFLICT"));
    await assert.rejects(administration.grant(admin, { ...request, note: "m" }), refused("CONFLICT"));
    await administration.grant(admin, { ...request, groupId: "group-2" });
    assert.equal((await actions(audit)).length, 2);
    const first = await administration.listGrants({ limit: 1 });
    assert.equal((await administration.listGrants({ limit: 1, cursor: first.cursor ?? "" })).cursor, null);
  });
});

test("corrections and charges at once never overdraw", async () => {
  await administrationWorld(async ({ db, credits, administration }) => {
    await administration.createPriceRule(admin, { provider: "ab", dataset: "spot", creditsPerKm2: 1 });
    await administration.grant(admin, { groupId: "group-1", credit: 10, note: "start" });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) =>
        index % 2 === 0
          ? administration.grant(admin, { groupId: "group-1", credit: -2, note: `correction ${index}` })
          : credits.allocateArea(user, {
              sceneIds: [sceneId],
              geojson: boxPolygon([14 + index * 0.01, 50, 14.01 + index * 0.01, 50.02]),
            }),
      ),
    );
    for (const outcome of outcomes) {
      if (outcome.status === "rejected")
        assert.ok(refused("INSUFFICIENT-CREDIT")(outcome.reason), String(outcome.reason));
    }
    const { rows } = await sql<{ remaining: number; off: number }>`
      select remaining_micro as remaining, remaining_micro + used_micro - (select sum(micro) from credit_grants)::bigint as off
      from credit_groups`.execute(db);
    assert.ok((rows[0]?.remaining ?? -1) >= 0);
    assert.equal(rows[0]?.off, 0);
  });
});

test("a limit holds at once, may lie below what is used, and is lifted by null or nothing", async () => {
  await administrationWorld(async ({ credits, administration, audit }) => {
    await administration.createPriceRule(admin, { provider: "ab", dataset: "spot", creditsPerKm2: 1 });
    await administration.grant(admin, { groupId: "group-1", credit: 100, note: "start" });
    assert.deepEqual(await administration.setCreditLimit(manager, { userId: "user-1", creditLimit: boxKm2 }), {});
    await credits.allocateArea(user, box);
    assert.deepEqual(await credits.remainingCredit(user), { remainingCredit: 0 });
    const more = { ...box, geojson: boxPolygon([14.02, 50, 14.03, 50.01]) };
    await assert.rejects(credits.allocateArea(user, more), refused("USER-CREDIT-LIMIT"));
    await administration.setCreditLimit(manager, { userId: "user-1", creditLimit: 1 });
    assert.deepEqual(await credits.remainingCredit(user), { remainingCredit: 0 });
    const { usedCredit, creditLimit } = await credits.userInfo(user, undefined);
    assert.deepEqual([usedCredit, creditLimit], [boxKm2, 1]);
    // What is held already costs nothing, limit or not.
    assert.equal((await credits.allocateArea(user, box)).cost, 0);
    await administration.setCreditLimit(manager, { userId: "user-1", creditLimit: null });
    await credits.allocateArea(user, more);
    await administration.setCreditLimit(manager, { userId: "user-1", creditLimit: 0 });
    await administration.setCreditLimit(manager, { userId: "user-1" });
    assert.ok((await credits.remainingCredit(user)).remainingCredit > 0);
    const { results } = await audit.list({ action: "credit.set-limit" });
    assert.equal(results.length, 5);
    assert.deepEqual(
      [results[0]?.before, results[0]?.after],
      [
        { groupId: "group-1", creditLimit: 0 },
        { groupId: "group-1", creditLimit: null },
      ],
    );
  });
});

test("the limit of an administrator is for administrators, in every group", async () => {
  await administrationWorld(async ({ db, administration }) => {
    await sql`update users set extra_permissions = ${["admin"]} where id = 'user-1'`.execute(db);
    const request = { userId: "user-1", creditLimit: 0 };
    await assert.rejects(administration.setCreditLimit(manager, request), refused("NOT-AUTHORIZED"));
    const { rows } = await sql`select 1 from credit_users where user_id = 'user-1'`.execute(db);
    assert.deepEqual(rows, []);
    assert.deepEqual(await administration.setCreditLimit(admin, request), {});
  });
});

test("limits of other groups' users are for those who manage users, and nobody else learns who exists", async () => {
  await administrationWorld(async ({ db, administration }) => {
    for (const userId of ["user-2", "nobody", "loner"]) {
      await assert.rejects(
        administration.setCreditLimit(manager, { userId, creditLimit: 1 }),
        (error: unknown) => refused("NOT-AUTHORIZED")(error) && !String(error).includes(userId),
      );
    }
    await administration.setCreditLimit(admin, { userId: "user-2", creditLimit: 1 });
    // Each group that a user pays through has a limit of its own.
    await sql`update users set tasking_accounting = 'group-1' where id = 'user-2'`.execute(db);
    await administration.setCreditLimit(manager, { userId: "user-2", creditLimit: 2, groupId: "group-1" });
    await assert.rejects(
      administration.setCreditLimit(manager, { userId: "user-2", creditLimit: 2, groupId: "group-2" }),
      refused("NOT-AUTHORIZED"),
    );
    await assert.rejects(
      administration.setCreditLimit(admin, { userId: "user-2", creditLimit: 2, groupId: "group-0" }),
      refused("NON-EXISTENT-USER"),
    );
    const { rows } = await sql`
      select group_id as "groupId", limit_micro::float8 / 1e6 as "creditLimit" from credit_users
      where user_id = 'user-2' order by group_id`.execute(db);
    assert.deepEqual(rows, [
      { groupId: "group-1", creditLimit: 2 },
      { groupId: "group-2", creditLimit: 1 },
    ]);
    for (const userId of ["nobody", "loner"]) {
      await assert.rejects(
        administration.setCreditLimit(admin, { userId, creditLimit: 1 }),
        refused("NON-EXISTENT-USER"),
      );
    }
  });
});

test("every operation of administrators asks for its own permission of a user, not of a key", () => {
  const asked = Object.values(creditAdministrationContract).map(({ access, permissions }) => {
    assert.equal(access, "user");
    assert.equal(permissions.length, 1);
    return String(permissions[0]);
  });
  assert.ok(asked.every((permission) => permission.startsWith("admin.credits.")));
  assert.equal(new Set(asked).size, asked.length);
});
