import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { test } from "node:test";
import { rawConnection } from "./traffic/raw-connection.ts";
import { discardRest } from "./unread-body.ts";

const HEAD = "POST / HTTP/1.1\r\nHost: swath.test\r\nContent-Length: 100000\r\n\r\n";
const NEXT = "GET /next HTTP/1.1\r\nHost: swath.test\r\nConnection: close\r\n\r\n";

/** A server that answers 413 before the body is there. */
async function refusingServer(discard: (request: IncomingMessage) => void) {
  const server = createServer((request, response) => {
    if (request.method === "GET") {
      response.end("served");
      return;
    }
    response.writeHead(413, { "content-length": 0 });
    response.end(() => discard(request));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The thread stands still, as under long work. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

test("a body that arrives while the thread stands still is no pause of its client, whose next request is served", async () => {
  const discarding = Promise.withResolvers<void>();
  using server = await refusingServer((request) => {
    discardRest(request, { pauseMs: 20, longestMs: 10_000 });
    discarding.resolve();
  });
  using client = await rawConnection(server.baseUrl);
  client.write(HEAD);
  await discarding.promise;
  client.write("x".repeat(100_000) + NEXT);
  block(60);
  assert.match(await client.closed(), /^HTTP\/1\.1 413 [^]*HTTP\/1\.1 200 [^]*served$/);
});

test("a client that sends nothing more of an unwanted body is cut off", async () => {
  using server = await refusingServer((request) => discardRest(request, { pauseMs: 20, longestMs: 600_000 }));
  using client = await rawConnection(server.baseUrl);
  client.write(HEAD);
  assert.match(await client.closed(), /^HTTP\/1\.1 413 /);
});

test("a client that goes on with an unwanted body is cut off in the end, and not before", async () => {
  let startedMs = 0;
  using server = await refusingServer((request) => {
    startedMs = performance.now();
    discardRest(request, { pauseMs: 50, longestMs: 200 });
  });
  using client = await rawConnection(server.baseUrl);
  client.write(HEAD);
  const sending = setInterval(() => client.write("x"), 5);
  assert.match(await client.closed(), /^HTTP\/1\.1 413 /);
  clearInterval(sending);
  const tookMs = performance.now() - startedMs;
  assert.ok(tookMs >= 195, `${tookMs} ms`);
});
