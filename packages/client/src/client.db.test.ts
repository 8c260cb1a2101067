import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { testServer } from "../../service/src/http/testing.ts";
import type { TestServer } from "../../service/src/http/testing.ts";
import { TEST_PASSWORD } from "../../service/src/http/testing.ts";
import type { sampleContract } from "../../service/src/http/sample-contract.ts";
import type { PipelineGate } from "../../service/src/http/pipeline-gate.ts";
import { ApiError, createClient } from "./client.ts";
import type { ClientOptions, Client, PipelineStatus } from "./client.ts";

type Sample = typeof sampleContract;
const EMAIL = "user@example.org";
const RIGHTS = ["sample.echo", "sample.items", "sample.work"];

async function world(options: Parameters<typeof testServer>[0] = {}): Promise<{
  readonly server: TestServer;
  readonly baseUrl: string;
  readonly token: string;
  client(more?: Partial<ClientOptions>): Client<Sample>;
  [Symbol.asyncDispose](): PromiseLike<void>;
}> {
  const server = await testServer(options);
  const { token } = await server.addUser(EMAIL, RIGHTS);
  const baseUrl = await server.server.listen({ host: "127.0.0.1", port: 0 });
  return {
    server,
    baseUrl,
    token,
    client: (more) => createClient<Sample>({ baseUrl, token, ...more }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

test("a call is typed by its path, and a wrong one does not compile", async () => {
  await using here = await world();
  const client = here.client();
  const answer = await client.call("/sample/echo", { text: "a" });
  const userId: string = answer.userId;
  assert.notEqual(userId, "");
  assert.deepEqual(answer.received, { text: "a" });
  assert.deepEqual((await client.call("/sample/echo")).received, {});
  // @ts-expect-error -- there is no such path
  await assert.rejects(client.call("/sample/nothing", {}), { status: 404, code: "NON-EXISTENT-ENDPOINT" });
  // @ts-expect-error -- text is a string
  await assert.rejects(client.call("/sample/echo", { text: 1 }), { status: 422, code: "VALIDATION-ERROR" });
  // @ts-expect-error -- the body is required
  await assert.rejects(client.call("/sample/personal"), { status: 422 });
  // @ts-expect-error -- a pipeline is not called
  await assert.rejects(client.call("/sample/work", { numbers: [1] }), { status: 404 });
  // @ts-expect-error -- there is no such member
  assert.equal(answer.nothing, undefined);
});

test("an error carries status, code, message, details and request id", async () => {
  await using here = await world();
  const failure = await here
    .client()
    .call("/sample/echo", { items: [{ kind: "a" }, { kind: "b" }, { kind: "c" }, { kind: "d" }] })
    .catch((error: unknown) => error);
  assert.ok(failure instanceof ApiError);
  assert.equal(failure.status, 422);
  assert.deepEqual(failure.details, [{ path: "/items", message: "must have at most 3 items, got 4" }]);
  assert.match(failure.requestId ?? "", /^[\w.-]{1,64}$/);
});

test("a GET operation takes its parameters in path and query", async () => {
  await using here = await world();
  assert.deepEqual(await here.client().get("/sample/greet/:name", { name: "Zoë/1", times: 2 }), {
    greeting: "Hello Hello Zoë/1!",
  });
});

test("credentials log in once for calls at once, and again when the token is refused", async () => {
  await using here = await world();
  let logins = 0;
  const client = here.client({
    credentials: { username: EMAIL, password: TEST_PASSWORD },
    fetch: (url, init) => {
      if (url.endsWith("/oauth/ro")) logins += 1;
      return fetch(url, init);
    },
  });
  await Promise.all([client.call("/sample/echo"), client.call("/sample/echo"), client.call("/sample/echo")]);
  assert.equal(logins, 1);
  const held = await client.token();
  // As a change of password does.
  await sql`update users set token_version = token_version + 1`.execute(here.server.database.db);
  assert.equal(await client.token(), held);
  await client.call("/sample/echo");
  assert.equal(logins, 2);
});

test("wrong credentials are told as such", async () => {
  await using here = await world();
  const client = here.client({ credentials: { username: EMAIL, password: "wrong" } });
  await assert.rejects(client.call("/sample/echo"), { status: 401, code: "invalid_grant" });
});

test("429 and 503 are waited out, within bounds", async () => {
  let refusals = 2;
  const answers: number[] = [];
  const refusing = async (url: string, init?: RequestInit): Promise<Response> => {
    refusals -= 1;
    const headers = { "retry-after": "0" };
    const answer =
      refusals >= 0 ? new Response(JSON.stringify({ error: "X" }), { status: 503, headers }) : await fetch(url, init);
    answers.push(answer.status);
    return answer;
  };
  await using here = await world();
  await here.client({ fetch: refusing }).call("/sample/echo");
  assert.deepEqual(answers, [503, 503, 200]);
  refusals = 100;
  await assert.rejects(here.client({ fetch: refusing, retry: { maxAttempts: 3 } }).call("/sample/echo"), {
    status: 503,
  });
  assert.equal(refusals, 97);
});

test("a file comes with its status and headers, and 304 where a condition holds", async () => {
  await using here = await world();
  const client = here.client();
  const file = await client.file("/sample/files/:name/:z", { params: { name: "a", z: 3 } });
  assert.equal(await file.text(), "012");
  const headers = { "if-none-match": file.headers.get("etag") ?? "" };
  assert.equal((await client.file("/sample/files/:name/:z", { params: { name: "a", z: 3 }, headers })).status, 304);
  await assert.rejects(client.file("/sample/files/:name/:z", { params: { name: "missing", z: 1 } }), {
    status: 404,
    code: "TILE-NOT-FOUND",
  });
  // @ts-expect-error -- z is a number
  assert.match(client.fileUrl("/sample/files/:name/:z", { params: { name: "a", z: "1" } }), /files\/a\/1$/);
});

test("an aborted call ends with the reason of its signal", async () => {
  await using here = await world();
  const controller = new AbortController();
  const call = here.client().file("/sample/files/:name/:z", {
    params: { name: "slow", z: 1 },
    signal: controller.signal,
  });
  setTimeout(() => controller.abort(new Error("enough")), 20);
  await assert.rejects(call, { message: "enough" });
  await here.server.seen.aborted.promise;
});

/** A gate whose pipeline answers these statuses in turn to whoever asks. */
function gateOf(sum: number): PipelineGate {
  return {
    accept: async () => ({ pipelineId: "p".repeat(20), nextTry: 1 }),
    retrieve: async () => ({ sum }),
  };
}

/** Stands in for `/tasking/get-status`, which the sample contract has not. */
function statusAnswers(statuses: readonly PipelineStatus["status"][], bodies: unknown[]) {
  const left = [...statuses];
  return async (url: string, init?: RequestInit): Promise<Response> => {
    if (!url.endsWith("/tasking/get-status")) return fetch(url, init);
    const body: unknown = JSON.parse(typeof init?.body === "string" ? init.body : "null");
    bodies.push(body);
    if (typeof body === "object" && body !== null && "waitSeconds" in body && bodies.length === 1) {
      return Response.json({ error: "VALIDATION-ERROR", errorMessage: "no waitSeconds" }, { status: 422 });
    }
    return Response.json({ status: left.shift() ?? "RESOLVED", modified: "now", nextTry: 0 });
  };
}

test("a run initiates, waits and retrieves, also where the service knows no long polling", async () => {
  await using here = await world({ pipelines: gateOf(6) });
  const bodies: unknown[] = [];
  const seen: string[] = [];
  const client = here.client({ fetch: statusAnswers(["NEW", "PROCESSING", "RESOLVED"], bodies) });
  const result = await client.run(
    "/sample/work",
    { numbers: [1, 2, 3] },
    { onProgress: ({ status }) => seen.push(status) },
  );
  const sum: number = result.sum;
  assert.equal(sum, 6);
  assert.deepEqual(seen, ["NEW", "PROCESSING", "RESOLVED"]);
  const pipelineId = "p".repeat(20);
  assert.deepEqual(bodies, [
    { pipelineId, getProgress: true, waitSeconds: 2 },
    ...Array.from({ length: 3 }, () => ({ pipelineId, getProgress: true })),
  ]);
  // @ts-expect-error -- numbers is required
  await assert.rejects(client.run("/sample/work", {}), { status: 422 });
});
