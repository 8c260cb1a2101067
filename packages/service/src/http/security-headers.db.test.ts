import assert from "node:assert/strict";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { consoleFileNames } from "./console/console-files.ts";
import { EXPECTED_HEADERS as EXPECTED, testServer } from "./testing.ts";
import { rawConnection } from "./traffic/raw-connection.ts";

const BUNDLE = consoleFileNames().filter((name) => !name.endsWith(".html"));

/** One request for every kind of answer, and its status. */
const ANSWERS = [
  ["GET", "/health", 200],
  ["GET", "/health/live", 200],
  ["GET", "/health/ready", 200],
  ["GET", "/docs", 200],
  ["GET", "/openapi.json", 200],
  ["GET", "/.well-known/jwks.json", 200],
  ["GET", "/nothing", 404],
  ["GET", "/sample/files/%", 400],
  ["GET", "/sample/files/a/5", 200],
  ["HEAD", "/sample/files/a/5", 200],
  ["GET", "/sample/files/stream/5", 200],
  ["PUT", "/sample/uploads/a", 200],
  ["PUT", "/sample/uploads", 404],
  ["POST", "/sample/echo", 401],
  ["POST", "/oauth2/token", 400],
  ["OPTIONS", "/sample/echo", 204],
  ["GET", "/console", 200],
  ["GET", "/console/basemap/land-110m.json", 200],
  ...BUNDLE.map((name) => ["GET", `/console/${name}`, 200] as const),
] as const;

for (const [publicUrl, hsts] of [
  ["https://imagery.example", "max-age=31536000"],
  ["http://imagery.example", undefined],
  [null, undefined],
] as const) {
  test(`every answer has the headers for browsers; HSTS with the public URL ${publicUrl}: ${hsts}`, async () => {
    await using here = await testServer({ config: { publicUrl } });
    for (const [method, url, status] of ANSWERS) {
      const answer = await here.server.app.inject({
        method,
        url,
        headers: { origin: "https://console.example", "access-control-request-method": "POST" },
      });
      const where = `${method} ${url}`;
      assert.equal(answer.statusCode, status, where);
      for (const [name, value] of Object.entries(EXPECTED)) assert.equal(answer.headers[name], value, where);
      assert.equal(answer.headers["strict-transport-security"], hsts, where);
    }
  });
}

test("an answer to a request that is not HTTP has the headers too", async () => {
  await using here = await testServer({ config: { publicUrl: "https://imagery.example" } });
  const { port } = new URL(await here.server.listen({ host: "127.0.0.1", port: 0 }));
  const socket = connect(Number(port), "127.0.0.1");
  socket.write("NOT HTTP\r\n\r\n");
  const answer = await text(socket);
  assert.match(answer, /^HTTP\/1\.1 400 /);
  for (const [name, value] of Object.entries(EXPECTED)) assert.match(answer, new RegExp(`^${name}: ${value}\r$`, "m"));
  assert.match(answer, /^strict-transport-security: max-age=31536000\r$/m);
});

test("a refusal beyond the rate limit has the headers too", async () => {
  const one = { perSecond: 0.01, burst: 1 };
  await using here = await testServer({ config: { rateLimits: { read: one, initiate: one, grid: one } } });
  const ask = () => here.server.app.inject({ method: "GET", url: "/sample/greet/kim" });
  assert.equal((await ask()).statusCode, 200);
  const answer = await ask();
  assert.equal(answer.statusCode, 429);
  for (const [name, value] of Object.entries(EXPECTED)) assert.equal(answer.headers[name], value);
});

test("an answer to headers that do not end has the headers too", async () => {
  await using here = await testServer({ traffic: { headersMs: 200 } });
  using connection = await rawConnection(await here.server.listen({ host: "127.0.0.1", port: 0 }));
  connection.write("GET /health HTTP/1.1\r\nHost: swath");
  const answer = await connection.closed();
  assert.match(answer, /^HTTP\/1\.1 408 /);
  for (const [name, value] of Object.entries(EXPECTED)) assert.match(answer, new RegExp(`^${name}: ${value}\r$`, "m"));
});
