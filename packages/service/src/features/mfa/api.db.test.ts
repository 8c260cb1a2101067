import assert from "node:assert/strict";
import { test } from "node:test";
import { ACCOUNT_FAILURES, SPREAD_FAILURES } from "../../platform/identity/login-throttle.ts";
import { createIdentity } from "../../platform/identity/identity.ts";
import { TEST_IDENTITY } from "../../platform/identity/testing.ts";
import { PASSWORD, codesOf, credentialWorld, type CredentialWorld } from "./testing.ts";

const ECHO = "/sample/echo";

async function requireMfa({ database }: CredentialWorld, userId: string, required = true): Promise<void> {
  await database.db.updateTable("users").set({ require_mfa: required }).where("id", "=", userId).execute();
}

/** The token of a user who has a second factor, by both legs. */
async function provedToken(here: CredentialWorld, name: string, otp: string): Promise<string> {
  const { body } = await here.login(name);
  const answer = await here.post("/oauth/mfa", { mfa_token: body.mfa_token, otp });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.access_token;
}

test("once enrolled, both token requests ask for the second leg, which answers as the first one would", async () => {
  await using here = await credentialWorld();
  const userId = await here.addUser("ada", ["sample.echo"]);
  const { code } = await here.enrol(await here.token("ada"));
  const forms: readonly (readonly [leg: string, form: (token: string) => object])[] = [
    ["/oauth/ro", (token) => ({ id_token: token, access_token: token, token_type: "bearer", scope: "openid" })],
    ["/oauth2/token", (token) => ({ access_token: token, expires_in: 36_000, token_type: "bearer", userId })],
  ];
  for (const [leg, form] of forms) {
    const first = await here.login("ada", leg);
    assert.deepEqual([first.status, first.body.error], [403, "mfa_required"]);
    assert.deepEqual(Object.keys(first.body).toSorted(), ["error", "error_description", "mfa_token"]);
    const second = await here.post("/oauth/mfa", { mfa_token: first.body.mfa_token, otp: code(), client_id: "c" });
    assert.equal(second.status, 200, JSON.stringify(second.body));
    const { access_token: token } = second.body;
    assert.deepEqual(second.body, form(token));
    assert.equal((await here.post(ECHO, {}, token)).body.userId, userId);
    here.clock.nowMs += 30_000;
  }
  const rows = await here.database.db.selectFrom("users").select("logins_count").execute();
  assert.deepEqual(rows, [{ logins_count: 3 }], "a login counts when its last leg is done");
});

test("a form is taken for the second leg as for the first", async () => {
  await using here = await credentialWorld();
  await here.addUser("ada", []);
  const { code } = await here.enrol(await here.token("ada"));
  const { body } = await here.login("ada");
  const form = new URLSearchParams({ mfa_token: body.mfa_token, otp: code(), client_id: "c" });
  assert.equal((await here.post("/oauth/mfa", form)).body.token_type, "bearer");
});

test("a code is good once, in whatever order and however many ask at the same time", async () => {
  await using here = await credentialWorld();
  await here.addUser("ada", []);
  const { code } = await here.enrol(await here.token("ada"));
  const { body } = await here.login("ada");
  const exchange = (otp: string) => here.post("/oauth/mfa", { mfa_token: body.mfa_token, otp });
  const present = code();
  const answers = await Promise.all(Array.from({ length: 6 }, () => exchange(present)));
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 401, 401, 401, 401, 401],
    "one of six at once",
  );
  assert.equal((await exchange(present)).body.error, "invalid_grant");
  assert.equal((await exchange(code(1))).status, 200, "the next step is taken early");
  assert.equal((await exchange(present)).status, 401, "and an earlier one not any more");
  here.clock.nowMs += 30_000;
  assert.equal((await exchange(code())).status, 401, "used early is used");
});

test("codes of other times, other users and no codes at all are refused", async () => {
  await using here = await credentialWorld();
  await here.addUser("ada", []);
  await here.addUser("bob", []);
  const ada = await here.enrol(await here.token("ada"));
  const bob = await here.enrol(await here.token("bob"));
  const { body } = await here.login("ada");
  for (const otp of [ada.code(-2), ada.code(2), bob.code(), "000000", "", "12345", "x".repeat(15_000)]) {
    const answer = await here.post("/oauth/mfa", { mfa_token: body.mfa_token, otp });
    assert.deepEqual([answer.status, answer.body.error], [401, "invalid_grant"], otp.slice(0, 10));
  }
  for (const request of [
    { mfa_token: body.mfa_token },
    { otp: ada.code() },
    { mfa_token: body.mfa_token, otp: 123_456 },
    { mfa_token: body.mfa_token, otp: ada.code(), recovery_code: ada.recoveryCodes[0] },
  ]) {
    const answer = await here.post("/oauth/mfa", request);
    assert.deepEqual([answer.status, answer.body.error], [400, "invalid_request"], JSON.stringify(request));
  }
});

test("an mfa_token is no token, a token is no mfa_token, and it ends with time, block and password", async () => {
  await using here = await credentialWorld();
  const userId = await here.addUser("ada", ["sample.echo"]);
  const before = await here.token("ada");
  const { code } = await here.enrol(before);
  const { body } = await here.login("ada");
  assert.equal((await here.post(ECHO, {}, body.mfa_token)).body.error, "INVALID-JWT");
  assert.equal((await here.post("/user/mfa/disable", { code: code() }, body.mfa_token)).body.error, "INVALID-JWT");
  const exchange = (mfaToken: string) => here.post("/oauth/mfa", { mfa_token: mfaToken, otp: code() });
  assert.equal((await exchange(before)).status, 401);
  const [head, claims, signature] = String(body.mfa_token).split(".");
  const none = Buffer.from('{"alg":"none","typ":"mfa+jwt"}').toString("base64url");
  for (const bad of [
    "",
    "x",
    `${none}.${claims}.`,
    `${head}.${claims}.${String(signature).slice(2)}AA`,
    "x".repeat(9000),
  ]) {
    assert.ok([400, 401].includes((await exchange(bad)).status), bad.slice(0, 20));
  }
  const { db } = here.database;
  await db.updateTable("users").set({ blocked: true }).where("id", "=", userId).execute();
  assert.match((await exchange(body.mfa_token)).body.error_description, /blocked/);
  await db.updateTable("users").set({ blocked: false, token_version: 1 }).where("id", "=", userId).execute();
  assert.equal((await exchange(body.mfa_token)).status, 401, "the password was changed since");
  const { body: again } = await here.login("ada");
  here.clock.nowMs += 601_000;
  assert.equal((await exchange(again.mfa_token)).status, 401, "ten minutes are over");
});

test("who must have a second factor and has none gets an enrolment from the second leg, and nothing before", async () => {
  await using here = await credentialWorld();
  const userId = await here.addUser("ada", ["sample.echo"]);
  const before = await here.token("ada");
  assert.equal((await here.post(ECHO, {}, before)).status, 200);
  await requireMfa(here, userId);
  const refused = await here.post(ECHO, {}, before);
  assert.deepEqual([refused.status, refused.body.error], [401, "MFA-REQUIRED"], "from the next request on");
  assert.equal((await here.post("/user/mfa/enroll", {}, before)).body.error, "MFA-REQUIRED");

  const first = await here.login("ada", "/oauth/ro");
  assert.equal(first.body.error, "mfa_required");
  const { mfa_token } = first.body;
  assert.equal((await here.post("/oauth/mfa", { mfa_token, otp: "123456" })).status, 400, "nothing was begun");
  const challenge = await here.post("/oauth/mfa", { mfa_token });
  assert.deepEqual([challenge.status, challenge.body.error], [403, "mfa_enrollment_required"]);
  assert.equal(challenge.body.recovery_codes.length, 10);
  const recovery = await here.post("/oauth/mfa", { mfa_token, recovery_code: challenge.body.recovery_codes[0] });
  assert.equal(recovery.status, 400, "a recovery code confirms nothing");
  assert.equal((await here.login("ada")).body.error, "mfa_required", "the enrolment is not confirmed");
  const code = codesOf(challenge.body.secret, here.clock);
  const granted = await here.post("/oauth/mfa", { mfa_token: challenge.body.mfa_token, otp: code() });
  assert.equal(granted.status, 200, JSON.stringify(granted.body));
  assert.equal(granted.body.token_type, "bearer");
  assert.equal((await here.post(ECHO, {}, granted.body.id_token)).status, 200);

  const stillNeeded = await here.post("/user/mfa/disable", { code: code(1) }, granted.body.id_token);
  assert.deepEqual([stillNeeded.status, stillNeeded.body.error], [409, "CONFLICT"]);
  assert.equal(
    (await here.post("/oauth/mfa", { mfa_token })).status,
    400,
    "an enrolled user is not enrolled by password",
  );
  assert.ok((await here.actions()).includes("mfa.enrol"));
});

test("a recovery code is good once, in any writing, and leaves the others", async () => {
  await using here = await credentialWorld();
  await here.addUser("ada", []);
  const { recoveryCodes } = await here.enrol(await here.token("ada"));
  const [one = "", two = ""] = recoveryCodes;
  const { body } = await here.login("ada");
  const exchange = (code: string) => here.post("/oauth/mfa", { mfa_token: body.mfa_token, recovery_code: code });
  const answers = await Promise.all([exchange(one), exchange(one), exchange(one)]);
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 401, 401],
  );
  assert.equal((await exchange(one)).status, 401);
  assert.equal((await exchange(two.toUpperCase().replaceAll("-", " "))).status, 200);
  assert.deepEqual((await here.actions()).filter((action) => action === "mfa.use-recovery-code").length, 2);
});

test("guessing codes locks the second leg for longer each time, whoever holds the password", async () => {
  await using here = await credentialWorld();
  await here.addUser("ada", []);
  const { code } = await here.enrol(await here.token("ada"));
  const { body } = await here.login("ada");
  const guess = (otp: string) => here.post("/oauth/mfa", { mfa_token: body.mfa_token, otp });
  const kinds = await Promise.all(Array.from({ length: ACCOUNT_FAILURES + 6 }, () => guess("000000")));
  assert.equal(kinds.filter(({ status }) => status === 401).length, ACCOUNT_FAILURES);
  const locked = await guess(code());
  assert.deepEqual([locked.status, locked.body.error, locked.retryAfter], [429, "too_many_attempts", "1"]);
  // Another login does not start the count again.
  const { body: again } = await here.login("ada");
  assert.equal((await here.post("/oauth/mfa", { mfa_token: again.mfa_token, otp: code() })).status, 429);
  here.clock.nowMs += 1000;
  assert.equal((await guess("000000")).status, 401);
  here.clock.nowMs += 1000;
  assert.equal((await guess(code())).retryAfter, "1", "two seconds this time");
  here.clock.nowMs += 1000;
  assert.equal((await guess(code())).status, 200);
});

test("the operations lock guessing too, with Retry-After", async () => {
  await using here = await credentialWorld();
  await here.addUser("ada", []);
  const token = await here.token("ada");
  await here.post("/user/mfa/enroll", {}, token);
  for (let i = 0; i < ACCOUNT_FAILURES; i += 1) {
    assert.equal((await here.post("/user/mfa/confirm", { code: "000000" }, token)).body.error, "MFA-REQUIRED");
  }
  const locked = await here.post("/user/mfa/confirm", { code: "000000" }, token);
  assert.deepEqual([locked.status, locked.body.error, locked.retryAfter], [429, "TOO-MANY-REQUESTS", "1"]);
});

test("a second factor is replaced and removed only with a code of it", async () => {
  await using here = await credentialWorld();
  const userId = await here.addUser("ada", ["sample.echo"]);
  const token = await here.token("ada");
  const { code, recoveryCodes } = await here.enrol(token);
  assert.equal((await here.post("/user/mfa/enroll", {}, token)).body.error, "MFA-REQUIRED");
  assert.equal((await here.post("/user/mfa/enroll", { code: "000000" }, token)).body.error, "MFA-REQUIRED");
  const second = await here.post("/user/mfa/enroll", { code: code() }, token);
  assert.equal(second.status, 200);
  here.clock.nowMs += 30_000;
  await provedToken(here, "ada", code());
  const newCode = codesOf(second.body.secret, here.clock);
  assert.equal((await here.post("/user/mfa/confirm", { code: newCode() }, token)).status, 200);
  here.clock.nowMs += 30_000;
  const { body } = await here.login("ada");
  assert.equal(
    (await here.post("/oauth/mfa", { mfa_token: body.mfa_token, otp: code() })).status,
    401,
    "the former one",
  );
  const former = { mfa_token: body.mfa_token, recovery_code: recoveryCodes[0] };
  assert.equal((await here.post("/oauth/mfa", former)).status, 401, "its recovery codes went with it");
  assert.equal((await here.post("/user/mfa/disable", { code: "000000" }, token)).body.error, "MFA-REQUIRED");
  assert.deepEqual((await here.post("/user/mfa/disable", { code: newCode() }, token)).body, { enabled: false });
  assert.equal((await here.login("ada")).status, 200);
  assert.equal((await here.post("/user/mfa/disable", { code: newCode() }, token)).body.error, "CONFLICT");
  assert.equal((await here.post("/user/mfa/confirm", { code: newCode() }, token)).body.error, "CONFLICT");
  assert.equal(await here.secondFactor.isEnrolled(userId), false);
});

test("an enrolment that was not confirmed changes nothing and ends after a quarter of an hour", async () => {
  await using here = await credentialWorld();
  await here.addUser("ada", []);
  const token = await here.token("ada");
  const { body: first } = await here.post("/user/mfa/enroll", {}, token);
  const { body: second } = await here.post("/user/mfa/enroll", {}, token);
  assert.notEqual(first.secret, second.secret);
  assert.equal((await here.login("ada")).status, 200);
  const confirm = (secret: string) => here.post("/user/mfa/confirm", { code: codesOf(secret, here.clock)() }, token);
  assert.equal((await confirm(first.secret)).body.error, "MFA-REQUIRED", "the later one replaced it");
  here.clock.nowMs += 900_001;
  assert.equal((await confirm(second.secret)).body.error, "CONFLICT");
});

test("guesses from many networks do not keep out who has a second factor", async () => {
  await using here = await credentialWorld();
  await here.addUser("ada", []);
  await here.addUser("bob", []);
  const { code } = await here.enrol(await here.token("ada"));
  const { db } = here.database;
  await db.deleteFrom("login_networks").execute();
  const later = new Date(here.clock.nowMs + 60_000);
  for (const name of ["ada", "bob"]) {
    const lock = { failures: SPREAD_FAILURES, locked_until: later, updated_at: here.clock.now() };
    await db
      .insertInto("login_attempts")
      .values({ subject: `logins:${name}@example.org`, ...lock })
      .onConflict((conflict) => conflict.column("subject").doUpdateSet(lock))
      .execute();
  }
  assert.equal((await here.login("bob")).status, 429);
  const { body } = await here.login("ada");
  assert.equal(body.error, "mfa_required");
  assert.equal((await here.post("/oauth/mfa", { mfa_token: body.mfa_token, otp: code() })).status, 200);
});

test("only an administrator removes the second factor of an administrator", async () => {
  await using here = await credentialWorld();
  const userId = await here.addUser("chief", ["admin"]);
  await here.addUser("operator", ["admin.users"]);
  await here.addUser("second", ["admin"]);
  await here.enrol(await here.token("chief"));
  const refused = await here.post("/user/mfa/reset", { userId }, await here.token("operator"));
  assert.deepEqual([refused.status, refused.body.error], [401, "NOT-AUTHORIZED"]);
  assert.equal(await here.secondFactor.isEnrolled(userId), true);
  const removed = await here.post("/user/mfa/reset", { userId }, await here.token("second"));
  assert.deepEqual(removed.body, { removed: true });
});

test("an administrator removes the second factor of who has lost it, and the record tells", async () => {
  await using here = await credentialWorld();
  const userId = await here.addUser("ada", []);
  await here.addUser("root", ["admin.users.manage"]);
  const token = await here.token("ada");
  await here.enrol(token);
  assert.equal((await here.post("/user/mfa/reset", { userId }, token)).body.error, "NOT-AUTHORIZED");
  const root = await here.token("root");
  assert.deepEqual((await here.post("/user/mfa/reset", { userId }, root)).body, { removed: true });
  assert.deepEqual((await here.post("/user/mfa/reset", { userId }, root)).body, { removed: false });
  assert.equal((await here.login("ada")).status, 200);
  const removal = await here.database.db
    .selectFrom("audit_log")
    .select(["actor_email", "target_id"])
    .where("action", "=", "mfa.remove")
    .execute();
  assert.deepEqual(removal, [{ actor_email: "root@example.org", target_id: userId }]);
});

test("neither secrets nor recovery codes are in the database as they are", async () => {
  await using here = await credentialWorld();
  await here.addUser("ada", []);
  const token = await here.token("ada");
  const { body } = await here.post("/user/mfa/enroll", {}, token);
  await here.post("/user/mfa/confirm", { code: codesOf(body.secret, here.clock)() }, token);
  const rows = await here.database.db.selectFrom("second_factors").selectAll().execute();
  const log = await here.database.db.selectFrom("audit_log").selectAll().execute();
  const stored = rows.flatMap(({ secret, recovery_hashes }) => [secret, ...recovery_hashes]);
  const texts = [...stored.map((bytes) => bytes.toString("latin1")), JSON.stringify(log)].join("\n");
  for (const secret of [body.secret, ...body.recoveryCodes]) {
    assert.ok(!texts.includes(secret));
    assert.ok(!texts.includes(String(secret).replaceAll("-", "")));
  }
});

test("a service without second factors lets in nobody who needs one", async () => {
  await using here = await credentialWorld();
  const userId = await here.addUser("ada", []);
  await requireMfa(here, userId);
  const bare = createIdentity({ db: here.database.db, clock: here.clock, config: TEST_IDENTITY });
  const outcome = await bare.builtIn?.login({ username: "ada@example.org", password: PASSWORD, address: "::1" });
  assert.equal(outcome?.kind, "refused");
});
