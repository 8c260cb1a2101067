import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { Readable } from "node:stream";
import { test } from "node:test";
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import { TOKEN_PAYS } from "@swath/contract/kit/request-cost";
import { DEFAULT_HTTP_CONFIG } from "./http-config.ts";
import { testServer, type TestServer } from "./testing.ts";

const NEVER = { perSecond: 0.001, burst: 1000 };
const LIMITS = { read: NEVER, initiate: NEVER, grid: NEVER };
const STATED = /^"(read|initiate|grid)";r=\d+(;t=\d+)?$/;

function left(answer: LightMyRequestResponse): number {
  const [, tokens = "none"] = /;r=(\d+)/.exec(String(answer.headers["ratelimit"])) ?? [];
  return Number(tokens);
}

function post(
  { server }: TestServer,
  url: string,
  body: unknown,
  more: InjectOptions = {},
): Promise<LightMyRequestResponse> {
  const headers = { "content-type": "application/json", ...more.headers };
  return server.app.inject({ method: "POST", url, payload: JSON.stringify(body), ...more, headers });
}

function bearer(token: string): InjectOptions {
  return { headers: { authorization: `Bearer ${token}` } };
}

test("every rated answer states the limit, whatever its status", async () => {
  await using world = await testServer({ config: { rateLimits: LIMITS } });
  const { token } = await world.addUser("a@example.org", ["sample.work"]);
  const { app } = world.server;
  for (const [answer, status, policy] of [
    [await app.inject({ url: "/sample/greet/you" }), 200, '"read";q=1000;w=1000000'],
    [await app.inject({ url: "/sample/files/abc/1" }), 200, '"grid";q=1000;w=1000000'],
    [await app.inject({ url: "/sample/files/missing/1" }), 404, '"grid";q=1000;w=1000000'],
    [await post(world, "/sample/echo", {}), 401, '"read";q=1000;w=1000000'],
    [await post(world, "/sample/echo", {}, bearer("forged")), 401, '"read";q=1000;w=1000000'],
    [await post(world, "/sample/fail", {}), 422, '"read";q=1000;w=1000000'],
    [await post(world, "/sample/fail", { how: "conflict" }), 409, '"read";q=1000;w=1000000'],
    [await post(world, "/sample/fail", { how: "crash" }), 500, '"read";q=1000;w=1000000'],
    [await post(world, "/sample/work/initiate", { numbers: [1] }, bearer(token)), 200, '"initiate";q=1000;w=1000000'],
    [await post(world, "/oauth/ro", {}), 400, '"initiate";q=1000;w=1000000'],
  ] as const) {
    assert.equal(answer.statusCode, status, answer.body);
    assert.equal(answer.headers["ratelimit-policy"], policy);
    assert.match(String(answer.headers["ratelimit"]), STATED);
  }
});

test("a request pays for its work, and a refused one is told when to come again", async () => {
  await using world = await testServer({
    config: { rateLimits: { ...LIMITS, initiate: { perSecond: 1, burst: 10 } } },
  });
  const { token } = await world.addUser("a@example.org", ["sample.work"]);
  const { token: other } = await world.addUser("b@example.org", ["sample.work"]);
  const initiate = (numbers: number, of = token): Promise<LightMyRequestResponse> =>
    post(world, "/sample/work/initiate", { numbers: Array(numbers).fill(1) }, bearer(of));
  assert.equal(left(await initiate(3)), 6, "one token, and one for each ten maps");
  const refused = await initiate(8);
  assert.equal(refused.statusCode, 429, refused.body);
  assert.equal(refused.headers["retry-after"], "4");
  assert.match(String(refused.headers["ratelimit"]), /^"initiate";r=5;t=4$/);
  assert.equal((await initiate(9, other)).statusCode, 200, "another user has another bucket");
});

test("a request that costs more than all tokens is run when all of them are there", async () => {
  await using world = await testServer({
    config: { rateLimits: { ...LIMITS, initiate: { perSecond: 0.01, burst: 4 } } },
  });
  const { token } = await world.addUser("a@example.org", ["sample.work"]);
  const answer = await post(world, "/sample/work/initiate", { numbers: Array(9).fill(1) }, bearer(token));
  assert.equal(answer.statusCode, 200, answer.body);
  assert.equal(left(answer), 0);
});

test("a body pays by its size, also one that comes in pieces or compressed", async () => {
  await using world = await testServer({ config: { rateLimits: LIMITS } });
  const { token } = await world.addUser("a@example.org", ["sample.work"]);
  const text = `{"numbers":[1],"note":"${"x".repeat(3 * TOKEN_PAYS.bodyBytes)}"}`;
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  const send = (payload: Buffer | Readable, more: Record<string, string> = {}): Promise<LightMyRequestResponse> =>
    world.server.app.inject({
      method: "POST",
      url: "/sample/work/initiate",
      payload,
      headers: { ...headers, ...more },
    });
  const cost = 1 + 3 + 1;
  assert.equal(left(await send(Buffer.from(text))), 1000 - cost);
  assert.equal(
    left(await send(Readable.from([text.slice(0, 99), text.slice(99)]), { "transfer-encoding": "chunked" })),
    1000 - 2 * cost,
  );
  assert.equal(left(await send(gzipSync(text), { "content-encoding": "gzip" })), 1000 - 3 * cost);
});

test("a body pays for the positions of its shapes before it is checked", async () => {
  await using world = await testServer({ config: { rateLimits: LIMITS } });
  const { token } = await world.addUser("a@example.org", ["sample.work"]);
  const coordinates = [Array.from({ length: 4 * TOKEN_PAYS.positions }, () => [1, 2])];
  const answer = await post(world, "/sample/work/initiate", { extent: { coordinates } }, bearer(token));
  assert.equal(answer.statusCode, 422);
  assert.equal(left(answer), 1000 - 1 - 4);
});

test("callers without a token pay by address, users by account", async () => {
  await using world = await testServer({ config: { rateLimits: { ...LIMITS, read: { perSecond: 0.01, burst: 2 } } } });
  const { token } = await world.addUser("a@example.org", []);
  const from = (remoteAddress: string, more: InjectOptions = {}): Promise<LightMyRequestResponse> =>
    world.server.app.inject({ url: "/sample/greet/you", remoteAddress, ...more });
  const statuses = [];
  for (let i = 0; i < 3; i += 1) statuses.push((await from("192.0.2.1")).statusCode);
  assert.deepEqual(statuses, [200, 200, 429]);
  assert.equal((await from("192.0.2.2")).statusCode, 200, "another address has another bucket");
  assert.equal((await from("192.0.2.1", bearer(token))).statusCode, 200, "a user has another bucket");
});

test("the tier of the group that pays scales the limits of its users", async () => {
  const config = { rateLimits: LIMITS, tierLimits: new Map([["gold", 4]]) };
  await using world = await testServer({ config });
  const { db } = world.database;
  const policyOf = async (token: string): Promise<unknown> =>
    (await world.server.app.inject({ url: "/sample/greet/you", ...bearer(token) })).headers["ratelimit-policy"];
  const { token } = await world.addUser("plain@example.org", []);
  const { token: gold, userId } = await world.addUser("gold@example.org", []);
  const { group_id: groupId } = await db
    .selectFrom("group_members")
    .select("group_id")
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  await db.insertInto("credit_groups").values({ group_id: groupId, tier: "gold" }).execute();
  assert.equal(await policyOf(token), '"read";q=1000;w=1000000');
  assert.equal(await policyOf(gold), '"read";q=4000;w=1000000');
});

test("sixty clients that each begin and follow ten searches at once never meet the limits", async () => {
  await using world = await testServer({ config: { rateLimits: DEFAULT_HTTP_CONFIG.rateLimits } });
  const { token } = await world.addUser("a@example.org", ["sample.work"]);
  const client = async (): Promise<readonly number[]> => {
    const statuses = [];
    for (let i = 0; i < 10; i += 1) {
      statuses.push((await post(world, "/sample/work/initiate", { numbers: [] }, bearer(token))).statusCode);
      const ask = { pipelineId: "0".repeat(20) };
      statuses.push((await post(world, "/sample/work/retrieve", ask, bearer(token))).statusCode);
    }
    return statuses;
  };
  const all = await Promise.all(Array.from({ length: 60 }, client));
  assert.equal(all.flat().filter((status) => status === 429).length, 0);
});
