import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "@swath/base/clock";
import { createIdentity } from "../../platform/identity/identity.ts";
import type { Identity } from "../../platform/identity/identity.ts";
import { TEST_IDENTITY } from "../../platform/identity/testing.ts";
import { testDatabase } from "../../platform/postgres/testing.ts";
import type { TestDatabase } from "../../platform/postgres/testing.ts";
import { KeptJson } from "../../platform/kept-json.ts";
import { usersHandlers } from "./handlers.ts";
import { ADMINISTRATOR_PERMISSIONS, DEMO_PERMISSIONS } from "./permissions.ts";
import { createAuditService } from "../audit/service.ts";
import { createUserService } from "./service.ts";
import type { UserService } from "./service.ts";

interface World extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly identity: Identity;
  readonly users: UserService;
}

async function world(): Promise<World> {
  const database = await testDatabase();
  const { db } = database;
  const identity = createIdentity({ db, clock: systemClock, config: TEST_IDENTITY });
  const users = createUserService({
    db,
    clock: systemClock,
    identity,
    audit: createAuditService({ db, clock: systemClock }),
  });
  return { database, identity, users, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() };
}

async function tokenOf(identity: Identity, username: string, password: string): Promise<string | null> {
  const outcome = await identity.builtIn?.login({ username, password, address: "::1" });
  return outcome?.kind === "granted" ? outcome.token : null;
}

test("the first start makes an administrator with a generated password, later ones leave it", async () => {
  await using here = await world();
  const made = await here.users.ensureAdministrator({ email: "Admin@Example.org", password: null });
  assert.ok(made.created && made.generatedPassword !== null);
  assert.ok(made.generatedPassword.length >= 20);
  const again = await here.users.ensureAdministrator({ email: "admin@example.org", password: "other" });
  assert.deepEqual([again.created, again.generatedPassword, again.userId], [false, null, made.userId]);
  assert.notEqual(await tokenOf(here.identity, "admin@example.org", made.generatedPassword), null);
  assert.equal(await tokenOf(here.identity, "admin@example.org", "other"), null);
});

test("several processes starting at once make one demonstration user, whose credit is given once", async () => {
  await using here = await world();
  let credits = 0;
  const ensured = await Promise.all(
    Array.from({ length: 4 }, () =>
      here.users.ensureDemoUser({ email: "demo@example.org", password: "demo" }, async () => {
        credits += 1;
      }),
    ),
  );
  assert.equal(ensured.filter(({ created }) => created).length, 1);
  assert.equal(credits, 1);
  assert.equal(new Set(ensured.map(({ groupId }) => groupId)).size, 1);
});

test("a user that could not be given its credit is not made", async () => {
  await using here = await world();
  await assert.rejects(
    here.users.ensureDemoUser({ email: "demo@example.org", password: null }, async () => {
      throw new Error("no credit");
    }),
  );
  assert.equal((await here.users.ensureDemoUser({ email: "demo@example.org", password: null })).created, true);
});

test("user info answers the caller with all fields and explicit permissions", async () => {
  await using here = await world();
  await here.users.ensureDemoUser({ email: "demo@example.org", password: "demo" });
  const caller = await here.identity.authenticateToken(
    (await tokenOf(here.identity, "demo@example.org", "demo")) ?? "",
  );
  const { info } = usersHandlers(here.users);
  const context = { caller, signal: new AbortController().signal, beginWait: () => null, requestId: "r", baseUrl: "" };
  const answer = await info({}, context);
  assert.ok(answer instanceof KeptJson);
  const user = answer.value;
  assert.deepEqual(Object.keys(user).toSorted(), [
    "accounting",
    "applicationLanguage",
    "blocked",
    "createdAt",
    "createdBy",
    "defaultApplication",
    "email",
    "extraPermissions",
    "groups",
    "id",
    "lastLogin",
    "loginsCount",
    "name",
    "permissions",
    "requireMfa",
    "taskingAccounting",
    "type",
    "updatedAt",
  ]);
  assert.deepEqual(user.permissions, [...DEMO_PERMISSIONS].toSorted());
  assert.deepEqual([user.email, user.loginsCount, user.groups], ["demo@example.org", 1, [user.accounting]]);
  assert.ok(Date.parse(user.createdAt) > 0);
});

test("blocked users are not answered for unless asked", async () => {
  await using here = await world();
  const admin = await here.users.ensureAdministrator({ email: "admin@example.org", password: "a" });
  const demo = await here.users.ensureDemoUser({ email: "demo@example.org", password: "d" });
  const token = (await tokenOf(here.identity, "demo@example.org", "d")) ?? "";
  const adminToken = (await tokenOf(here.identity, "admin@example.org", "a")) ?? "";
  const caller = await here.identity.authenticateToken(adminToken);
  assert.equal(caller.userId, admin.userId);
  assert.deepEqual([...caller.permissions].toSorted(), [...ADMINISTRATOR_PERMISSIONS].toSorted());
  await here.users.setBlocked(demo.userId, true);
  await assert.rejects(here.users.info(caller, { userId: demo.userId }), { code: "NON-EXISTENT-USER" });
  assert.equal((await here.users.info(caller, { userId: demo.userId, allowBlocked: true })).user.blocked, true);
  assert.deepEqual(await here.users.authorize(token), { authorized: false, user: null });
  await here.users.setBlocked(demo.userId, false);
  assert.equal((await here.users.authorize(token)).user?.email, "demo@example.org");
  assert.deepEqual(await here.users.authorize("nonsense"), { authorized: false, user: null });
  await assert.rejects(here.users.setBlocked("nobody", true), { code: "NON-EXISTENT-USER" });
});

test("an e-mail is one user's, whatever its case, and must look like one", async () => {
  await using here = await world();
  const add = (email: string) =>
    here.database.db
      .transaction()
      .execute((trx) => here.users.createUser(trx, { email, name: "n", password: null, groupIds: [] }));
  await add("a@b.c");
  await assert.rejects(add("A@B.C"), { code: "CONFLICT" });
  for (const email of ["a@b", "a b@c.d", "@b.c", "a@b.c@d.e"])
    await assert.rejects(add(email), { code: "BAD-REQUEST" });
});

test("a new password replaces the former", async () => {
  await using here = await world();
  await here.users.ensureDemoUser({ email: "demo@example.org", password: "old" });
  await here.users.setPassword("Demo@example.org", "new");
  assert.equal(await tokenOf(here.identity, "demo@example.org", "old"), null);
  assert.notEqual(await tokenOf(here.identity, "demo@example.org", "new"), null);
});
