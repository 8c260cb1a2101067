import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { sql } from "kysely";
import { testDatabase, type TestDatabase } from "../packages/service/src/platform/postgres/testing.ts";
import { RawClient, type Answer } from "./raw-client.ts";
import { ADMIN, ServiceProcess } from "./service-process.ts";

const SWATH = join(import.meta.dirname, "..", "packages", "cli", "src", "main.ts");
const PASSWORD = "correct horse battery";
const NEW_PASSWORD = "an even better battery";
/** A change is known everywhere after this time. */
const KNOWN_MS = 1_000;

const stack = new AsyncDisposableStack();
let database: TestDatabase;
/** Two processes on one database: changes are made in the first. */
let here: ServiceProcess;
let there: ServiceProcess;
let admin: RawClient;
let groups: readonly string[];
let users = 0;

before(async () => {
  database = stack.use(await testDatabase());
  // Processes of one service have one public address, which issues their tokens.
  const environment = { DATABASE_URL: database.url, SWATH_ROLES: "api", SWATH_PUBLIC_URL: "http://swath.example" };
  here = stack.use(await ServiceProcess.start(environment));
  there = stack.use(await ServiceProcess.start(environment));
  admin = await new RawClient(here.baseUrl).login(ADMIN);
  const { body } = await admin.post("/organization/create", { name: "acme" });
  groups = await Promise.all(
    ["one", "two"].map(async (name) => {
      const created = await admin.post("/group/create", { name, organizationId: body.id, permissions: [`of.${name}`] });
      assert.equal(created.status, 200, JSON.stringify(created.body));
      return created.body.id;
    }),
  );
});
after(() => stack.disposeAsync());

interface Person {
  readonly id: string;
  readonly email: string;
  readonly token: string;
}

async function person(): Promise<Person> {
  users += 1;
  const email = `user-${users}@example.org`;
  const made = await admin.post("/user/organization/create-user", {
    email,
    name: email,
    password: PASSWORD,
    groupId: groups[0],
    isManager: false,
  });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const { token } = await new RawClient(here.baseUrl).login({ email, password: PASSWORD });
  return { id: made.body.id, email, token: token ?? "" };
}

const whoIs = (service: ServiceProcess, token: string): Promise<Answer> =>
  new RawClient(service.baseUrl, token).post("/user/info");

/**
 * Makes a change in the first process. Its next request knows it; so does every request to the other process that
 * begins more than a second later.
 */
async function changes(
  token: string,
  change: () => Promise<unknown>,
  isKnown: (answer: Answer) => boolean,
): Promise<void> {
  for (const service of [here, there]) {
    const answer = await whoIs(service, token);
    assert.ok(!isKnown(answer), `known before the change: ${answer.status}`);
  }
  await change();
  const changedAtMs = performance.now();
  assert.ok(isKnown(await whoIs(here, token)), "the process of the change knows it at the next request");
  for (;;) {
    const beganMs = performance.now();
    const answer = await whoIs(there, token);
    if (isKnown(answer)) return;
    assert.ok(beganMs - changedAtMs <= KNOWN_MS, `unknown after ${beganMs - changedAtMs} ms: ${answer.status}`);
  }
}

async function done(path: string, body: object, client = admin): Promise<Answer> {
  const answer = await client.post(path, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer;
}

const isLetIn = ({ status }: Answer): boolean => status === 200;
const paysByTwo = ({ body }: Answer): boolean => body.accounting === groups[1];
const isRefused = ({ status }: Answer): boolean => status === 401;
const holds = (permission: string) => (answer: Answer) =>
  answer.status === 200 && answer.body.permissions.includes(permission);
const lacks = (permission: string) => (answer: Answer) => answer.status === 200 && !holds(permission)(answer);

const setOfGroup = (permissions: readonly string[]): Promise<Answer> =>
  done("/group/manage", { groupId: groups[0], set: { permissions } });

test("a block and its end", async () => {
  const { id, token } = await person();
  await changes(token, () => done("/user/manage", { userId: id, set: { blocked: true } }), isRefused);
  await changes(token, () => done("/user/manage", { userId: id, set: { blocked: false } }), isLetIn);
});

test("extra permissions given and taken", async () => {
  const { id, token } = await person();
  const set = (extraPermissions: string[]) => done("/user/manage", { userId: id, set: { extraPermissions } });
  await changes(token, () => set(["imagery"]), holds("imagery"));
  await changes(token, () => set([]), lacks("imagery"));
});

test("a move to another group", async () => {
  const { id, token } = await person();
  await changes(token, () => done("/user/manage", { userId: id, set: { groups: [groups[1]] } }), holds("of.two"));
});

test("permissions of the group given and taken", async () => {
  const { token } = await person();
  await changes(token, () => setOfGroup(["of.one", "more"]), holds("more"));
  await changes(token, () => setOfGroup(["of.one"]), lacks("more"));
});

test("another group that pays", async () => {
  const { id, token } = await person();
  await changes(token, () => done("/user/manage", { userId: id, set: { accounting: groups[1] } }), paysByTwo);
});

test("a second factor that is required", async () => {
  const { id, token } = await person();
  await changes(token, () => done("/user/manage", { userId: id, set: { requireMfa: true } }), isRefused);
});

test("the deletion of a managed user", async () => {
  const { email, token } = await person();
  await changes(token, () => done("/user/managed-user/delete", { email }), isRefused);
});

test("a new password ends earlier tokens; a token of the new password passes everywhere at once", async () => {
  const { email, token } = await person();
  const self = new RawClient(here.baseUrl, token);
  await changes(
    token,
    () => done("/user/change-password", { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }, self),
    isRefused,
  );
  const again = await new RawClient(here.baseUrl).login({ email, password: NEW_PASSWORD });
  assert.equal((await whoIs(there, again.token ?? "")).status, 200);
});

test("the revocation of an API key, and a permission that its owner loses", async () => {
  const { id, token } = await person();
  const self = new RawClient(here.baseUrl, token);
  const { body } = await done("/user/api-key/create", { name: "k", permissions: ["of.one"] }, self);
  await changes(body.key, () => done("/user/manage", { userId: id, set: { blocked: true } }), isRefused);
  await changes(body.key, () => done("/user/manage", { userId: id, set: { blocked: false } }), isLetIn);
  await changes(body.key, () => done("/user/api-key/revoke", { id: body.id }, self), isRefused);
});

test("a row deleted by an operator", async () => {
  const { id, token } = await person();
  const seen = [await whoIs(here, token), await whoIs(there, token)];
  assert.deepEqual(
    seen.map(({ status }) => status),
    [200, 200],
  );
  await sql`delete from users where id = ${id}`.execute(database.db);
  const changedAtMs = performance.now();
  for (const service of [here, there]) {
    for (;;) {
      const beganMs = performance.now();
      if (isRefused(await whoIs(service, token))) break;
      assert.ok(beganMs - changedAtMs <= KNOWN_MS, `still let in after ${beganMs - changedAtMs} ms`);
    }
  }
});

test("signing keys: tokens of a rotated key pass, those of a deleted key end", async () => {
  const { token } = await person();
  const signed = JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString());
  await promisify(execFile)(process.execPath, [SWATH, "keys", "rotate"], {
    env: { ...process.env, DATABASE_URL: database.url, SWATH_DATA: here.folder },
  });
  for (const service of [here, there]) assert.equal((await whoIs(service, token)).status, 200);
  await sql`delete from signing_keys where kid = ${signed.kid}`.execute(database.db);
  const changedAtMs = performance.now();
  for (const service of [here, there]) {
    for (;;) {
      const beganMs = performance.now();
      if (isRefused(await whoIs(service, token))) break;
      assert.ok(beganMs - changedAtMs <= KNOWN_MS, `still let in after ${beganMs - changedAtMs} ms`);
    }
  }
});
