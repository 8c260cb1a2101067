import assert from "node:assert/strict";
import { createHmac, createPublicKey } from "node:crypto";
import { test } from "node:test";
import { SignJWT, decodeJwt, decodeProtectedHeader, generateKeyPair } from "jose";
import { sql } from "kysely";
import { systemClock, type Clock } from "@swath/base/clock";
import type { ClaimMapping } from "../config/issuer-variables.ts";
import type { Caller } from "../context.ts";
import { testDatabase, type TestDatabase } from "../postgres/testing.ts";
import type { ChangedMemberships, MadeUser } from "./external-users.ts";
import { createIdentity, type Identity } from "./identity.ts";
import { API_AUDIENCE, oidcServer, type OidcServer } from "./oidc-testing.ts";

/** The time of the issuer, from which this service's may differ. */
class SkewedClock implements Clock {
  skewMs = 0;
  now(): Date {
    return new Date(systemClock.now().getTime() + this.skewMs);
  }
}

interface World extends AsyncDisposable {
  readonly oidc: OidcServer;
  readonly database: TestDatabase;
  readonly clock: SkewedClock;
  readonly identity: Identity;
  readonly made: MadeUser[];
  readonly changed: ChangedMemberships[];
  callerOf(token: string): Promise<Caller>;
  codeOf(token: string): Promise<string>;
}

/** The user ada, unknown to the issuer, and the group guests, which may `imagery`. */
async function world(
  options: {
    readonly newUserGroup?: string;
    readonly slash?: boolean;
    readonly mapping?: ClaimMapping;
  } = {},
): Promise<World> {
  const oidc = await oidcServer();
  const database = await testDatabase();
  const clock = new SkewedClock();
  const made: MadeUser[] = [];
  const changed: ChangedMemberships[] = [];
  const { db } = database;
  await sql`
    insert into groups (id, name, permissions, created_at, updated_at)
    values ('guests', 'Guests', '{imagery}', now(), now())`.execute(db);
  await sql`
    insert into users (id, email, name, type, created_at, updated_at)
    values ('ada', 'ada@example.org', 'Ada', 'user', now(), now())`.execute(db);
  const identity = createIdentity({
    db,
    clock,
    config: {
      issuer: "http://swath.test",
      audience: "swath",
      tokenLifetimeS: 36_000,
      external: {
        issuer: options.slash === true ? `${oidc.issuer}/` : oidc.issuer,
        audience: API_AUDIENCE,
        newUserGroup: options.newUserGroup ?? null,
        mapping: options.mapping ?? null,
        keyCooldownMs: 0,
      },
    },
    recordExternal: {
      made: async (_trx, user) => {
        made.push(user);
      },
      memberships: async (_trx, change) => {
        changed.push(change);
      },
      signedIn: async () => {},
    },
  });
  return {
    oidc,
    database,
    clock,
    identity,
    made,
    changed,
    callerOf: (token) => identity.authenticateToken(token),
    codeOf: (token) =>
      identity.authenticateToken(token).then(
        ({ userId }) => `user ${userId}`,
        (error: { code: string }) => error.code,
      ),
    async [Symbol.asyncDispose]() {
      await oidc[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

const ADA = { email: "Ada@Example.org", email_verified: true } as const;

test("the verified e-mail of a token finds the user, whom later tokens find by subject", async () => {
  await using here = await world();
  await here.oidc.setAccount("s-1", ADA);
  const { accessToken, idToken } = await here.oidc.signIn("s-1");
  assert.equal(decodeProtectedHeader(accessToken).alg, "RS256");
  const caller = await here.callerOf(accessToken);
  assert.deepEqual([caller.kind, caller.userId, caller.email], ["user", "ada", "ada@example.org"]);
  assert.equal(await here.codeOf(idToken), "INVALID-JWT", "the ID token is for the client");
  await here.oidc.setAccount("s-1", { email: "other@example.org", email_verified: true });
  assert.equal(await here.codeOf((await here.oidc.signIn("s-1")).accessToken), "user ada");
  await here.oidc.setAccount("s-2", ADA);
  assert.equal(await here.codeOf((await here.oidc.signIn("s-2")).accessToken), "NOT-AUTHORIZED", "a later owner");
  await sql`update users set blocked = true`.execute(here.database.db);
  assert.equal(await here.codeOf(accessToken), "NOT-AUTHORIZED");
});

test("an unverified e-mail of a token finds no user", async () => {
  await using here = await world({ newUserGroup: "Guests" });
  for (const account of [{ email: ADA.email, email_verified: false }, { email: ADA.email }, {}]) {
    await here.oidc.setAccount("s-1", account);
    assert.equal(await here.codeOf((await here.oidc.signIn("s-1")).accessToken), "NOT-AUTHORIZED");
  }
  assert.deepEqual(here.made, []);
});

test("unknown users are refused, or created once in the configured group", async () => {
  await using here = await world();
  const account = { email: "New@Example.org", email_verified: true, name: "New Person" };
  await here.oidc.setAccount("s-9", account);
  const { accessToken } = await here.oidc.signIn("s-9");
  assert.equal(await here.codeOf(accessToken), "NOT-AUTHORIZED");
  const { db } = here.database;
  const external = { issuer: here.oidc.issuer, audience: API_AUDIENCE, newUserGroup: "Guests", keyCooldownMs: 0 };
  const config = { issuer: "http://swath.test", audience: "swath", tokenLifetimeS: 36_000, external };
  const made: MadeUser[] = [];
  const processes = Array.from({ length: 3 }, () =>
    createIdentity({
      db,
      clock: here.clock,
      config,
      recordExternal: {
        made: async (_trx, user) => {
          made.push(user);
        },
        memberships: async () => {},
        signedIn: async () => {},
      },
    }),
  );
  const callers = await Promise.all(
    processes.flatMap((identity) => [1, 2, 3].map(() => identity.authenticateToken(accessToken))),
  );
  assert.equal(new Set(callers.map(({ userId }) => userId)).size, 1);
  const [caller] = callers;
  assert.deepEqual([caller?.groupId, [...(caller?.permissions ?? [])]], ["guests", ["imagery"]]);
  assert.deepEqual(made, [{ userId: caller?.userId, email: "new@example.org", groupName: "Guests" }]);
  const rows = await db
    .selectFrom("users")
    .select(["name", "password_hash"])
    .where("email", "=", "new@example.org")
    .execute();
  assert.deepEqual(rows, [{ name: "New Person", password_hash: null }]);
});

test("equal subjects of two issuers are two users", async () => {
  await using here = await world();
  await here.oidc.setAccount("s-1", ADA);
  assert.equal(await here.codeOf((await here.oidc.signIn("s-1")).accessToken), "user ada");
  await using other = await oidcServer();
  await other.setAccount("s-1", { email: "mallory@example.org", email_verified: true });
  const external = { issuer: other.issuer, audience: API_AUDIENCE, newUserGroup: null, keyCooldownMs: 0 };
  const moved = createIdentity({
    db: here.database.db,
    clock: here.clock,
    config: { issuer: "http://swath.test", audience: "swath", tokenLifetimeS: 36_000, external },
  });
  const { accessToken } = await other.signIn("s-1");
  await assert.rejects(moved.authenticateToken(accessToken), { code: "NOT-AUTHORIZED" });
  assert.equal(await here.codeOf(accessToken), "INVALID-JWT", "nor is the other issuer's token taken");
});

test("new keys of the issuer are fetched, withdrawn keys invalidate their tokens", async () => {
  await using here = await world();
  await here.oidc.setAccount("s-1", ADA);
  const before = (await here.oidc.signIn("s-1")).accessToken;
  assert.equal(await here.codeOf(before), "user ada");
  await here.oidc.rotate();
  const after = (await here.oidc.signIn("s-1")).accessToken;
  assert.notEqual(decodeProtectedHeader(after).kid, decodeProtectedHeader(before).kid);
  assert.equal(await here.codeOf(after), "user ada");
  here.clock.skewMs = 61_000;
  assert.equal(await here.codeOf(before), "INVALID-JWT");
  assert.equal(await here.codeOf(after), "user ada");
});

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

test("only asymmetric signatures by a key of the issuer over its claims are accepted", async () => {
  await using here = await world();
  await here.oidc.setAccount("s-1", ADA);
  const good = (await here.oidc.signIn("s-1")).accessToken;
  const [head = "", body = "", signature = ""] = good.split(".");
  const { kid, privateKey, publicJwk } = await here.oidc.signing();
  const claims = decodeJwt(good);
  const hmac = (key: string | Buffer): string => {
    const signed = `${part({ alg: "HS256", kid, typ: "at+jwt" })}.${body}`;
    return `${signed}.${createHmac("sha256", key).update(signed).digest("base64url")}`;
  };
  const pem = createPublicKey({ key: { ...publicJwk }, format: "jwk" });
  const sign = (changes: object, key = privateKey, header: object = {}): Promise<string> =>
    new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg: "RS256", kid, ...header }).sign(key);
  const stranger = await generateKeyPair("RS256", { extractable: true });
  const nowS = Math.floor(here.clock.now().getTime() / 1000);
  assert.equal(await here.codeOf(await sign({})), "user ada", "signed as the issuer signs");

  const refused: Readonly<Record<string, string>> = {
    "no algorithm": `${part({ alg: "none" })}.${body}.`,
    "no algorithm, in capitals": `${part({ alg: "NONE", kid })}.${body}.`,
    "no algorithm with the signature": `${part({ alg: "none", kid })}.${body}.${signature}`,
    "HMAC with the public key as PEM": hmac(pem.export({ type: "spki", format: "pem" })),
    "HMAC with the public key as DER": hmac(pem.export({ type: "spki", format: "der" })),
    "HMAC with the modulus": hmac(Buffer.from(publicJwk.n ?? "", "base64url")),
    "HMAC with the key set's text": hmac(JSON.stringify(publicJwk)),
    "claims changed": `${head}.${part({ ...claims, sub: "s-2" })}.${signature}`,
    "signature cut": `${head}.${body}.${signature.slice(0, -4)}`,
    "no signature": `${head}.${body}.`,
    "a stranger's key under the issuer's id": await sign({}, stranger.privateKey),
    "a stranger's key in the header": await sign({}, stranger.privateKey, {
      jwk: { kty: "RSA", n: "AQAB", e: "AQAB" },
    }),
    "a key id nobody has": await sign({}, privateKey, { kid: "nobody" }),
    "another audience": await sign({ aud: "somebody" }),
    "no audience": await sign({ aud: undefined }),
    "another issuer": await sign({ iss: "http://issuer.example" }),
    "no issuer": await sign({ iss: undefined }),
    "no subject": await sign({ sub: undefined }),
    "no end": await sign({ exp: undefined }),
    "an end long ago": await sign({ exp: nowS - 60 }),
    "a begin to come": await sign({ nbf: nowS + 60 }),
  };
  for (const [what, token] of Object.entries(refused)) assert.equal(await here.codeOf(token), "INVALID-JWT", what);
  assert.equal(
    await here.codeOf(await sign({ aud: ["somebody", API_AUDIENCE] })),
    "user ada",
    "one audience of several",
  );
});

test("clocks may differ by five seconds", async () => {
  await using here = await world();
  await here.oidc.setAccount("s-1", ADA);
  const { accessToken } = await here.oidc.signIn("s-1");
  const { kid, privateKey } = await here.oidc.signing();
  const issuedMs = (decodeJwt(accessToken).iat ?? 0) * 1000;
  const at = async (token: string, ms: number): Promise<string> => {
    here.clock.skewMs = ms - systemClock.now().getTime();
    return here.codeOf(token);
  };
  const sign = (changes: object): Promise<string> =>
    new SignJWT({ ...decodeJwt(accessToken), ...changes }).setProtectedHeader({ alg: "RS256", kid }).sign(privateKey);
  const short = await sign({ exp: issuedMs / 1000 + 100 });
  assert.equal(await at(short, issuedMs + 103_000), "user ada");
  assert.equal(await at(short, issuedMs + 107_000), "INVALID-JWT");
  const later = await sign({ nbf: issuedMs / 1000 + 100 });
  assert.equal(await at(later, issuedMs + 97_000), "user ada");
  assert.equal(await at(later, issuedMs + 92_000), "user ada", "verified a moment ago");
  const evenLater = await sign({ nbf: issuedMs / 1000 + 200 });
  assert.equal(await at(evenLater, issuedMs + 192_000), "INVALID-JWT");
});

test("a required second factor is the issuer's, stated in amr", async () => {
  await using here = await world();
  await here.oidc.setAccount("s-1", ADA);
  const weak = (await here.oidc.signIn("s-1")).accessToken;
  assert.equal(await here.codeOf(weak), "user ada");
  await sql`update users set require_mfa = true`.execute(here.database.db);
  assert.equal(await here.codeOf(weak), "MFA-REQUIRED");
  await here.oidc.setAccount("s-1", { ...ADA, amr: ["pwd", "mfa"] });
  assert.equal(await here.codeOf((await here.oidc.signIn("s-1")).accessToken), "user ada");
});

test("a slash at the end of the configured address has no effect", async () => {
  await using here = await world({ slash: true });
  await here.oidc.setAccount("s-1", ADA);
  assert.equal(await here.codeOf((await here.oidc.signIn("s-1")).accessToken), "user ada");
});

/** Tokens of the issuer for Ada with groups, issued so many seconds after the first. */
async function tokensWithGroups(here: World) {
  await here.oidc.setAccount("s-1", ADA);
  const claims = decodeJwt((await here.oidc.signIn("s-1")).accessToken);
  const { kid, privateKey } = await here.oidc.signing();
  return (laterS: number, more: object): Promise<string> =>
    new SignJWT({ ...claims, ...more, iat: (claims.iat ?? 0) + laterS })
      .setProtectedHeader({ alg: "RS256", kid })
      .sign(privateKey);
}

async function groupsOfAda({ database }: World): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select g.name from group_members m join groups g on g.id = m.group_id where m.user_id = 'ada' order by m.position
  `.execute(database.db);
  return rows.map(({ name }) => name);
}

async function addGroups({ database: { db } }: World): Promise<void> {
  await sql`
    insert into organizations (id, name, created_at, updated_at)
    values ('acme', 'Acme', now(), now()), ('other', 'Other', now(), now())`.execute(db);
  await sql`
    insert into groups (id, name, permissions, organization_id, created_at, updated_at) values
      ('analysts', 'Analysts', '{maps}', 'acme', now(), now()),
      ('managers', 'Managers', '{credits}', 'other', now(), now())`.execute(db);
}

test("memberships of mapped groups follow the newest token, others stay, and the change is recorded", async () => {
  const groups = new Map([
    ["gis", "Analysts"],
    ["lead", "Managers"],
  ]);
  await using here = await world({ mapping: { groupsClaim: "groups", groups, organizationClaim: null } });
  await addGroups(here);
  await sql`insert into group_members (user_id, group_id, position) values ('ada', 'guests', 0)`.execute(
    here.database.db,
  );
  const token = await tokensWithGroups(here);
  const both = await token(1, { groups: ["lead", "gis", "unknown"] });
  const caller = await here.callerOf(both);
  assert.deepEqual([...caller.permissions].toSorted(), ["credits", "imagery", "maps"]);
  assert.deepEqual(await groupsOfAda(here), ["Guests", "Managers", "Analysts"]);
  assert.deepEqual(here.changed, [{ userId: "ada", before: ["Guests"], after: ["Guests", "Managers", "Analysts"] }]);
  await here.callerOf(await token(2, { groups: ["gis"] }));
  assert.deepEqual(await groupsOfAda(here), ["Guests", "Analysts"]);
  await here.callerOf(both);
  assert.deepEqual(await groupsOfAda(here), ["Guests", "Analysts"], "an older token changes nothing");
  await here.callerOf(await token(3, {}));
  assert.deepEqual(await groupsOfAda(here), ["Guests"]);
  assert.equal(here.changed.length, 3);
});

test("only groups of the organisation that the token names count, and users without one are refused", async () => {
  await using here = await world({ mapping: { groupsClaim: "groups", groups: null, organizationClaim: "org" } });
  await addGroups(here);
  const token = await tokensWithGroups(here);
  await here.callerOf(await token(1, { groups: ["Analysts", "Managers"], org: "Acme" }));
  assert.deepEqual(await groupsOfAda(here), ["Analysts"]);
  await here.oidc.setAccount("s-2", {
    email: "new@example.org",
    email_verified: true,
    groups: ["Managers"],
    org: "Acme",
  });
  assert.equal(await here.codeOf((await here.oidc.signIn("s-2")).accessToken), "NOT-AUTHORIZED");
  await here.oidc.setAccount("s-2", {
    email: "new@example.org",
    email_verified: true,
    groups: ["Managers"],
    org: "Other",
  });
  const made = await here.callerOf((await here.oidc.signIn("s-2")).accessToken);
  assert.deepEqual([made.groupId, made.organizationId], ["managers", "other"]);
  assert.deepEqual(here.made, [{ userId: made.userId, email: "new@example.org", groupName: "Managers" }]);
});
