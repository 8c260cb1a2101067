import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import {
  API_AUDIENCE,
  CLIENT_ID,
  oidcServer,
  type OidcServer,
} from "../packages/service/src/platform/identity/oidc-testing.ts";
import { DEMO, ServiceProcess } from "./service-process.ts";

const ENTRY = join(import.meta.dirname, "..", "packages", "cli", "src", "main.ts");
const ACCOUNT = "guest";
const MOST_PAGES = 15;

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

/** Fills in the forms of the issuer as the user of the account does, and returns the last page. */
async function browse(address: string, refuse = false): Promise<string> {
  const cookies = new Map<string, string>();
  let url = address;
  let form: URLSearchParams | null = null;
  let hasRefused = false;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer: Response = await fetch(url, {
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(form === null ? {} : { method: "POST", body: form }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/u.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get("location");
    const html = await answer.text();
    form = null;
    if (location !== null) {
      url = new URL(location, url).href;
      continue;
    }
    const action = /<form[^>]* action="([^"]+)"/u.exec(html)?.[1];
    // After a refusal the issuer asks for another code.
    if (action === undefined || hasRefused) return html;
    url = new URL(action, url).href;
    form = new URLSearchParams();
    for (const [tag] of html.matchAll(/<input[^>]*>/gu)) {
      const name = /name="([^"]+)"/u.exec(tag)?.[1];
      if (name !== undefined) form.set(name, /value="([^"]*)"/u.exec(tag)?.[1] ?? "");
    }
    if (form.has("login")) form.set("login", ACCOUNT);
    if (html.includes('name="abort"')) {
      form.delete("abort");
      form.set(refuse ? "abort" : "confirm", "yes");
      hasRefused = refuse;
    }
  }
  return assert.fail(`more than ${MOST_PAGES} pages from ${address}`);
}

describe("swath login at a service with an external issuer", () => {
  const stack = new AsyncDisposableStack();
  let oidc: OidcServer;
  let service: ServiceProcess;
  let folder: string;

  before(async () => {
    oidc = stack.use(await oidcServer());
    await oidc.setAccount(ACCOUNT, { email: "guest@example.org", email_verified: true, name: "Guest" });
    service = stack.use(
      await ServiceProcess.start({
        SWATH_OIDC_ISSUER: oidc.issuer,
        SWATH_OIDC_AUDIENCE: API_AUDIENCE,
        SWATH_OIDC_NEW_USER_GROUP: "Demo",
        SWATH_OIDC_CLIENT_ID: CLIENT_ID,
        SWATH_OIDC_SCOPE: "openid email api",
        SWATH_OIDC_RESOURCE: "urn:swath:api",
      }),
    );
    folder = await mkdtemp(join(tmpdir(), "swath-login-"));
    stack.defer(() => rm(folder, { recursive: true, force: true }));
  });
  after(() => stack.disposeAsync());

  test("the device flow signs in with a code, and further commands are the user's", async () => {
    const login = swath(folder, service.baseUrl, "login");
    const code = await login.noted(/enter (\S+)/u);
    assert.match(code, /^\w{4}-\w{4}$/u);
    await browse(await login.noted(/or open (\S+)/u));
    const { code: exitCode, output } = await login.ended;
    assert.equal(exitCode, 0, output);
    assert.match(output, /as guest@example\.org until/u);
    const search = swath(folder, service.baseUrl, "search", "--extent", "10,10,10.1,10.1", "--json");
    const found = await search.ended;
    assert.equal(found.code, 0, found.output);
  });

  test("a browser of the machine signs in by the code flow and returns to the loopback interface", async () => {
    const login = swath(folder, service.baseUrl, "login", "--browser");
    const page = await browse(await login.noted(/open (\S+)/u));
    assert.match(page, /You may close this page/u);
    const { code, output } = await login.ended;
    assert.equal(code, 0, output);
    assert.match(output, /as guest@example\.org until/u);
  });

  test("a user who refuses the code ends the command with the reason", async () => {
    const login = swath(folder, service.baseUrl, "login", "--device");
    await browse(await login.noted(/or open (\S+)/u), true);
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
