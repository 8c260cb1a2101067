import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { testServer } from "../testing.ts";
import { until } from "./until.ts";
import { postHead, rawConnection, type RawConnection } from "./raw-connection.ts";

const ECHO = '{"text": "here"}';
const KERNEL_BOUND = "/proc/sys/net/core/somaxconn";
const acceptable = existsSync(KERNEL_BOUND) ? Number(readFileSync(KERNEL_BOUND, "utf8")) : 128;

test("headers that do not arrive in time are answered 408, and the connection is closed", async () => {
  await using here = await testServer({ traffic: { headersMs: 100 } });
  const base = await here.server.listen({ host: "127.0.0.1", port: 0 });
  using partial = await rawConnection(base);
  using silent = await rawConnection(base);
  partial.write("GET /sample/greet/Ada HTTP/1.1\r\nHost: swath.test\r\n");
  assert.match(await partial.closed(), /^HTTP\/1\.1 408 Request Timeout\r\n[^]*"REQUEST-TIMEOUT"/);
  await silent.closed();
});

test("a small body has one time limit however it trickles, then 408 and the end of the connection", async () => {
  await using here = await testServer({ traffic: { bodyMs: 200, minBytesPerSecond: 1 } });
  const { token } = await here.addUser("a@example.org", ["sample"]);
  const base = await here.server.listen({ host: "127.0.0.1", port: 0 });
  using slow = await rawConnection(base);
  slow.write(postHead("/sample/echo", 1_000, token));
  const trickle = setInterval(() => slow.write(" "), 20);
  slow.socket.once("close", () => clearInterval(trickle));
  assert.match(await slow.closed(), /^HTTP\/1\.1 408 [^]*"REQUEST-TIMEOUT"/);
});

test("a missing or forged token and missing permissions are refused before the body arrives", async () => {
  await using here = await testServer();
  const { token } = await here.addUser("a@example.org", ["sample"]);
  const powerless = (await here.addUser("b@example.org", ["other"])).token;
  const [head = "", payload = "", signature = ""] = token.split(".");
  // Another first letter of the signature changes bits that count.
  const forged = [head, payload, (signature.startsWith("A") ? "B" : "A") + signature.slice(1)].join(".");
  const base = await here.server.listen({ host: "127.0.0.1", port: 0 });
  for (const [name, given, code] of [
    ["without a token", undefined, "INVALID-AUTHORIZATION-HEADER"],
    ["forged", forged, "INVALID-JWT"],
    ["without the permission", powerless, "NOT-AUTHORIZED"],
  ] as const) {
    using connection = await rawConnection(base);
    connection.write(`${postHead("/sample/echo", 1_000, given)}{`);
    assert.match(await connection.head(), new RegExp(`^HTTP/1\\.1 40[13] [^]*"${code}"`), name);
  }
});

test("a large body has the time that it takes at the least rate; one that stalls is given up", async () => {
  await using here = await testServer({ traffic: { bodyMs: 400, stallMs: 4_000, minBytesPerSecond: 5_000 } });
  const { token } = await here.addUser("a@example.org", ["sample"]);
  const base = await here.server.listen({ host: "127.0.0.1", port: 0 });
  const body = JSON.stringify({ id: "x".repeat(100_000) });
  using steady = await rawConnection(base);
  using stalled = await rawConnection(base);
  for (const { write } of [steady, stalled]) write(postHead("/sample/personal", body.length, token));
  const startedMs = performance.now();
  for (let at = 0; at < body.length; at += 20_000) {
    steady.write(body.slice(at, at + 20_000));
    await pause(150);
  }
  assert.ok(performance.now() - startedMs > 400);
  assert.match(await steady.head(), /^HTTP\/1\.1 200 /);
  assert.match(await stalled.head(), /^HTTP\/1\.1 408 /);
});

test("an upload that stalls is cut off, one that goes on is taken", async () => {
  await using here = await testServer({ traffic: { bodyMs: 400, stallMs: 400, minBytesPerSecond: 1_000 } });
  const base = await here.server.listen({ host: "127.0.0.1", port: 0 });
  using stalled = await rawConnection(base);
  stalled.write("PUT /sample/uploads/1 HTTP/1.1\r\nHost: swath.test\r\nContent-Length: 1000000\r\n\r\n");
  assert.equal(await stalled.closed(), "");
  using steady = await rawConnection(base);
  steady.write("PUT /sample/uploads/2 HTTP/1.1\r\nHost: swath.test\r\nContent-Length: 100000\r\n\r\n");
  for (let part = 0; part < 10; part += 1) {
    steady.write("x".repeat(10_000));
    await pause(80);
  }
  assert.match(await steady.head(), /^HTTP\/1\.1 200 /);
});

test("half-sent bodies of one user give way to newer ones of that user, not to those of others", async () => {
  await using here = await testServer({ traffic: { bodiesPerCaller: 2 } });
  const many = (await here.addUser("many@example.org", ["sample"])).token;
  const quiet = (await here.addUser("quiet@example.org", ["sample"])).token;
  const base = await here.server.listen({ host: "127.0.0.1", port: 0 });
  using first = await rawConnection(base);
  using other = await rawConnection(base);
  first.write(`${postHead("/sample/echo", ECHO.length, many)}{`);
  other.write(`${postHead("/sample/echo", ECHO.length, quiet)}{`);
  const { arriving } = here.server.traffic.bodies;
  await until(() => arriving.size === 2);
  using second = await rawConnection(base);
  using third = await rawConnection(base);
  for (const { write } of [second, third]) write(`${postHead("/sample/echo", ECHO.length, many)}{`);
  assert.match(await first.head(), /^HTTP\/1\.1 429 [^]*retry-after: 1/i);
  for (const { head, write } of [second, third, other]) {
    write(ECHO.slice(1));
    assert.match(await head(), /^HTTP\/1\.1 200 /);
  }
});

test("bodies of one caller hold bounded memory, whether they arrive or are worked on", async () => {
  await using here = await testServer({ traffic: { bodyBytesPerCaller: 2_000 } });
  const { token } = await here.addUser("many@example.org", ["sample"]);
  const base = await here.server.listen({ host: "127.0.0.1", port: 0 });
  using first = await rawConnection(base);
  first.write(`${postHead("/sample/echo", 1_500, token)}{`);
  await until(() => here.server.traffic.bodies.bytes.total > 0);
  using second = await rawConnection(base);
  second.write(postHead("/sample/echo", ECHO.length, token) + ECHO);
  assert.match(await second.head(), /^HTTP\/1\.1 200 /, "both fit");
  using third = await rawConnection(base);
  third.write(`${postHead("/sample/echo", 1_900, token)}{`);
  assert.match(await first.head(), /^HTTP\/1\.1 429 /);
  third.socket.destroy();
  await until(() => here.server.traffic.bodies.bytes.total === 0);
});

test("beyond the bound of connections the most numerous caller's oldest are closed, and a quiet user is served", async () => {
  await using here = await testServer({ traffic: { maxConnections: 20 } });
  const many = (await here.addUser("many@example.org", ["sample"])).token;
  const quiet = (await here.addUser("quiet@example.org", ["sample"])).token;
  const base = await here.server.listen({ host: "127.0.0.1", port: 0 });
  using kept = await rawConnection(base);
  const whole = postHead("/sample/echo", ECHO.length, quiet) + ECHO;
  kept.write(whole);
  assert.match(await kept.head(), /^HTTP\/1\.1 200 /);
  const answerBytes = kept.socket.bytesRead;
  const halfSent: RawConnection[] = [];
  for (let i = 0; i < 60; i += 1) {
    const connection = await rawConnection(base);
    // Every third has a valid token, every third none, every third not even headers.
    if (i % 3 === 0) connection.write(`${postHead("/sample/echo", 1_000, many)}{`);
    if (i % 3 === 1) connection.write(`${postHead("/oauth/ro", 1_000)}{`);
    halfSent.push(connection);
  }
  using fresh = await rawConnection(base);
  fresh.write(whole);
  assert.match(await fresh.head(), /^HTTP\/1\.1 200 /);
  kept.write(whole);
  await until(() => kept.socket.bytesRead > answerBytes || kept.socket.destroyed);
  assert.equal(kept.socket.destroyed, false, "an idle connection of a quiet user stays open");
  assert.ok(here.server.traffic.connections.open.size <= 20);
  assert.ok(halfSent.filter(({ socket }) => socket.destroyed).length >= 35);
  for (const connection of halfSent) connection[Symbol.dispose]();
});

test("a client that reads nothing of an answer is cut off, and little of the answer is made for it", async () => {
  await using here = await testServer({ traffic: { stallMs: 300 } });
  const base = await here.server.listen({ host: "127.0.0.1", port: 0 });
  using reader = await rawConnection(base);
  reader.socket.pause();
  reader.write("GET /sample/files/endless/1 HTTP/1.1\r\nHost: swath.test\r\n\r\n");
  await here.seen.endlessEnded.promise;
  // Buffers of the two kernels take up to about 10 MB on loopback.
  assert.ok(here.seen.endlessBytes < 40_000_000, `${here.seen.endlessBytes} bytes`);
});

test("a client that reads at a trickle is cut off, one above the least rate is not", async () => {
  await using here = await testServer({ traffic: { stallMs: 1_000, minBytesPerSecond: 300_000 } });
  const base = await here.server.listen({ host: "127.0.0.1", port: 0 });
  const get = "GET /sample/files/endless/1 HTTP/1.1\r\nHost: swath.test\r\n\r\n";
  using slow = await rawConnection(base);
  using fast = await rawConnection(base);
  slow.socket.removeAllListeners("data").pause();
  fast.socket.removeAllListeners("data").resume();
  for (const { write } of [fast, slow]) write(get);
  const trickle = setInterval(() => slow.socket.read(1_000), 20);
  await here.seen.endlessEnded.promise;
  clearInterval(trickle);
  assert.ok(!fast.socket.destroyed);
  const before = fast.socket.bytesRead;
  await once(fast.socket, "data");
  assert.ok(fast.socket.bytesRead > before);
});

test("a large answer comes whole in pieces, with its length", async () => {
  await using here = await testServer();
  const { token } = await here.addUser("a@example.org", ["sample"]);
  const base = await here.server.listen({ host: "127.0.0.1", port: 0 });
  const id = "ä".repeat(200_000);
  const ask = (encoding: string): Promise<Response> =>
    fetch(`${base}/sample/personal`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "accept-encoding": encoding, "content-type": "application/json" },
      body: JSON.stringify({ id }),
    });
  const plain = await ask("identity");
  assert.equal(plain.headers.get("content-length"), String(400_000 + '{"id":""}'.length));
  assert.deepEqual(await plain.json(), { id });
  const packed = await ask("br");
  assert.equal(packed.headers.get("content-encoding"), "br");
  assert.deepEqual(await packed.json(), { id });
});

test(
  "2,000 connections open at once while the server is busy with something else",
  {
    skip: acceptable < 4_000 && `the kernel lets ${acceptable} connections wait`,
  },
  async () => {
    await using here = await testServer();
    const base = await here.server.listen({ host: "127.0.0.1", port: 0 });
    const fixture = `${import.meta.dirname}/connect-many.fixture.ts`;
    // This process waits for the other one and accepts nothing meanwhile.
    const { status } = spawnSync(process.execPath, [fixture, new URL(base).port, "2000"], { timeout: 20_000 });
    assert.equal(status, 0, "a connection beyond those that may wait is tried again after a second, and opens later");
  },
);
