import assert from "node:assert/strict";
import { test } from "node:test";
import { TEST_PASSWORD, testServer } from "./testing.ts";

const EMAIL = "user@example.org";

test("both token requests take JSON and forms and answer exactly what each is known to", async () => {
  await using here = await testServer();
  const { userId } = await here.addUser(EMAIL, []);
  const fields = {
    client_id: "c",
    username: EMAIL,
    password: TEST_PASSWORD,
    connection: "x",
    grant_type: "password",
    scope: "openid",
  };
  for (const [type, payload] of [
    ["application/json", JSON.stringify(fields)],
    ["application/x-www-form-urlencoded", new URLSearchParams(fields).toString()],
  ] as const) {
    const post = async (url: string) => {
      const answer = await here.server.app.inject({ method: "POST", url, headers: { "content-type": type }, payload });
      assert.equal(answer.statusCode, 200, answer.body);
      assert.equal(answer.headers["cache-control"], "no-store");
      return answer.json();
    };
    const ro = await post("/oauth/ro");
    assert.deepEqual(
      { ...ro, id_token: "", access_token: "" },
      { id_token: "", access_token: "", token_type: "bearer", scope: "openid" },
    );
    assert.equal((await here.identity.authenticateToken(ro.id_token)).userId, userId);
    const oauth2 = await post("/oauth2/token");
    assert.deepEqual(
      { ...oauth2, access_token: "" },
      { access_token: "", expires_in: 36_000, token_type: "bearer", userId },
    );
    assert.equal((await here.identity.authenticateToken(oauth2.access_token)).userId, userId);
  }
});

test("failures are error and error_description: 401 invalid_grant, 400 for a request that is none", async () => {
  await using here = await testServer();
  await here.addUser(EMAIL, []);
  const post = async (payload: object) => {
    const answer = await here.server.app.inject({ method: "POST", url: "/oauth2/token", payload });
    return [answer.statusCode, answer.json().error, typeof answer.json().error_description];
  };
  assert.deepEqual(await post({ username: EMAIL, password: "wrong" }), [401, "invalid_grant", "string"]);
  assert.deepEqual(await post({ username: "x@y.z", password: "wrong" }), [401, "invalid_grant", "string"]);
  assert.deepEqual(await post({ username: EMAIL }), [400, "invalid_request", "string"]);
  assert.deepEqual(await post({ username: EMAIL, password: 1 }), [400, "invalid_request", "string"]);
  assert.deepEqual(await post({ username: EMAIL, password: "x", grant_type: "client_credentials" }), [
    400,
    "invalid_request",
    "string",
  ]);
  const large = await post({ username: EMAIL, password: "x".repeat(100_000) });
  assert.deepEqual(large, [413, "invalid_request", "string"]);
  for (let i = 0; i < 9; i += 1) await post({ username: EMAIL, password: "wrong" });
  assert.deepEqual(await post({ username: EMAIL, password: TEST_PASSWORD }), [429, "too_many_attempts", "string"]);
});

test("discovery leads to the keys", async () => {
  await using here = await testServer();
  await here.addUser(EMAIL, []);
  const get = async (url: string) => (await here.server.app.inject({ method: "GET", url })).json();
  const discovery = await get("/.well-known/openid-configuration");
  assert.deepEqual(
    [discovery.issuer, discovery.jwks_uri],
    ["http://swath.test", "http://swath.test/.well-known/jwks.json"],
  );
  const keys = await get("/.well-known/jwks.json");
  assert.deepEqual(
    keys.keys.map(({ kty, d }: { kty: string; d?: string }) => [kty, d]),
    [["OKP", undefined]],
  );
});

test("other methods are 405 here too", async () => {
  await using here = await testServer();
  const answer = await here.server.app.inject({ method: "GET", url: "/oauth/ro" });
  assert.deepEqual([answer.statusCode, answer.headers["allow"]], [405, "POST"]);
});
