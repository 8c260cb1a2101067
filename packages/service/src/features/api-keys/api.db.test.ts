import assert from "node:assert/strict";
import { test } from "node:test";
import { createIdentity } from "../../platform/identity/identity.ts";
import { TEST_IDENTITY } from "../../platform/identity/testing.ts";
import { credentialWorld, type CredentialWorld } from "../mfa/testing.ts";
import { MAX_KEYS_PER_USER } from "@swath/contract/features/api-keys/contract";

const ECHO = "/sample/echo";
const DAY_MS = 86_400_000;

interface MadeKey {
  readonly id: string;
  readonly key: string;
}

async function makeKey(
  here: CredentialWorld,
  token: string,
  permissions: readonly string[],
  more: object = {},
): Promise<MadeKey> {
  const { status, body } = await here.post("/user/api-key/create", { name: "k", permissions, ...more }, token);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

test("a key is shown once, is sent as a token, and is its owner with the permissions of the key", async () => {
  await using here = await credentialWorld();
  const userId = await here.addUser("ada", ["sample"]);
  const token = await here.token("ada");
  const made = await here.post(
    "/user/api-key/create",
    { name: "notebook", permissions: ["sample.items.a", "sample.echo", "sample.echo"], expiresInDays: 30 },
    token,
  );
  const { key, ...shown } = made.body;
  assert.match(key, /^key_[0-9A-Za-z]{12}_[\w-]{43}$/);
  assert.deepEqual(shown, {
    id: shown.id,
    name: "notebook",
    prefix: `key_${shown.id}`,
    permissions: ["sample.echo", "sample.items.a"],
    createdAt: here.clock.now().toISOString(),
    expiresAt: new Date(here.clock.nowMs + 30 * DAY_MS).toISOString(),
    lastUsed: null,
  });
  assert.deepEqual((await here.post("/user/api-key/list", {}, token)).body, { results: [shown] });
  assert.equal((await here.post(ECHO, { items: [{ kind: "a" }] }, key)).body.userId, userId);
  const wider = await here.post(ECHO, { items: [{ kind: "b" }] }, key);
  assert.deepEqual([wider.status, wider.body.error], [401, "NOT-AUTHORIZED"]);
  assert.match(wider.body.errorMessage, /sample\.items\.b/);
  const stored = JSON.stringify(await here.database.db.selectFrom("api_keys").selectAll().execute());
  const log = JSON.stringify(await here.database.db.selectFrom("audit_log").selectAll().execute());
  for (const text of [stored, log]) assert.ok(!text.includes(key.slice(17)));
});

test("what needs a user is 403, and so is everything about keys", async () => {
  await using here = await credentialWorld();
  await here.addUser("ada", ["sample", "admin"]);
  const { id, key } = await makeKey(here, await here.token("ada"), ["sample", "admin"]);
  for (const [path, body] of [
    ["/sample/personal", { id: "x" }],
    ["/user/api-key/create", { name: "n", permissions: ["sample"] }],
    ["/user/api-key/list", {}],
    ["/user/api-key/revoke", { id }],
    ["/user/mfa/enroll", {}],
    ["/user/mfa/reset", { userId: "x" }],
  ] as const) {
    const answer = await here.post(path, body, key);
    assert.deepEqual([answer.status, answer.body.error], [403, "API-KEY-AUTHORIZATION-NOT-PERMITTED"], path);
  }
});

test("a key cannot be given what its owner has not", async () => {
  await using here = await credentialWorld();
  await here.addUser("ada", ["sample.echo"]);
  const token = await here.token("ada");
  for (const permissions of [["sample"], ["sample.ech"], ["admin"], ["sample.echo", "sample.work"]]) {
    const answer = await here.post("/user/api-key/create", { name: "n", permissions }, token);
    assert.deepEqual([answer.status, answer.body.error], [401, "NOT-AUTHORIZED"], permissions.join());
  }
  await makeKey(here, token, ["sample.echo.something"]);
  for (const body of [
    { name: "", permissions: ["sample.echo"] },
    { name: " ", permissions: ["sample.echo"] },
    { name: "n", permissions: [] },
    { name: "n", permissions: [".sample"] },
    { name: "n", permissions: ["sample.echo"], expiresInDays: 367 },
    { name: "n", permissions: ["sample.echo"], expiresInDays: 0 },
    { name: "n" },
  ]) {
    assert.equal((await here.post("/user/api-key/create", body, token)).status, 422, JSON.stringify(body));
  }
});

test("a key loses what its owner loses, and is narrowed where the owner is, from the next request on", async () => {
  await using here = await credentialWorld();
  const userId = await here.addUser("ada", []);
  const { db } = here.database;
  const hold = (permissions: string[]) =>
    db.updateTable("users").set({ extra_permissions: permissions }).where("id", "=", userId).execute();
  await hold(["sample"]);
  const { key } = await makeKey(here, await here.token("ada"), ["sample"]);
  const ask = async (kind: string) => (await here.post(ECHO, { items: [{ kind }] }, key)).status;
  assert.deepEqual([await ask("a"), await ask("b")], [200, 200]);
  await hold(["sample.echo", "sample.items.a"]);
  assert.deepEqual([await ask("a"), await ask("b")], [200, 401]);
  await hold([]);
  assert.deepEqual([await ask("a"), await ask("b")], [401, 401]);
  await hold(["sample.echo", "sample.items"]);
  assert.deepEqual([await ask("a"), await ask("b")], [200, 200], "what comes back is the key's again");
});

test("a revoked key, one of a blocked owner and an expired one stop at the next request, in every process", async () => {
  await using here = await credentialWorld();
  const userId = await here.addUser("ada", ["sample"]);
  const token = await here.token("ada");
  const elsewhere = createIdentity({ db: here.database.db, clock: here.clock, config: TEST_IDENTITY });
  const { id, key } = await makeKey(here, token, ["sample"]);
  const short = await makeKey(here, token, ["sample"], { expiresInDays: 1 });
  const statuses = async (one: string): Promise<unknown[]> => [
    (await here.post(ECHO, {}, one)).body.error ?? "granted",
    await elsewhere.authenticate(`Bearer ${one}`).then(
      () => "granted",
      (error: { code: string }) => error.code,
    ),
  ];
  assert.deepEqual(await statuses(key), ["granted", "granted"]);
  const block = (blocked: boolean) =>
    here.database.db.updateTable("users").set({ blocked }).where("id", "=", userId).execute();
  await block(true);
  assert.deepEqual(await statuses(key), ["NOT-AUTHORIZED", "NOT-AUTHORIZED"]);
  await block(false);
  assert.deepEqual(await statuses(key), ["granted", "granted"]);
  assert.equal((await here.post("/user/api-key/revoke", { id }, token)).status, 200);
  assert.deepEqual(await statuses(key), ["NOT-AUTHORIZED", "NOT-AUTHORIZED"]);
  here.clock.nowMs += DAY_MS - 1;
  assert.deepEqual(await statuses(short.key), ["granted", "granted"]);
  here.clock.nowMs += 1;
  assert.deepEqual(await statuses(short.key), ["NOT-AUTHORIZED", "NOT-AUTHORIZED"]);
});

test("keys that are nearly right are refused alike, and are no user's token", async () => {
  await using here = await credentialWorld();
  await here.addUser("ada", ["sample"]);
  const token = await here.token("ada");
  const one = await makeKey(here, token, ["sample"]);
  const other = await makeKey(here, token, ["sample"]);
  const mixed = `${one.key.slice(0, 17)}${other.key.slice(17)}`;
  const answers = await Promise.all(
    ["key_abc", "key_", mixed, one.key.slice(0, -1), `${one.key}A`, one.key.replace("key_", "KEY_")].map(
      async (bad) => {
        const { status, body } = await here.post(ECHO, {}, bad);
        assert.equal(status, 401, bad);
        return body.errorMessage;
      },
    ),
  );
  assert.equal(new Set(answers.slice(0, 5)).size, 1, answers.join());
  await assert.rejects(here.identity.authenticateToken(one.key), { code: "NOT-AUTHORIZED" });
});

test("another user's key is not there to be revoked or listed", async () => {
  await using here = await credentialWorld();
  await here.addUser("ada", ["sample"]);
  await here.addUser("bob", ["sample", "admin"]);
  const { id, key } = await makeKey(here, await here.token("ada"), ["sample"]);
  const bob = await here.token("bob");
  const refused = await here.post("/user/api-key/revoke", { id }, bob);
  assert.deepEqual([refused.status, refused.body.error], [404, "NON-EXISTENT-API-KEY"]);
  assert.deepEqual((await here.post("/user/api-key/list", {}, bob)).body, { results: [] });
  assert.equal((await here.post(ECHO, {}, key)).status, 200);
});

test("the number of keys has a limit, also for those who ask at the same time", async () => {
  await using here = await credentialWorld();
  await here.addUser("ada", ["sample"]);
  const token = await here.token("ada");
  const make = () => here.post("/user/api-key/create", { name: "k", permissions: ["sample"] }, token);
  const answers = await Promise.all(Array.from({ length: MAX_KEYS_PER_USER + 8 }, make));
  assert.equal(answers.filter(({ status }) => status === 200).length, MAX_KEYS_PER_USER);
  assert.equal(answers.filter(({ body }) => body.error === "CONFLICT").length, 8);
  const { body } = await here.post("/user/api-key/list", {}, token);
  assert.equal(body.results.length, MAX_KEYS_PER_USER);
  await here.post("/user/api-key/revoke", { id: body.results[0].id }, token);
  assert.equal((await make()).status, 200);
});

test("the last use is written, at most once a minute", async () => {
  await using here = await credentialWorld();
  await here.addUser("ada", ["sample"]);
  const token = await here.token("ada");
  const { key } = await makeKey(here, token, ["sample"]);
  const use = async (afterMs: number): Promise<string> => {
    here.clock.nowMs += afterMs;
    assert.equal((await here.post(ECHO, {}, key)).status, 200);
    return (await here.post("/user/api-key/list", {}, token)).body.results[0].lastUsed;
  };
  const first = await use(1000);
  assert.equal(first, here.clock.now().toISOString());
  assert.equal(await use(59_999), first);
  assert.equal(await use(1), here.clock.now().toISOString());
});

test("a key made without a second factor is worth nothing to who must have one", async () => {
  await using here = await credentialWorld();
  const userId = await here.addUser("ada", ["sample"]);
  const token = await here.token("ada");
  const weak = await makeKey(here, token, ["sample"]);
  const { code } = await here.enrol(token);
  const { body } = await here.login("ada");
  const proved = (await here.post("/oauth/mfa", { mfa_token: body.mfa_token, otp: code() })).body.access_token;
  const strong = await makeKey(here, proved, ["sample"]);
  await here.database.db.updateTable("users").set({ require_mfa: true }).where("id", "=", userId).execute();
  assert.equal((await here.post(ECHO, {}, weak.key)).body.error, "MFA-REQUIRED");
  assert.equal((await here.post(ECHO, {}, strong.key)).status, 200);
});

test("making and revoking keys is in the record of changes, with who, what and not the secret", async () => {
  await using here = await credentialWorld();
  await here.addUser("ada", ["sample"]);
  const token = await here.token("ada");
  const { id } = await makeKey(here, token, ["sample.echo"]);
  await here.post("/user/api-key/revoke", { id }, token);
  const rows = await here.database.db
    .selectFrom("audit_log")
    .select(["action", "actor_email", "target_id", "before", "after"])
    .where("target_kind", "=", "api-key")
    .orderBy("id")
    .execute();
  assert.deepEqual(
    rows.map(({ action, actor_email, target_id }) => [action, actor_email, target_id]),
    [
      ["api-key.create", "ada@example.org", id],
      ["api-key.revoke", "ada@example.org", id],
    ],
  );
  assert.deepEqual(rows[0]?.after, rows[1]?.before);
});
