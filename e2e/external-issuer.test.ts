import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:https";
import { after, before, describe, test } from "node:test";
import { SELF_SIGNED, TEST_KEY } from "@swath/base/testing/certificates";
import { API_AUDIENCE, oidcServer } from "../packages/service/src/platform/identity/oidc-testing.ts";
import type { OidcServer } from "../packages/service/src/platform/identity/oidc-testing.ts";
import { RawClient } from "./raw-client.ts";
import { ADMIN, ServiceProcess } from "./service-process.ts";
import { until } from "./until.ts";

describe("the service with an external issuer", () => {
  const stack = new AsyncDisposableStack();
  let oidc: OidcServer;
  let service: ServiceProcess;
  let anonymous: RawClient;

  before(async () => {
    oidc = stack.use(await oidcServer());
    service = stack.use(
      await ServiceProcess.start({
        SWATH_OIDC_ISSUER: oidc.issuer,
        SWATH_OIDC_AUDIENCE: API_AUDIENCE,
        SWATH_OIDC_NEW_USER_GROUP: "Demo",
      }),
    );
    anonymous = new RawClient(service.baseUrl);
  });
  after(() => stack.disposeAsync());

  test("the built-in provider is off", async () => {
    for (const path of ["/oauth/ro", "/oauth2/token", "/oauth/mfa"]) {
      const answer = await anonymous.post(path, { username: ADMIN.email, password: ADMIN.password });
      assert.deepEqual([answer.status, answer.body.error], [404, "NON-EXISTENT-ENDPOINT"], path);
    }
    assert.equal((await anonymous.get("/.well-known/openid-configuration")).status, 404);
  });

  test("its users are the issuer's, by verified e-mail or made at their first request", async () => {
    await oidc.setAccount("root", { email: ADMIN.email, email_verified: true });
    await oidc.setAccount("guest", { email: "guest@example.org", email_verified: true, name: "Guest" });
    const admin = anonymous.as((await oidc.signIn("root")).accessToken);
    assert.equal((await admin.post("/user/info")).body.email, ADMIN.email);
    const guest = anonymous.as((await oidc.signIn("guest")).accessToken);
    const { body } = await guest.post("/user/info");
    assert.deepEqual([body.email, body.name, body.type], ["guest@example.org", "Guest", "user"]);
    assert.ok(body.permissions.includes("imagery.availability"));
    const log = await admin.post("/audit/list", { target: body.id });
    assert.deepEqual(
      log.body.results.map((entry: { action: string }) => entry.action),
      ["user.create"],
    );
    await admin.post("/user/manage", { userId: body.id, set: { blocked: true } });
    assert.equal((await guest.post("/user/info")).status, 401, "blocked from the next request on");
    await admin.post("/user/manage", { userId: body.id, set: { blocked: false } });

    const key = await guest.post("/user/api-key/create", { name: "k", permissions: ["imagery.availability"] });
    assert.equal((await anonymous.as(key.body.key).post("/user/info")).body.id, body.id);
    assert.equal((await guest.post("/user/mfa/enroll")).body.error, "CONFLICT", "second factors are the issuer's");
  });
});

test("the start tells that the certificate of the issuer is not trusted, and the service goes on", async () => {
  const issuer = createServer({ key: TEST_KEY, cert: SELF_SIGNED });
  issuer.listen(0, "127.0.0.1");
  await once(issuer, "listening");
  const address = issuer.address();
  assert.ok(address !== null && typeof address === "object");
  const host = `localhost:${address.port}`;
  try {
    await using service = await ServiceProcess.start({
      SWATH_OIDC_ISSUER: `https://${host}`,
      SWATH_OIDC_AUDIENCE: API_AUDIENCE,
    });
    const warning = `certificate of ${host} is not trusted`;
    await until("the certificate is refused", () => service.output.includes(warning));
    assert.equal((await fetch(`${service.baseUrl}/health/ready`)).status, 200);
  } finally {
    issuer.closeAllConnections();
    issuer.close();
  }
});
