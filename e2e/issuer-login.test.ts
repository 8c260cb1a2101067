import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { API_AUDIENCE, CLIENT_ID, type OidcServer } from "../packages/service/src/platform/identity/oidc-testing.ts";
import { visitIssuer } from "./issuer-pages.ts";
import { ISSUER_ACCOUNT, startIssuerService } from "./issuer-service.ts";
import { DEMO, ServiceProcess } from "./service-process.ts";

const ENTRY = join(import.meta.dirname, "..", "packages", "cli", "src", "main.ts");

/** A command line in a separate process with its settings in the folder. */
function swath(folder: string, baseUrl: string, ...args: readonly string[]) {
  const env = { PATH: process.env["PATH"], SWATH_URL: baseUrl, SWATH_CONFIG_HOME: folder };
  const child = spawn(process.execPath, [ENTRY, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  let notes = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (notes += chunk));
  const ended = Promise.all([once(child, "close"), text(child.stdout)]).then(([[code], stdout]) => ({
    code: code as number,
    output: stdout + notes,
  }));
  return {
    ended,
    /** The first match in the notes of the command. */
    async noted(pattern: RegExp): Promise<string> {
      for (;;) {
        const found = pattern.exec(notes)?.[1];
        if (found !== undefined) return found;
        const more = await Promise.race([once(child.stderr, "data"), ended]);
        if ("code" in more) assert.fail(`${more.code}: ${more.output}`);
      }
    },
  };
}

/** The last page of the issuer for its account. */
async function visit(address: string, refuse = false): Promise<string> {
  return (await visitIssuer(address, { account: ISSUER_ACCOUNT, refuse })).html;
}

describe("swath login at a service with an external issuer", () => {
  const stack = new AsyncDisposableStack();
  let oidc: OidcServer;
  let service: ServiceProcess;
  let folder: string;

  before(async () => {
    ({ oidc, service } = await startIssuerService(stack));
    folder = await mkdtemp(join(tmpdir(), "swath-login-"));
    stack.defer(() => rm(folder, { recursive: true, force: true }));
  });
  after(() => stack.disposeAsync());

  test("the device flow signs in with a code, and further commands are the user's", async () => {
    const login = swath(folder, service.baseUrl, "login");
    const code = await login.noted(/enter (\S+)/u);
    assert.match(code, /^\w{4}-\w{4}$/u);
    await visit(await login.noted(/or open (\S+)/u));
    const { code: exitCode, output } = await login.ended;
    assert.equal(exitCode, 0, output);
    assert.match(output, /as guest@example\.org until/u);
    const search = swath(folder, service.baseUrl, "search", "--extent", "10,10,10.1,10.1", "--json");
    const found = await search.ended;
    assert.equal(found.code, 0, found.output);
  });

  test("a browser of the machine signs in by the code flow and returns to the loopback interface", async () => {
    const login = swath(folder, service.baseUrl, "login", "--browser");
    const page = await visit(await login.noted(/open (\S+)/u));
    assert.match(page, /You may close this page/u);
    const { code, output } = await login.ended;
    assert.equal(code, 0, output);
    assert.match(output, /as guest@example\.org until/u);
  });

  test("a user who refuses the code ends the command with the reason", async () => {
    const login = swath(folder, service.baseUrl, "login", "--device");
    await visit(await login.noted(/or open (\S+)/u), true);
    const { code, output } = await login.ended;
    assert.equal(code, 3, output);
    assert.match(output, /the sign-in was refused/u);
  });

  test("a password is refused with the name of the issuer", async () => {
    const login = swath(folder, service.baseUrl, "login", "--email", DEMO.email, "--password", DEMO.password);
    const { code, output } = await login.ended;
    assert.equal(code, 2, output);
    assert.ok(output.includes(`${oidc.issuer} signs users in: swath login without --email`), output);
  });

  test("the service names its issuer as RFC 9728 has it", async () => {
    const answer = await fetch(`${service.baseUrl}/.well-known/oauth-protected-resource`);
    assert.deepEqual(await answer.json(), {
      resource: service.baseUrl,
      authorization_servers: [oidc.issuer],
      bearer_methods_supported: ["header"],
      scopes_supported: ["openid", "email", "api"],
      swath_audience: API_AUDIENCE,
      swath_client_id: CLIENT_ID,
      swath_resource: "urn:swath:api",
    });
  });
});

test("a service with the built-in provider names no issuer, and login asks for a password", async () => {
  await using service = await ServiceProcess.start();
  const folder = await mkdtemp(join(tmpdir(), "swath-login-"));
  try {
    assert.equal((await fetch(`${service.baseUrl}/.well-known/oauth-protected-resource`)).status, 404);
    const { code, output } = await swath(folder, service.baseUrl, "login").ended;
    assert.equal(code, 2, output);
    assert.match(output, /login needs --email and --password/u);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
