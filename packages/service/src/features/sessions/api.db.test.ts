import assert from "node:assert/strict";
import { test } from "node:test";
import { credentialWorld, PASSWORD, type CredentialWorld } from "../mfa/testing.ts";

const HEADER = { "x-swath-console": "1" };
const MINUTE_MS = 60_000;

interface Browser {
  readonly token: string;
  readonly cookie: string;
}

/** Signs in to the console. */
async function signIn(here: CredentialWorld, name: string): Promise<Browser> {
  const login = { username: `${name}@example.org`, password: PASSWORD };
  const { body, headers } = await here.post("/console/session", login, undefined, HEADER);
  return { token: body.access_token, cookie: String(headers["set-cookie"]).split(";")[0] ?? "" };
}

/** Status of the next exchange of the cookie. */
async function refresh(here: CredentialWorld, { cookie }: Browser): Promise<number> {
  return (await here.post("/console/session", {}, undefined, { ...HEADER, cookie })).status;
}

async function status(here: CredentialWorld, { token }: Browser): Promise<number> {
  return (await here.post("/user/session/list", {}, token)).status;
}

test("a user sees the browsers that are signed in, the last used first, without a secret, and ends one", async () => {
  await using here = await credentialWorld();
  await here.addUser("ada", []);
  await here.addUser("eve", []);
  const first = await signIn(here, "ada");
  here.clock.nowMs += MINUTE_MS;
  const second = await signIn(here, "ada");
  const eve = await signIn(here, "eve");
  const { body } = await here.post("/user/session/list", {}, first.token);
  const [newest, oldest] = body.results;
  assert.equal(body.results.length, 2);
  assert.equal(Date.parse(newest.startedAt) - Date.parse(oldest.startedAt), MINUTE_MS);
  assert.deepEqual(Object.keys(newest).toSorted(), ["expiresAt", "id", "lastUsed", "secondFactor", "startedAt"]);
  assert.ok(!JSON.stringify(body).includes(second.cookie.split(".")[1] ?? "-"));

  assert.deepEqual((await here.post("/user/session/end", { id: oldest.id }, eve.token)).body, { ended: 0 });
  assert.deepEqual((await here.post("/user/session/end", { id: oldest.id }, second.token)).body, { ended: 1 });
  assert.deepEqual([await refresh(here, first), await status(here, second)], [401, 200]);
  assert.deepEqual((await here.actions()).slice(-1), ["session.end"]);
});

test("all sessions and tokens of a user end at once; those of others go on", async () => {
  await using here = await credentialWorld();
  await here.addUser("ada", []);
  await here.addUser("eve", []);
  const [one, other, eve] = [await signIn(here, "ada"), await signIn(here, "ada"), await signIn(here, "eve")];
  assert.deepEqual((await here.post("/user/session/end", {}, one.token)).body, { ended: 2 });
  assert.deepEqual([await status(here, one), await status(here, other), await status(here, eve)], [401, 401, 200]);
  assert.deepEqual([await refresh(here, one), await refresh(here, other), await refresh(here, eve)], [401, 401, 200]);
});

test("keys and sessions of others need the right to manage users, and those of administrators an administrator", async () => {
  await using here = await credentialWorld();
  const ada = await here.addUser("ada", ["sample"]);
  const admin = await here.addUser("admin", ["admin"]);
  await here.addUser("keeper", ["admin.users.manage"]);
  const adaToken = await here.token("ada");
  const { body: key } = await here.post("/user/api-key/create", { name: "k", permissions: ["sample"] }, adaToken);
  const browser = await signIn(here, "ada");
  const [keeper, chief] = [await here.token("keeper"), await here.token("admin")];
  for (const path of ["/user/api-key/list", "/user/session/list", "/user/session/end"]) {
    const refused = await here.post(path, { userId: admin }, adaToken);
    assert.deepEqual([refused.status, refused.body.error], [401, "NOT-AUTHORIZED"], path);
    assert.match(refused.body.errorMessage, /admin\.users\.manage/, path);
  }
  const listed = await here.post("/user/api-key/list", { userId: ada }, keeper);
  assert.deepEqual(
    listed.body.results.map(({ id }: { id: string }) => id),
    [key.id],
  );
  assert.equal((await here.post("/user/session/list", { userId: ada }, keeper)).body.results.length, 1);
  assert.equal((await here.post("/user/api-key/revoke", { id: key.id, userId: admin }, chief)).status, 404);
  assert.equal((await here.post("/user/api-key/revoke", { id: key.id, userId: ada }, keeper)).status, 200);
  assert.equal((await here.post("/sample/echo", {}, key.key)).status, 401);
  assert.deepEqual((await here.post("/user/session/end", { userId: ada }, keeper)).body, { ended: 1 });
  assert.deepEqual([await status(here, browser), await refresh(here, browser)], [401, 401]);

  const { body: own } = await here.post("/user/api-key/create", { name: "k", permissions: ["admin"] }, chief);
  for (const [path, request] of [
    ["/user/session/end", { userId: admin }],
    ["/user/api-key/revoke", { userId: admin, id: own.id }],
  ] as const) {
    const refused = await here.post(path, request, keeper);
    assert.deepEqual([refused.status, refused.body.error], [401, "NOT-AUTHORIZED"], path);
  }
  assert.deepEqual((await here.post("/user/session/end", { userId: "nobody" }, chief)).body, { ended: 0 });
});
