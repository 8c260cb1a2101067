import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "kysely";
import { CLIENT_ID, type OidcServer } from "../packages/service/src/platform/identity/oidc-testing.ts";
import { testDatabase, type TestDatabase } from "../packages/service/src/platform/postgres/testing.ts";
import { visitIssuer } from "./issuer-pages.ts";
import { ISSUER_ACCOUNT, startIssuerService } from "./issuer-service.ts";
import type { ServiceProcess } from "./service-process.ts";

const HEADERS = { "content-type": "application/json", "x-swath-console": "1" };

/** The pair of a cookie as browsers send it back. */
function pairOf(cookies: ReadonlyMap<string, string>, name: string): string {
  return cookies.get(name)?.split(";")[0] ?? assert.fail(`no cookie ${name}`);
}

describe("sign-in of the console at an external issuer", () => {
  const stack = new AsyncDisposableStack();
  let oidc: OidcServer;
  let service: ServiceProcess;
  let database: TestDatabase;

  before(async () => {
    database = stack.use(await testDatabase());
    ({ oidc, service } = await startIssuerService(stack, { DATABASE_URL: database.url }));
  });
  after(() => stack.disposeAsync());

  async function post(path: string, body: object, cookie = "", headers: Readonly<Record<string, string>> = HEADERS) {
    const init = { method: "POST", headers: { ...headers, cookie }, body: JSON.stringify(body) };
    const answer = await fetch(service.baseUrl + path, init);
    const cookies = new Map(answer.headers.getSetCookie().map((one) => [one.split("=")[0] ?? "", one]));
    // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
    const json: any = await answer.json();
    return { status: answer.status, json, cookies };
  }

  async function begin() {
    const { status, json, cookies } = await post("/console/sign-in/begin", {});
    assert.equal(status, 200, JSON.stringify(json));
    return {
      address: new URL(json.address),
      cookie: pairOf(cookies, "swath-sign-in"),
      set: cookies.get("swath-sign-in"),
    };
  }

  async function signIn() {
    const { address, cookie } = await begin();
    const until = `${service.baseUrl}/console/signed-in`;
    const { url } = await visitIssuer(address.href, { account: ISSUER_ACCOUNT, until });
    return { search: url.search, cookie };
  }

  async function refused(query: string, cookie: string): Promise<string> {
    const { status, json, cookies } = await post("/console/session", { query }, cookie);
    assert.deepEqual([status, json.error, cookies.has("swath")], [401, "invalid_grant", false]);
    return json.error_description;
  }

  test("the page of the issuer is asked for a code with PKCE, state and nonce, and returns to the console alone", async () => {
    assert.deepEqual((await post("/console/sign-in", {})).json, {
      password: false,
      issuers: [new URL(oidc.issuer).host],
    });
    const { address, set } = await begin();
    assert.equal(address.origin, oidc.issuer);
    const asked = Object.fromEntries(address.searchParams);
    assert.deepEqual(
      [asked["response_type"], asked["code_challenge_method"], asked["redirect_uri"], asked["client_id"]],
      ["code", "S256", `${service.baseUrl}/console/signed-in`, CLIENT_ID],
    );
    for (const name of ["state", "nonce", "code_challenge"]) assert.match(asked[name] ?? "", /^[\w-]{43}$/u);
    assert.match(set ?? "", /; Max-Age=900; HttpOnly; SameSite=Strict; Path=\/$/u);
    const foreign = await post("/console/sign-in/begin", { redirect_uri: "https://evil.example" }, "", {
      ...HEADERS,
      "x-forwarded-host": "evil.example",
    });
    assert.doesNotMatch(foreign.json.address, /evil/u);
  });

  test("the code of this browser becomes a session, once, whose token the service takes until it signs out", async () => {
    const { search, cookie } = await signIn();
    const { status, json, cookies } = await post("/console/session", { query: search }, cookie);
    assert.equal(status, 200, JSON.stringify(json));
    assert.match(cookies.get("swath") ?? "", /; Max-Age=3\d{4}; HttpOnly; SameSite=Strict; Path=\/$/u);
    assert.match(cookies.get("swath-sign-in") ?? "", /^swath-sign-in=; Max-Age=0/u);
    const authorization = { ...HEADERS, authorization: `Bearer ${json.access_token}` };
    assert.equal((await post("/credits/get-remaining-credit", {}, "", authorization)).status, 200);
    const { json: user } = await post("/user/info", {}, "", authorization);
    assert.deepEqual([user.loginsCount, user.lastLogin !== null], [1, true]);
    const { rows } = await sql<{ actor_email: string; after: unknown }>`
      select actor_email, after from audit_log where action = 'user.sign-in'`.execute(database.db);
    assert.deepEqual(rows, [{ actor_email: "guest@example.org", after: { issuer: oidc.issuer } }]);
    const session = pairOf(cookies, "swath");
    assert.match(await refused(search, cookie), /cannot be completed/u);
    const next = await post("/console/session", {}, session);
    assert.equal(next.status, 200);
    assert.equal((await post("/console/session/end", {}, pairOf(next.cookies, "swath"))).json.ended, true);
    const over = await post("/console/session", {}, pairOf(next.cookies, "swath"));
    assert.deepEqual([over.status, over.json.error], [401, "login_required"]);
  });

  test("a code is refused with another state, another nonce, another verifier and in another browser", async () => {
    const { search, cookie } = await signIn();
    const changed = (at: number): string =>
      cookie
        .split(".")
        .map((part, index) => (index === at ? part.slice(0, -43) + "A".repeat(43) : part))
        .join(".");
    assert.match(await refused(search, ""), /this browser has begun no sign-in/u);
    assert.match(await refused(search, changed(0)), /state/u);
    assert.match(await refused(search, "swath-sign-in=x"), /this browser has begun no sign-in/u);
    await refused(search, changed(2));
    const second = await signIn();
    await refused(second.search, second.cookie.split(".").with(1, "A".repeat(43)).join("."));
    const third = await signIn();
    await refused(third.search.replace(/iss=[^&]*/u, "iss=https%3A%2F%2Fevil.example"), third.cookie);
  });

  test("a refusal of the user is named, and no other request takes its place", async () => {
    const { address, cookie } = await begin();
    const state = address.searchParams.get("state") ?? "";
    const denied = `?error=access_denied&state=${state}&iss=${encodeURIComponent(oidc.issuer)}`;
    assert.match(await refused(denied, cookie), /access_denied/u);
    const { status } = await post("/console/sign-in/begin", {}, "", { "content-type": "application/json" });
    assert.equal(status, 400);
    const password = await post("/console/session", { username: "demo@example.org", password: "x" });
    assert.deepEqual([password.status, password.json.error], [401, "login_required"]);
    assert.equal((await post("/console/session", { query: "x" }, cookie)).status, 400);
  });
});
