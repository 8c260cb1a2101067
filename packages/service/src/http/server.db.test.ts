import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, request, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { within } from "@swath/base/concurrency/within";
import type { PipelineGate } from "./pipeline-gate.ts";
import { testServer } from "./testing.ts";

const JSON_BODY = { "content-type": "application/json" };

test("null for an optional field is absent, unknown fields are ignored, foreign nulls stay", async () => {
  await using here = await testServer();
  const { token } = await here.addUser("a@example.org", ["sample"]);
  const answer = await here.server.app.inject({
    method: "POST",
    url: "/sample/echo",
    headers: { authorization: `Bearer ${token}` },
    payload: { text: null, limit: null, other: null, items: [{ kind: "k", note: null }] },
  });
  assert.equal(answer.statusCode, 200, answer.body);
  assert.deepEqual(answer.json().received, { limit: null, other: null, items: [{ kind: "k" }] });
});

test("permissions come before the schema, static and dynamic, and tolerate any body", async () => {
  await using here = await testServer();
  const narrow = await here.addUser("narrow@example.org", ["sample.echo", "sample.items.a"]);
  const post = (payload: object): Promise<{ statusCode: number; body: string }> =>
    here.server.app.inject({
      method: "POST",
      url: "/sample/echo",
      headers: { authorization: `Bearer ${narrow.token}` },
      payload,
    });
  assert.equal((await post({ items: [{ kind: "a" }] })).statusCode, 200);
  const refused = await post({ items: [{ kind: "b" }], text: 7 });
  assert.equal(refused.statusCode, 401);
  assert.match(refused.body, /sample\.items\.b/);
  assert.equal((await post({ items: [{ kind: "a" }], text: 7 })).statusCode, 422);
  assert.equal((await post({ items: [{}, 5, null] })).statusCode, 422);
  assert.equal((await post({ items: "many" })).statusCode, 422);
});

test("5xx tells nothing of the inside, and an expected error tells what it says", async () => {
  await using here = await testServer();
  const fail = (how: string) => here.server.app.inject({ method: "POST", url: "/sample/fail", payload: { how } });
  const crash = await fail("crash");
  assert.equal(crash.statusCode, 500);
  assert.equal(crash.json().error, "ERROR");
  assert.doesNotMatch(crash.body, /secret/);
  assert.match(crash.body, new RegExp(String(crash.headers["request-id"])));
  const conflict = await fail("conflict");
  assert.deepEqual(
    [conflict.statusCode, conflict.json()],
    [409, { error: "CONFLICT", errorMessage: "got one, expected none" }],
  );
  assert.equal((await fail("schema")).statusCode, 500, "an answer that breaks its schema is not sent");
});

test("an unknown address is 404 before its body is looked at", async () => {
  await using here = await testServer();
  const answer = await here.server.app.inject({
    method: "POST",
    url: "/nothing/here",
    headers: { "content-type": "text/plain" },
    payload: "x",
  });
  assert.deepEqual([answer.statusCode, answer.json().error], [404, "NON-EXISTENT-ENDPOINT"]);
  for (const url of ["/%zz", "/sample/greet/%E0%A4%A"]) {
    const bad = await here.server.app.inject({ method: "GET", url });
    assert.deepEqual([bad.statusCode, bad.json().error], [400, "BAD-REQUEST"]);
    assert.equal(bad.headers["api-version"], "1");
  }
});

test("a GET operation reads its parameters from path and query", async () => {
  await using here = await testServer();
  const get = (url: string) => here.server.app.inject({ method: "GET", url });
  assert.deepEqual((await get("/sample/greet/Ada?times=2")).json(), { greeting: "Hello Hello Ada" });
  assert.equal((await get("/sample/greet/Ada?times=9")).statusCode, 422);
});

test("a file route answers bytes, 304, 404 for what is not there and 400 for a bad query", async () => {
  await using here = await testServer();
  const get = (url: string, headers = {}) =>
    here.server.app.inject({ method: "GET", url: `/sample/files/${url}`, headers });
  const file = await get("a/5");
  assert.deepEqual([file.statusCode, file.body, file.headers["content-length"]], [200, "01234", "5"]);
  assert.equal(file.headers["etag"], '"tag"');
  const unchanged = await get("a/5", { "if-none-match": '"tag"' });
  assert.deepEqual([unchanged.statusCode, unchanged.body], [304, ""]);
  assert.deepEqual(
    [(await get("A/5")).statusCode, (await get("a/x")).statusCode, (await get("a/31")).statusCode],
    [404, 404, 404],
  );
  assert.equal((await get("missing/1")).json().error, "TILE-NOT-FOUND");
  const bad = await get("a/5?threshold=2");
  assert.deepEqual([bad.statusCode, bad.json().error], [400, "BAD-REQUEST"]);
  assert.equal((await get("a/5?threshold=.5")).body, "0");
  assert.equal((await get("a/5?whole=1")).statusCode, 401, "anonymous callers lack the right the query asks for");
  assert.equal((await get("a/5?whole=0")).statusCode, 200);
});

test("HEAD of a file has the headers of GET and no body, also where GET streams", async () => {
  await using here = await testServer();
  for (const [url, length] of [
    ["/sample/files/a/7", "7"],
    ["/sample/files/stream/1", "3000"],
  ] as const) {
    const head = await here.server.app.inject({ method: "HEAD", url });
    assert.deepEqual([head.statusCode, head.body, head.headers["content-length"]], [200, "", length]);
  }
  const streamed = await here.server.app.inject({ method: "GET", url: "/sample/files/stream/1" });
  assert.equal(streamed.rawPayload.length, 3000);
});

test("a PUT streams any size past the limit of JSON bodies", async () => {
  await using here = await testServer();
  const base = await here.server.listen({ host: "127.0.0.1", port: 0 });
  const body = new Blob([new Uint8Array(20_000_000)]);
  const answer = await fetch(`${base}/sample/uploads/1`, { method: "PUT", body });
  assert.equal(answer.status, 200);
  assert.equal(here.seen.uploadedBytes, 20_000_000);
  assert.equal((await fetch(`${base}/sample/uploads/1`, { method: "PUT" })).status, 200);
  assert.equal(here.seen.uploadedBytes, 0);
});

test("JSON is compressed on request, files are not", async () => {
  await using here = await testServer();
  const get = (url: string, encoding: string) =>
    here.server.app.inject({ method: "GET", url, headers: { "accept-encoding": encoding } });
  const plain = await get("/openapi.json", "identity");
  const br = await get("/openapi.json", "gzip, br");
  const gzip = await get("/openapi.json", "gzip");
  assert.deepEqual([br.headers["content-encoding"], gzip.headers["content-encoding"]], ["br", "gzip"]);
  assert.equal(brotliDecompressSync(br.rawPayload).toString(), plain.body);
  assert.equal(gunzipSync(gzip.rawPayload).toString(), plain.body);
  assert.equal((await get("/sample/files/stream/1", "gzip, br")).headers["content-encoding"], undefined);
});

test("browsers of any origin may call, and see the headers they need", async () => {
  await using here = await testServer();
  const preflight = await here.server.app.inject({
    method: "OPTIONS",
    url: "/sample/echo",
    headers: {
      origin: "https://a.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization",
    },
  });
  assert.equal(preflight.statusCode, 204);
  assert.equal(preflight.headers["access-control-allow-origin"], "*");
  assert.equal(preflight.headers["access-control-allow-headers"], "authorization");
  const answer = await here.server.app.inject({
    method: "POST",
    url: "/sample/echo",
    headers: { origin: "https://a.example" },
  });
  assert.match(String(answer.headers["access-control-expose-headers"]), /Request-Id/);
});

test("the signal aborts when the client goes away", async () => {
  await using here = await testServer();
  const base = await here.server.listen({ host: "127.0.0.1", port: 0 });
  const outgoing = request(`${base}/sample/files/slow/1`, { agent: false });
  outgoing.on("error", () => {});
  outgoing.end();
  outgoing.once("finish", () => setTimeout(() => outgoing.destroy(), 30));
  await here.seen.aborted.promise;
});

test("members that a request does not have are answered as warnings, or refused where the operation says so", async () => {
  await using here = await testServer();
  const { token } = await here.addUser("a@example.org", ["sample"]);
  const headers = { authorization: `Bearer ${token}` };
  const echo = (payload: object) => here.server.app.inject({ method: "POST", url: "/sample/echo", headers, payload });
  const warning = { path: "/txet", message: 'is no member of the request; did you mean "text"?', didYouMean: "text" };
  const warned = await echo({ txet: "a", text: "b" });
  assert.equal(warned.statusCode, 200);
  assert.deepEqual(warned.json().warnings, [warning]);
  assert.equal("warnings" in (await echo({ text: "b" })).json(), false);
  const refused = await echo({ txet: "a", limit: 1 });
  assert.deepEqual([refused.statusCode, refused.json().error], [422, "VALIDATION-ERROR"]);
  assert.deepEqual(refused.json().details, [warning]);
  const greeted = await here.server.app.inject({ method: "GET", url: "/sample/greet/Ada?tmies=2" });
  assert.deepEqual(greeted.json().warnings[0].path, "/tmies");
});

test("initiate answers NEW with what admission adds, and enqueues in the same transaction", async () => {
  const jobs: unknown[] = [];
  const pipelines: PipelineGate = {
    accept: ({ kind, lane, request: body, caller }, admit) =>
      here.database.db.transaction().execute(async (trx) => {
        const pipelineId = "x".repeat(20);
        const added = await admit?.(trx, pipelineId);
        jobs.push([kind, lane, body, caller.email]);
        return { pipelineId, nextTry: 3, added };
      }),
    retrieve: async ({ kind, partial }) =>
      partial === undefined ? { sum: 2 } : kind === "/sample/whole" ? partial.empty : { sum: 1 },
  };
  await using here = await testServer({ pipelines });
  const { token } = await here.addUser("a@example.org", ["sample"]);
  const post = async (url: string, payload: object) =>
    (
      await here.server.app.inject({ method: "POST", url, headers: { authorization: `Bearer ${token}` }, payload })
    ).json();
  assert.deepEqual(await post("/sample/work/initiate", { numbers: [1] }), {
    subGeometryId: "sub",
    pipelineId: "x".repeat(20),
    status: "NEW",
    nextTry: 3,
  });
  assert.deepEqual(jobs, [["/sample/work", "heavy", { numbers: [1] }, "a@example.org"]]);
  const refused = await post("/sample/work/initiate", { numbers: Array.from({ length: 11 }, () => 0) });
  assert.equal(refused.error, "EXTENT-TOO-LARGE");
  assert.equal(jobs.length, 1);
  assert.deepEqual(await post("/sample/work/retrieve", { pipelineId: "x".repeat(20) }), { sum: 2 });
  assert.deepEqual(await post("/sample/whole/retrieve", { pipelineId: "x".repeat(20), allowPartial: true }), {
    sum: null,
  });
  assert.equal((await post("/sample/work/retrieve", { pipelineId: "x" })).error, "VALIDATION-ERROR");
});

test("a stopping service answers 503 with Retry-After and is not ready", async () => {
  await using here = await testServer();
  const get = (url: string) => here.server.app.inject({ method: "GET", url });
  assert.deepEqual((await get("/health")).json(), { status: "ok", live: true, ready: true });
  here.server.drain();
  assert.equal((await get("/health/live")).statusCode, 200);
  assert.equal((await get("/health/ready")).statusCode, 503);
  const refused = await get("/sample/greet/Ada");
  assert.deepEqual([refused.statusCode, refused.json().error], [503, "SERVICE-UNAVAILABLE"]);
  assert.notEqual(refused.headers["retry-after"], undefined);
});

test("closing waits for requests under way, and not for the connections that they leave open", async () => {
  const started = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const retrieve = async (): Promise<object> => {
    started.resolve();
    await finish.promise;
    return { sum: 1 };
  };
  await using here = await testServer({
    pipelines: { accept: async () => ({ pipelineId: "0".repeat(20), nextTry: 1 }), retrieve },
  });
  const { token } = await here.addUser("a@example.org", ["sample"]);
  const base = await here.server.listen({ host: "127.0.0.1", port: 0 });
  const agent = new Agent({ keepAlive: true });
  const outgoing = request(`${base}/sample/work/retrieve`, {
    agent,
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
  });
  outgoing.end(JSON.stringify({ pipelineId: "0".repeat(20) }));
  await started.promise;
  const closed = here.server.close();
  assert.equal(await within(closed, 50), false, "the request is still under way");
  finish.resolve();
  const [answer] = (await once(outgoing, "response")) as [IncomingMessage];
  answer.resume();
  assert.equal(answer.statusCode, 200);
  assert.equal(await within(closed, 30_000), true, "an idle connection is kept for 65 s otherwise");
  agent.destroy();
});

test("a database that cannot be reached is 503, not 500", async () => {
  await using here = await testServer();
  const { token } = await here.addUser("a@example.org", ["sample"]);
  await here.database.db.destroy();
  const answer = await here.server.app.inject({
    method: "POST",
    url: "/sample/echo",
    headers: { ...JSON_BODY, authorization: `Bearer ${token}` },
    payload: "{}",
  });
  assert.ok([500, 503].includes(answer.statusCode));
  assert.doesNotMatch(answer.body, /driver|pool|destroy/i);
  assert.equal((await here.server.app.inject({ method: "GET", url: "/health" })).statusCode, 503);
});

test("an alias of the map service's path segment answers as it does", async () => {
  await using here = await testServer({ config: { mapsvcAlias: "kraken" } });
  const error = (await here.server.app.inject({ method: "GET", url: "/kraken/thing?x=1" })).json().errorMessage;
  assert.match(error, /\/mapsvc\/thing/);
});

test("what is not HTTP is told so", async () => {
  await using here = await testServer();
  const base = new URL(await here.server.listen({ host: "127.0.0.1", port: 0 }));
  const socket = connect(Number(base.port), base.hostname);
  socket.end("NOT HTTP\r\n\r\n");
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  assert.match(text, /^HTTP\/1\.1 400 /);
  assert.match(text, /"error":"BAD-REQUEST"/);
});

test("an address that is too long is told so", async () => {
  await using here = await testServer();
  const base = await here.server.listen({ host: "127.0.0.1", port: 0 });
  const answer = await fetch(`${base}/sample?x=${"a".repeat(40_000)}`);
  assert.equal(answer.status, 400);
  const body: unknown = await answer.json();
  assert.match(JSON.stringify(body), /"error":"BAD-REQUEST".*more than 16384 bytes/);
});

test("a HEAD of an address that is too long is refused without a body", async () => {
  await using here = await testServer();
  const base = new URL(await here.server.listen({ host: "127.0.0.1", port: 0 }));
  const socket = connect(Number(base.port), base.hostname);
  socket.end(`HEAD /sample?x=${"a".repeat(40_000)} HTTP/1.1\r\nHost: ${base.host}\r\n\r\n`);
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  assert.match(text, /^HTTP\/1\.1 400 /);
  assert.ok(text.endsWith("\r\n\r\n"), text.slice(-200));
});

test("links hold a local Host, and no other one", async () => {
  await using here = await testServer();
  const { token } = await here.addUser("a@example.org", ["sample"]);
  const baseUrlFor = async (host: string): Promise<string> =>
    (
      await here.server.app.inject({
        method: "POST",
        url: "/sample/echo",
        headers: { authorization: `Bearer ${token}`, host },
      })
    ).json().baseUrl;
  assert.equal(await baseUrlFor("localhost:8080"), "http://localhost:8080");
  for (const host of ["evil.example:8080", 'evil"/><script>']) assert.doesNotMatch(await baseUrlFor(host), /evil/);
});
