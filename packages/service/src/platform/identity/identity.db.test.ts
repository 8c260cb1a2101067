import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { hash } from "@node-rs/argon2";
import { SignJWT, createLocalJWKSet, decodeProtectedHeader, exportJWK, generateKeyPair, jwtVerify } from "jose";
import type { Clock } from "@swath/base/clock";
import { testDatabase } from "../postgres/testing.ts";
import { hashPassword } from "./password.ts";
import type { TestDatabase } from "../postgres/testing.ts";
import { createIdentity } from "./identity.ts";
import type { Identity, IdentityConfig } from "./identity.ts";
import { isKnownNetwork, rememberNetwork } from "./known-networks.ts";
import { ACCOUNT_FAILURES, SPREAD_FAILURES } from "./login-throttle.ts";
import { TEST_IDENTITY } from "./testing.ts";

const START_MS = Date.parse("2026-05-01T00:00:00Z");

class TestClock implements Clock {
  nowMs = START_MS;
  now(): Date {
    return new Date(this.nowMs);
  }
}

interface World extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly clock: TestClock;
  readonly identity: Identity;
}

/** Two users: ada, of two groups and with a right of her own, and bob, who has none. */
async function world(config: IdentityConfig = TEST_IDENTITY): Promise<World> {
  const database = await testDatabase();
  const clock = new TestClock();
  const at = clock.now();
  const { db } = database;
  const group = (id: string, permissions: string[]) => ({
    id,
    name: id,
    permissions,
    license_expires_at: null,
    created_at: at,
    updated_at: at,
  });
  await db
    .insertInto("groups")
    .values([group("g1", ["imagery", "mapsvc.release"]), group("g2", ["imagery"])])
    .execute();
  const password = await hashPassword("secret");
  const user = (id: string) => ({
    id,
    email: `${id}@example.org`,
    name: id,
    type: "user",
    password_hash: password,
    external_subject: null,
    extra_permissions: id === "ada" ? ["own.right"] : [],
    accounting: null,
    tasking_accounting: null,
    default_application: null,
    created_at: at,
    updated_at: at,
    created_by: null,
    last_login: null,
  });
  await db
    .insertInto("users")
    .values([user("ada"), user("bob")])
    .execute();
  await db
    .insertInto("group_members")
    .values([
      { user_id: "ada", group_id: "g2", position: 1 },
      { user_id: "ada", group_id: "g1", position: 0 },
    ])
    .execute();
  return {
    database,
    clock,
    identity: createIdentity({ db, clock, config }),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

async function login(identity: Identity, username = "ada@example.org", password = "secret") {
  const outcome = await identity.builtIn?.login({ username, password, address: "192.0.2.1" });
  assert.ok(outcome !== undefined);
  return outcome;
}

async function tokenOf(identity: Identity, username?: string): Promise<string> {
  const outcome = await login(identity, username);
  assert.equal(outcome.kind, "granted");
  return outcome.kind === "granted" ? outcome.token : "";
}

test("a token carries issuer, audience, subject and e-mail for ten hours and verifies with the published keys", async () => {
  await using here = await world();
  const token = await tokenOf(here.identity, "ADA@example.org");
  const keys = await here.identity.builtIn?.keys.publicKeys();
  assert.ok(keys !== undefined);
  assert.equal(decodeProtectedHeader(token).alg, "EdDSA");
  assert.deepEqual(
    keys.keys.map(({ kty, crv, d }) => [kty, crv, d]),
    [["OKP", "Ed25519", undefined]],
  );
  const { payload } = await jwtVerify(token, createLocalJWKSet({ keys: [...keys.keys] }), {
    currentDate: here.clock.now(),
    issuer: "http://swath.test",
    audience: "swath",
  });
  assert.deepEqual(
    [payload.sub, payload["email"], (payload.exp ?? 0) - (payload.iat ?? 0)],
    ["ada", "ada@example.org", 36_000],
  );
});

/** Algorithm, version and parameters of a PHC string. */
function parametersOf(phc: string): readonly string[] {
  return phc.split("$").slice(1, 4);
}

test("the first login replaces a hash of other parameters, and tokens stay valid", async () => {
  await using here = await world();
  const { db } = here.database;
  const token = await tokenOf(here.identity);
  const stored = async () =>
    (await db.selectFrom("users").select("password_hash").where("id", "=", "ada").executeTakeFirstOrThrow())
      .password_hash ?? "";
  const current = parametersOf(await stored());
  const earlier = await hash("secret", { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  await db.updateTable("users").set({ password_hash: earlier }).where("id", "=", "ada").execute();
  assert.equal((await login(here.identity, "ada@example.org", "wrong")).kind, "refused");
  assert.equal(await stored(), earlier);
  assert.equal((await login(here.identity)).kind, "granted");
  const renewed = await stored();
  assert.deepEqual(parametersOf(renewed), current);
  assert.equal((await login(here.identity)).kind, "granted");
  assert.equal(await stored(), renewed);
  assert.notEqual(await here.identity.authenticate(`Bearer ${token}`), null);
});

test("a caller has its permissions and those its groups hold, and belongs to its first group", async () => {
  await using here = await world();
  const caller = await here.identity.authenticate(`Bearer ${await tokenOf(here.identity)}`);
  assert.ok(caller !== null);
  assert.deepEqual(
    [caller.kind, caller.userId, caller.groupId, caller.email],
    ["user", "ada", "g1", "ada@example.org"],
  );
  assert.deepEqual([...caller.permissions].toSorted(), ["imagery", "mapsvc.release", "own.right"]);
});

test("the paying group of a user is not the group that it belongs to", async () => {
  await using here = await world();
  const { db } = here.database;
  const authorization = `Bearer ${await tokenOf(here.identity)}`;
  const groups = async () => {
    const caller = await here.identity.authenticate(authorization);
    return [caller?.groupId, caller?.organizationId, caller?.accountingGroupId];
  };
  assert.deepEqual(await groups(), ["g1", null, "g1"]);
  const now = here.clock.now();
  await db.insertInto("organizations").values({ id: "acme", name: "acme", created_at: now, updated_at: now }).execute();
  await db.updateTable("groups").set({ organization_id: "acme" }).where("id", "=", "g1").execute();
  await db.updateTable("users").set({ accounting: "g2" }).where("id", "=", "ada").execute();
  assert.deepEqual(await groups(), ["g1", "acme", "g2"]);
});

test("a missing header, a forged token and an expired token get different errors", async () => {
  await using here = await world();
  const token = await tokenOf(here.identity);
  assert.equal(await here.identity.authenticate(undefined), null);
  for (const header of ["", "Bearer", "Bearer a b", "Basic abc", token]) {
    await assert.rejects(here.identity.authenticate(header), { code: "INVALID-AUTHORIZATION-HEADER" }, header);
  }
  const [head, body, signature] = token.split(".");
  const forged = Buffer.from(
    JSON.stringify({ sub: "bob", exp: 9e9, iss: TEST_IDENTITY.issuer, aud: "swath" }),
  ).toString("base64url");
  const none = Buffer.from('{"alg":"none"}').toString("base64url");
  for (const bad of [`${head}.${forged}.${signature}`, `${none}.${body}.`, `${head}.${body}`, "x".repeat(9000)]) {
    await assert.rejects(here.identity.authenticateToken(bad), { code: "INVALID-JWT" }, bad);
  }
  here.clock.nowMs += 36_000_001;
  await assert.rejects(here.identity.authenticateToken(token), {
    code: "INVALID-JWT",
    message: /Signature has expired/,
  });
  const fresh = createIdentity({ db: here.database.db, clock: here.clock, config: TEST_IDENTITY });
  await assert.rejects(fresh.authenticateToken(token), { code: "INVALID-JWT", message: /Signature has expired/ });
});

test("tokens for another audience or issuer are refused", async () => {
  await using here = await world();
  const token = await tokenOf(here.identity);
  for (const config of [
    { ...TEST_IDENTITY, audience: "other" },
    { ...TEST_IDENTITY, issuer: "http://other.test" },
  ]) {
    const other = createIdentity({ db: here.database.db, clock: here.clock, config });
    await assert.rejects(other.authenticateToken(token), { code: "INVALID-JWT" });
  }
});

test("the token of a blocked user fails at the next request, in every process", async () => {
  await using here = await world();
  const elsewhere = createIdentity({ db: here.database.db, clock: here.clock, config: TEST_IDENTITY });
  const token = await tokenOf(here.identity);
  await here.identity.authenticateToken(token);
  await elsewhere.authenticateToken(token);
  await here.database.db.updateTable("users").set({ blocked: true }).where("id", "=", "ada").execute();
  await assert.rejects(here.identity.authenticateToken(token), { code: "NOT-AUTHORIZED" });
  await assert.rejects(elsewhere.authenticateToken(token), { code: "NOT-AUTHORIZED" });
  assert.deepEqual(await login(here.identity), { kind: "refused", reason: "The user is blocked." });
});

test("two processes that start together sign with one key, and rotation keeps older tokens valid", async () => {
  await using here = await world();
  const other = createIdentity({ db: here.database.db, clock: here.clock, config: TEST_IDENTITY });
  const [mine, theirs] = await Promise.all([tokenOf(here.identity), tokenOf(other)]);
  assert.equal(decodeProtectedHeader(mine).kid, decodeProtectedHeader(theirs).kid);
  const unaware = createIdentity({ db: here.database.db, clock: here.clock, config: TEST_IDENTITY });
  await tokenOf(unaware);
  await here.identity.builtIn?.keys.rotate();
  const later = await tokenOf(here.identity);
  assert.notEqual(decodeProtectedHeader(later).kid, decodeProtectedHeader(mine).kid);
  for (const identity of [here.identity, other]) {
    assert.equal((await identity.authenticateToken(mine)).userId, "ada");
    assert.equal((await identity.authenticateToken(later)).userId, "ada");
  }
  assert.equal((await here.identity.builtIn?.keys.publicKeys())?.keys.length, 2);
  here.clock.nowMs += 59_000;
  const late = await tokenOf(unaware);
  assert.equal(
    decodeProtectedHeader(late).kid,
    decodeProtectedHeader(mine).kid,
    "a process notices a rotation within a minute",
  );
  here.clock.nowMs += 35_990_000;
  assert.equal((await here.identity.authenticateToken(late)).userId, "ada", "as long as the token lives");
  here.clock.nowMs += 30_000;
  assert.equal((await here.identity.builtIn?.keys.publicKeys())?.keys.length, 1);
});

test("wrong passwords and unknown users get the same refusal, and a login is recorded", async () => {
  await using here = await world();
  const refused = { kind: "refused", reason: "Wrong email or password." };
  assert.deepEqual(await login(here.identity, "ada@example.org", "wrong"), refused);
  assert.deepEqual(await login(here.identity, "nobody@example.org", "secret"), refused);
  assert.deepEqual(await login(here.identity, "ada@example.org", "s".repeat(5000)), refused);
  assert.deepEqual(await login(here.identity, `${"a".repeat(300)}@example.org`, "secret"), refused);
  assert.deepEqual(await login(here.identity, "ada\0@example.org", "secret"), refused);
  await tokenOf(here.identity);
  const row = await here.database.db
    .selectFrom("users")
    .select(["logins_count", "last_login"])
    .where("id", "=", "ada")
    .executeTakeFirstOrThrow();
  assert.deepEqual(row, { logins_count: 1, last_login: here.clock.now() });
});

test("failed logins lock a known or unknown account for growing times, and a success resets them", async () => {
  await using here = await world();
  for (const email of ["ada@example.org", "nobody@example.org"]) {
    const kinds: string[] = [];
    for (let i = 0; i < ACCOUNT_FAILURES; i += 1) kinds.push((await login(here.identity, email, "wrong")).kind);
    assert.deepEqual(new Set(kinds), new Set(["refused"]));
    assert.deepEqual(await login(here.identity, email), { kind: "locked", retryAfterS: 1 });
    here.clock.nowMs += 1000;
    assert.equal((await login(here.identity, email, "wrong")).kind, "refused");
    assert.deepEqual(await login(here.identity, email), { kind: "locked", retryAfterS: 2 });
    here.clock.nowMs += 2000;
  }
  assert.equal((await login(here.identity)).kind, "granted");
  for (let i = 0; i < 3; i += 1) assert.equal((await login(here.identity, "ada@example.org", "wrong")).kind, "refused");
});

const ATTACKER = "198.51.100.7";

test("wrong passwords lock the account for the network of the guesses only", async () => {
  await using here = await world();
  const guess = (password: string, address: string) =>
    here.identity.builtIn?.login({ username: "ada@example.org", password, address });
  for (let i = 0; i < ACCOUNT_FAILURES; i += 1) assert.equal((await guess("wrong", ATTACKER))?.kind, "refused");
  assert.equal((await guess("secret", ATTACKER))?.kind, "locked");
  assert.equal((await guess("secret", "192.0.2.1"))?.kind, "granted");
  assert.equal((await guess("secret", ATTACKER))?.kind, "locked", "a login elsewhere does not free the attacker");
});

test("guesses from many networks lock the account for up to a minute, but not for known networks", async () => {
  await using here = await world();
  assert.equal((await login(here.identity)).kind, "granted");
  const from = (address: string, password = "secret") =>
    here.identity.builtIn?.login({ username: "ada@example.org", password, address });
  const { db } = here.database;
  const now = here.clock.now();
  // Ninety-nine failures, as many networks have left them.
  await db
    .insertInto("login_attempts")
    .values({ subject: "logins:ada@example.org", failures: SPREAD_FAILURES - 1, locked_until: now, updated_at: now })
    .onConflict((conflict) => conflict.column("subject").doUpdateSet({ failures: SPREAD_FAILURES - 1 }))
    .execute();
  assert.equal((await from(ATTACKER, "wrong"))?.kind, "refused", "the hundredth");
  assert.deepEqual(await from("203.0.113.9"), { kind: "locked", retryAfterS: 1 });
  assert.equal((await from("192.0.2.1"))?.kind, "granted", "signed in from there before");
  await db.updateTable("login_attempts").set({ failures: 10_000 }).where("subject", "like", "logins:%").execute();
  here.clock.nowMs += 1000;
  assert.equal((await from(ATTACKER, "wrong"))?.kind, "refused");
  assert.deepEqual(await from("203.0.113.9"), { kind: "locked", retryAfterS: 60 });
  here.clock.nowMs += 60_000;
  assert.equal((await from("203.0.113.9"))?.kind, "granted");
});

test("a network is known for ninety days, and of a user the last twenty are", async () => {
  await using here = await world();
  const { db } = here.database;
  const known = (address: string) => isKnownNetwork(db, "ada@example.org", address, here.clock.now());
  await rememberNetwork(db, "ada", "192.0.2.1", here.clock.now());
  here.clock.nowMs += 89 * 86_400_000;
  assert.equal(await known("192.0.2.1"), true);
  assert.equal(await isKnownNetwork(db, "bob@example.org", "192.0.2.1", here.clock.now()), false);
  here.clock.nowMs += 2 * 86_400_000;
  assert.equal(await known("192.0.2.1"), false);
  for (let host = 1; host <= 21; host += 1) {
    here.clock.nowMs += 1000;
    await rememberNetwork(db, "ada", `198.51.100.${host}`, here.clock.now());
  }
  assert.deepEqual([await known("198.51.100.1"), await known("198.51.100.2")], [false, true]);
});

test("concurrent login attempts have no advantage over sequential ones", async () => {
  await using here = await world();
  const outcomes = await Promise.all(
    Array.from({ length: 16 }, () => login(here.identity, "ada@example.org", "wrong")),
  );
  assert.equal(outcomes.filter(({ kind }) => kind === "refused").length, ACCOUNT_FAILURES);
});

/** An OpenID Connect issuer on the loopback. */
async function issuer() {
  const { privateKey, publicKey } = await generateKeyPair("RS256");
  const jwk = { ...(await exportJWK(publicKey)), kid: "k1", alg: "RS256" };
  const server = createServer((request, response) => {
    const document =
      request.url === "/.well-known/openid-configuration" ? { issuer: url, jwks_uri: `${url}/keys` } : { keys: [jwk] };
    response.setHeader("content-type", "application/json").end(JSON.stringify(document));
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const sign = (claims: Record<string, unknown>, audience = "swath") =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: "RS256", kid: "k1" })
      .setIssuer(url)
      .setAudience(audience)
      .setExpirationTime(START_MS / 1000 + 600)
      .sign(privateKey);
  return {
    url,
    sign,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      await closed.promise;
    },
  };
}

test("users of an external issuer are found by subject, at first by e-mail", async () => {
  await using provider = await issuer();
  await using here = await world({
    ...TEST_IDENTITY,
    external: { issuer: provider.url, audience: "swath", newUserGroup: null },
  });
  const { identity } = here;
  assert.equal(identity.builtIn, null);
  const userOf = async (claims: Record<string, unknown>) =>
    (await identity.authenticateToken(await provider.sign(claims))).userId;
  assert.equal(await userOf({ sub: "ext|1", email: "Ada@Example.org", email_verified: true }), "ada");
  assert.equal(await userOf({ sub: "ext|1" }), "ada", "the subject is bound now");
  await assert.rejects(userOf({ sub: "ext|2", email: "ada@example.org", email_verified: true }), {
    code: "NOT-AUTHORIZED",
  });
  for (const claims of [
    { sub: "ext|3", email: "bob@example.org", email_verified: false },
    { sub: "ext|3", email: "bob@example.org" },
    { sub: "ext|4", email: "new@example.org", email_verified: true },
  ]) {
    await assert.rejects(userOf(claims), { code: "NOT-AUTHORIZED" });
  }
  const foreign = await provider.sign({ sub: "ext|1" }, "somebody");
  await assert.rejects(identity.authenticateToken(foreign), { code: "INVALID-JWT" });
  here.clock.nowMs += 3_600_000;
  await assert.rejects(userOf({ sub: "ext|1" }), { code: "INVALID-JWT", message: /Signature has expired/ });
});

test("an unresponsive issuer is a temporary 503", async () => {
  await using here = await world({
    ...TEST_IDENTITY,
    external: { issuer: "http://127.0.0.1:9", audience: "swath", newUserGroup: null },
  });
  await assert.rejects(here.identity.authenticateToken("a.b.c"), { code: "SERVICE-UNAVAILABLE" });
});
