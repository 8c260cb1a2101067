import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { systemClock } from "@swath/base/clock";
import { silentLog } from "@swath/base/log/log";
import { SELF_SIGNED, TEST_KEY } from "@swath/base/testing/certificates";
import { startService } from "./main.ts";
import { createExternalIssuer } from "./platform/identity/external-issuer.ts";
import { startEmbeddedPostgres } from "./platform/postgres/embedded/embedded-postgres.ts";

test("a PostgreSQL server with an untrusted certificate ends the start with its host, the fault and the cure", async () => {
  const folder = await mkdtemp(join(tmpdir(), "swath-tls-"));
  try {
    const [key, cert] = [join(folder, "server.key"), join(folder, "server.crt")];
    await writeFile(key, TEST_KEY, { mode: 0o600 });
    await writeFile(cert, SELF_SIGNED);
    await using server = await startEmbeddedPostgres({
      dataFolder: join(folder, "database"),
      log: silentLog,
      durable: false,
      settings: { ssl: "on", ssl_key_file: key, ssl_cert_file: cert },
    });
    const url = new URL(server.url);
    url.searchParams.set("sslmode", "verify-full");
    await assert.rejects(
      startService({
        settings: { DATABASE_URL: url.href, SWATH_DATA: join(folder, "data"), SWATH_LOG_LEVEL: "silent" },
      }),
      new RegExp(`certificate of ${url.host} is not trusted .*NODE_EXTRA_CA_CERTS`, "u"),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("an identity provider with an untrusted certificate is answered with 503 and the fault", async () => {
  const server = createServer({ key: TEST_KEY, cert: SELF_SIGNED });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  const host = `localhost:${address.port}`;
  try {
    const issuer = createExternalIssuer(
      { issuer: `https://${host}`, audience: "swath", newUserGroup: null },
      systemClock,
    );
    await assert.rejects(issuer.prepare?.() ?? Promise.resolve(), {
      message: new RegExp(`certificate of ${host} is not trusted`, "u"),
    });
    await assert.rejects(issuer.verify("a.b.c"), {
      code: "SERVICE-UNAVAILABLE",
      message: new RegExp(`certificate of ${host} is not trusted`, "u"),
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
