import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { credentialWorld, PASSWORD, type CredentialWorld } from "../features/mfa/testing.ts";

const SESSION = "/console/session";
const END = "/console/session/end";
const ECHO = "/sample/echo";
const HEADER = { "x-swath-console": "1" };
const SECOND_MS = 1_000;
const DAY_MS = 24 * 3_600_000;

type Reply = Awaited<ReturnType<CredentialWorld["post"]>>;

function setCookieOf({ headers }: Reply): string {
  const cookie = headers["set-cookie"];
  assert.equal(typeof cookie, "string");
  return String(cookie);
}

/** The cookie as the browser sends it back. */
const cookieOf = (reply: Reply): string => setCookieOf(reply).split(";")[0] ?? "";

const send = (here: CredentialWorld, cookie: string, url = SESSION): Promise<Reply> =>
  here.post(url, {}, undefined, { ...HEADER, cookie });

const signIn = (here: CredentialWorld, name = "ada", password = PASSWORD): Promise<Reply> =>
  here.post(SESSION, { username: `${name}@example.org`, password }, undefined, HEADER);

async function open(here: CredentialWorld, name = "ada"): Promise<string> {
  const reply = await signIn(here, name);
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  return cookieOf(reply);
}

async function requireOver(here: CredentialWorld, cookie: string, why: string): Promise<void> {
  const reply = await send(here, cookie);
  assert.deepEqual([reply.status, reply.body.error], [401, "login_required"], why);
  assert.match(setCookieOf(reply), /^swath=; Max-Age=0;/, why);
}

async function sessions({ database }: CredentialWorld): Promise<number> {
  return (await database.db.selectFrom("console_sessions").select("id").execute()).length;
}

test("a sign-in answers a token of 15 minutes and a cookie that scripts cannot read", async () => {
  await using here = await credentialWorld();
  const userId = await here.addUser("ada", ["sample.echo"]);
  const reply = await signIn(here);
  const { access_token: token, ...rest } = reply.body;
  assert.deepEqual(rest, { expires_in: 900, token_type: "bearer", userId });
  assert.equal(reply.headers["cache-control"], "no-store");
  assert.match(
    setCookieOf(reply),
    /^swath=[A-Za-z0-9_-]{16}\.[A-Za-z0-9_-]{43}; Max-Age=604800; HttpOnly; SameSite=Strict; Path=\/$/,
  );
  assert.equal((await here.post(ECHO, { text: "a" }, token)).status, 200);
  here.clock.nowMs += 901 * SECOND_MS;
  assert.equal((await here.post(ECHO, { text: "a" }, token)).body.errorMessage, "Signature has expired");
  assert.equal((await signIn(here, "ada", "wrong")).body.error, "invalid_grant");
  assert.equal((await here.post(SESSION, { username: "x" }, undefined, HEADER)).body.error, "invalid_request");
});

test("over HTTPS the cookie belongs to this host alone", async () => {
  await using here = await credentialWorld({ publicUrl: "https://imagery.example" });
  await here.addUser("ada", []);
  const reply = await signIn(here);
  assert.match(setCookieOf(reply), /^__Host-swath=\S+; Max-Age=604800; HttpOnly; SameSite=Strict; Path=\/; Secure$/);
  assert.equal((await send(here, cookieOf(reply))).status, 200);
  assert.equal((await send(here, cookieOf(reply).replace("__Host-", ""))).status, 401, "another name is no cookie");
});

test("the cookie is exchanged for a token and the next cookie, beside cookies of others", async () => {
  await using here = await credentialWorld();
  const userId = await here.addUser("ada", ["sample.echo"]);
  let cookie = await open(here);
  for (let i = 0; i < 3; i += 1) {
    here.clock.nowMs += 900 * SECOND_MS;
    const reply = await send(here, `other=1; ${cookie}; more=2`);
    assert.equal(reply.body.userId, userId);
    assert.notEqual(cookieOf(reply), cookie);
    cookie = cookieOf(reply);
    assert.equal((await here.post(ECHO, { text: "a" }, reply.body.access_token)).status, 200);
  }
});

test("tabs that refresh at once, and a browser that missed an answer, get the same next cookie", async () => {
  await using here = await credentialWorld();
  await here.addUser("ada", []);
  const first = await open(here);
  const replies = await Promise.all(Array.from({ length: 4 }, () => send(here, first)));
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200, 200, 200],
  );
  const next = new Set(replies.map(cookieOf));
  assert.equal(next.size, 1);
  here.clock.nowMs += 30 * SECOND_MS;
  assert.equal(cookieOf(await send(here, first)), [...next][0]);
  assert.equal((await send(here, [...next][0] ?? "")).status, 200);
});

test("a cookie that was replaced ends the session, also for the browser with the present one", async () => {
  await using here = await credentialWorld();
  await here.addUser("ada", []);
  const stolen = await open(here);
  const present = cookieOf(await send(here, stolen));
  here.clock.nowMs += 31 * SECOND_MS;
  await requireOver(here, stolen, "used before");
  await requireOver(here, present, "the session of the stolen cookie");
  const first = await open(here);
  const second = cookieOf(await send(here, first));
  await send(here, second);
  await requireOver(here, first, "two cookies ago");
});

test("a wrong secret of a session ends it, and other texts are nothing", async () => {
  await using here = await credentialWorld();
  await here.addUser("ada", []);
  const cookie = await open(here);
  const [id] = cookie.split(".");
  for (const other of ["swath=", "swath=x", `${cookie}x`, `swath=${"A".repeat(16)}.${"A".repeat(43)}`]) {
    await requireOver(here, other, other);
  }
  assert.equal(await sessions(here), 1);
  await requireOver(here, `${id}.${"A".repeat(43)}`, "wrong secret");
  assert.equal(await sessions(here), 0);
});

test("a sign-out ends the session and removes the cookie", async () => {
  await using here = await credentialWorld();
  await here.addUser("ada", []);
  const cookie = await open(here);
  const other = await open(here);
  const reply = await send(here, cookie, END);
  assert.deepEqual([reply.status, reply.body], [200, { ended: true }]);
  assert.match(setCookieOf(reply), /^swath=; Max-Age=0; HttpOnly; SameSite=Strict; Path=\/$/);
  await requireOver(here, cookie, "signed out");
  assert.deepEqual((await here.post(END, {}, undefined, HEADER)).body, { ended: false });
  assert.equal((await send(here, other)).status, 200, "another browser stays signed in");
});

test("who signs in again leaves the earlier session of the browser", async () => {
  await using here = await credentialWorld();
  await here.addUser("ada", []);
  const cookie = await open(here);
  const form = { username: "ada@example.org", password: PASSWORD };
  assert.equal((await here.post(SESSION, form, undefined, { ...HEADER, cookie })).status, 200);
  await requireOver(here, cookie, "left");
});

test("no request without the header is served, and no other origin may send it", async () => {
  for (const corsOrigins of ["*", ["https://console.example"]] as const) {
    await using here = await credentialWorld({ corsOrigins });
    await here.addUser("ada", []);
    const cookie = await open(here);
    for (const headers of [{ cookie }, { cookie, "x-swath-console": "true" }]) {
      const refused = await here.post(SESSION, {}, undefined, headers);
      assert.deepEqual(
        [refused.status, refused.body.error_description],
        [400, "Expected the header X-Swath-Console: 1"],
      );
    }
    const origin = "https://console.example";
    for (const url of [SESSION, END]) {
      const preflight = await here.server.app.inject({
        method: "OPTIONS",
        url,
        headers: {
          origin,
          "access-control-request-method": "POST",
          "access-control-request-headers": "x-swath-console",
        },
      });
      assert.equal(preflight.statusCode, 405);
      const answer = await here.post(url, {}, undefined, { ...HEADER, cookie, origin });
      assert.equal(answer.status, 200);
      for (const { headers } of [preflight, answer]) {
        assert.deepEqual(
          Object.keys(headers).filter((name) => name.startsWith("access-control")),
          [],
        );
      }
    }
  }
});

test("the cookie is accepted by no other operation", async () => {
  await using here = await credentialWorld();
  await here.addUser("ada", ["sample.echo"]);
  const cookie = await open(here);
  assert.equal((await here.post(ECHO, { text: "a" }, undefined, { ...HEADER, cookie })).status, 401);
  assert.equal((await here.post("/user/mfa/enroll", {}, undefined, { ...HEADER, cookie })).status, 401);
  const secret = cookie.slice("swath=".length);
  assert.equal((await here.post(ECHO, { text: "a" }, secret)).body.error, "INVALID-JWT");
});

test("a block, another password, a required second factor and a deletion end sessions", async () => {
  await using here = await credentialWorld();
  const { db } = here.database;
  const changes = {
    blocked: sql`update users set blocked = true where id = `,
    password: sql`update users set token_version = token_version + 1 where id = `,
    factor: sql`update users set require_mfa = true where id = `,
    deleted: sql`delete from users where id = `,
  };
  for (const [name, change] of Object.entries(changes)) {
    const userId = await here.addUser(name, []);
    const cookie = await open(here, name);
    await sql`${change}${userId}`.execute(db);
    await requireOver(here, cookie, name);
  }
  assert.equal(await sessions(here), 0);
});

test("rights that are taken are missing in the next token", async () => {
  await using here = await credentialWorld();
  await here.addUser("ada", ["sample.echo"]);
  const cookie = await open(here);
  await sql`update groups set permissions = '{}'`.execute(here.database.db);
  const { body } = await send(here, cookie);
  assert.equal((await here.post(ECHO, { text: "a" }, body.access_token)).status, 401);
});

test("a session ends after a week without a refresh, and after 30 days in any case", async () => {
  await using here = await credentialWorld();
  await here.addUser("ada", []);
  const idle = await open(here);
  here.clock.nowMs += 7 * DAY_MS;
  await requireOver(here, idle, "idle");
  let cookie = await open(here);
  for (let day = 5; day < 30; day += 5) {
    here.clock.nowMs += 5 * DAY_MS;
    cookie = cookieOf(await send(here, cookie));
  }
  here.clock.nowMs += 5 * DAY_MS;
  await requireOver(here, cookie, "30 days");
});

test("a user has 20 sessions, and a sign-in removes expired ones", async () => {
  await using here = await credentialWorld();
  await here.addUser("ada", []);
  await here.addUser("bob", []);
  const first = await open(here);
  const bob = await open(here, "bob");
  for (let i = 0; i < 20; i += 1) {
    here.clock.nowMs += SECOND_MS;
    await open(here);
  }
  assert.equal(await sessions(here), 21);
  await requireOver(here, first, "the oldest of 21");
  assert.equal((await send(here, bob)).status, 200, "sessions of others stay");
  here.clock.nowMs += 8 * DAY_MS;
  await open(here);
  assert.equal(await sessions(here), 1);
});

test("a second factor is asked for at the same address, and its token is good there only", async () => {
  await using here = await credentialWorld();
  const userId = await here.addUser("ada", ["sample.echo"]);
  const { code } = await here.enrol(await here.token("ada"));
  const second = (mfaToken: string, url = SESSION) =>
    here.post(url, { mfa_token: mfaToken, otp: code() }, undefined, HEADER);
  const first = await signIn(here);
  assert.deepEqual([first.status, first.body.error], [403, "mfa_required"]);
  assert.match(first.body.error_description, /\/console\/session/);
  assert.equal(first.headers["set-cookie"], undefined);
  const elsewhere = await here.login("ada");
  assert.equal((await second(elsewhere.body.mfa_token)).status, 401, "of a token request");
  assert.equal((await second(first.body.mfa_token, "/oauth/mfa")).status, 401, "not at the second leg of others");
  const granted = await second(first.body.mfa_token);
  assert.deepEqual([granted.status, granted.body.expires_in, granted.body.userId], [200, 900, userId]);
  await sql`update users set require_mfa = true`.execute(here.database.db);
  const refreshed = await send(here, cookieOf(granted));
  assert.equal(refreshed.status, 200, "the factor was proved");
  assert.equal((await here.identity.authenticateToken(refreshed.body.access_token)).secondFactor, true);
});

test("a user who must enrol a second factor does so in the session request", async () => {
  await using here = await credentialWorld();
  await here.addUser("ada", []);
  await sql`update users set require_mfa = true`.execute(here.database.db);
  const { body } = await signIn(here);
  const enrolment = await here.post(SESSION, { mfa_token: body.mfa_token }, undefined, HEADER);
  assert.deepEqual([enrolment.status, enrolment.body.error], [403, "mfa_enrollment_required"]);
  assert.equal(typeof enrolment.body.secret, "string");
});

test("wrong passwords lock the sign-in as they lock token requests, together", async () => {
  await using here = await credentialWorld();
  await here.addUser("ada", []);
  const form = { username: "ada@example.org", password: "wrong", grant_type: "password" };
  for (let i = 0; i < 5; i += 1) {
    await signIn(here, "ada", "wrong");
    await here.post("/oauth2/token", form);
  }
  const locked = await signIn(here);
  assert.deepEqual([locked.status, locked.body.error], [429, "too_many_attempts"]);
  assert.ok(Number(locked.retryAfter) >= 1);
});

test("the database holds no secret that opens a session", async () => {
  await using here = await credentialWorld();
  await here.addUser("ada", []);
  const first = await open(here);
  const second = cookieOf(await send(here, first));
  const { rows } = await sql<{ row: string }>`select console_sessions::text as row from console_sessions`.execute(
    here.database.db,
  );
  for (const cookie of [first, second]) {
    const secret = Buffer.from(cookie.split(".")[1] ?? "", "base64url");
    assert.equal(rows[0]?.row.includes(secret.toString("hex")), false);
  }
});
