import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { connect, serviceUrl } from "./connection.ts";
import type { CommandContext, ConnectionOptions } from "./command-context.ts";
import { ensureDemoLogin, findDemoLogin, readDemoLogin } from "./demo-login.ts";
import { EXIT, judge, UsageError } from "./exit-code.ts";
import { createOutput } from "./output.ts";
import { readEnvironment, readSettings, writeSettings } from "./settings.ts";

async function folderOf(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "swath-settings-"));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

function contextOf(folder: string, connection: ConnectionOptions, variables: NodeJS.ProcessEnv = {}): CommandContext {
  const nowhere = { write: () => true };
  return {
    output: createOutput(true, nowhere, nowhere),
    environment: readEnvironment({ ...variables, SWATH_CONFIG_HOME: folder }),
    connection,
    signal: new AbortController().signal,
  };
}

const LOGIN = { email: "a@b.example", token: "remembered", expiresAt: "2999-01-01T00:00:00Z" };

test("the settings file is readable by its owner only and survives a damaged one", async (t) => {
  const folder = join(await folderOf(t), "nested");
  assert.deepEqual(await readSettings(folder), { url: null, logins: {} });
  const path = await writeSettings(folder, { url: "http://h:1", logins: { "http://h:1": LOGIN } });
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.deepEqual((await readSettings(folder)).logins["http://h:1"], LOGIN);
  await writeFile(path, "{broken");
  assert.deepEqual(await readSettings(folder), { url: null, logins: {} });
});

test("option goes before environment, environment before settings, settings before the default", async (t) => {
  const folder = await folderOf(t);
  assert.equal(await serviceUrl(contextOf(folder, {})), "http://127.0.0.1:8080");
  await writeSettings(folder, { url: "http://settings:1", logins: {} });
  assert.equal(await serviceUrl(contextOf(folder, {})), "http://settings:1");
  assert.equal(await serviceUrl(contextOf(folder, {}, { SWATH_URL: "http://env:1/" })), "http://env:1");
  assert.equal(
    await serviceUrl(contextOf(folder, { url: "https://opt:1/x/" }, { SWATH_URL: "http://env:1" })),
    "https://opt:1/x",
  );
  await assert.rejects(serviceUrl(contextOf(folder, { url: "nonsense" })), UsageError);
  await assert.rejects(serviceUrl(contextOf(folder, { url: "ftp://h" })), UsageError);
});

test("a token is taken from option, environment or the remembered login that has not expired", async (t) => {
  const folder = await folderOf(t);
  const url = "http://h:1";
  const tokenOf = async (connection: ConnectionOptions, variables: NodeJS.ProcessEnv = {}): Promise<string | null> =>
    (await connect(contextOf(folder, { url, ...connection }, variables))).token();
  const refusal = await tokenOf({}).then(() => null, judge);
  assert.equal(refusal?.exitCode, EXIT.auth);
  await writeSettings(folder, { url, logins: { [url]: LOGIN } });
  assert.equal(await tokenOf({}), "remembered");
  assert.equal(await tokenOf({}, { SWATH_TOKEN: "from-env" }), "from-env");
  assert.equal(await tokenOf({ token: "typed" }, { SWATH_TOKEN: "from-env" }), "typed");
  await writeSettings(folder, { url, logins: { [url]: { ...LOGIN, expiresAt: "2001-01-01T00:00:00Z" } } });
  assert.match((await tokenOf({}).then(() => null, judge))?.message ?? "", /expired/);
  await assert.rejects(tokenOf({ email: "a@b.example" }), /no password/);
});

test("the demo login is made up once, kept private, and gives way to the configuration", async (t) => {
  const folder = join(await folderOf(t), "data");
  const first = await ensureDemoLogin(folder, {});
  assert.ok(first !== null && first.password.length >= 20);
  assert.deepEqual(await ensureDemoLogin(folder, {}), first);
  assert.deepEqual(await findDemoLogin(folder, {}), first);
  const path = join(folder, "demo-login.json");
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.equal(await ensureDemoLogin(folder, { SWATH_DEMO_PASSWORD: "x" }), null);
  assert.deepEqual(await findDemoLogin(folder, { SWATH_DEMO_PASSWORD: "x", SWATH_DEMO_EMAIL: "d@e.f" }), {
    email: "d@e.f",
    password: "x",
  });
  assert.match(await readFile(path, "utf8"), /demo@swath\.local/);
  assert.equal(await readDemoLogin(join(folder, "elsewhere")), null);
});
