import assert from "node:assert/strict";
import { request as httpRequest } from "node:http";
import type { IncomingMessage } from "node:http";
import { test } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import type { Access, RateClass } from "@swath/contract/kit/access";
import type { Declaration, ServiceContract } from "@swath/contract/kit/contract";
import type { Method } from "@swath/contract/kit/operation";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { systemClock } from "@swath/base/clock";
import type { Clock } from "@swath/base/clock";
import { silentLog } from "@swath/base/log/log";
import { DEFAULT_HTTP_CONFIG } from "./http-config.ts";
import type { HttpConfig } from "./http-config.ts";
import { createHttpServer } from "./server.ts";
import type { Erased } from "./mount-contract.ts";
import type { HttpServer } from "./server.ts";
import { testServer } from "./testing.ts";
import { ampleStorage } from "../platform/storage/testing.ts";

/** One address of the contract, as a client sees it. */
interface Endpoint {
  readonly method: Method;
  /** With parameters filled in. */
  readonly url: string;
  /** What else is the same route. */
  readonly pattern: RegExp;
  readonly access: Access;
  readonly permissions: readonly string[];
  readonly schema: Readonly<Record<string, unknown>>;
  readonly bodyLimitBytes: number;
  readonly rateClass: RateClass;
  /** Status and code for a body that does not fit. */
  readonly refusal: readonly [status: 400 | 422, code: string];
}

const UNFIT = [422, "VALIDATION-ERROR"] as const;

/** What a handler of the conformance server answers with: the request has come through all checks. */
const REACHED = "CONFLICT";
/** Addresses of pipelines have no parameters. */
const NO_PATTERN = /$^/;
const METHODS = ["DELETE", "GET", "PATCH", "POST", "PUT", "TRACE"] as const;

function endpointsOf(declaration: Declaration): Endpoint[] {
  const url = declaration.path.replaceAll(/:\w+/g, "1");
  const pattern = new RegExp(`^${declaration.path.replaceAll(/:\w+/g, "[^/]+")}$`);
  if (declaration.kind === "file") {
    const { access, method, params, permissions, rateClass } = declaration;
    return [
      {
        method,
        url,
        pattern,
        access,
        permissions,
        schema: { ...params },
        bodyLimitBytes: Infinity,
        rateClass,
        refusal: UNFIT,
      },
    ];
  }
  const { access, bodyLimitBytes, permissions, request } = declaration;
  const schema = {
    ...request,
    required: requiredOf(request).filter((member) => !declaration.path.includes(`:${member}`)),
  };
  const common = { access, bodyLimitBytes, pattern, permissions, schema, refusal: UNFIT };
  if (declaration.kind === "operation") {
    const { method, rateClass, refusal: code } = declaration;
    return [{ ...common, method, url, rateClass, refusal: [code === "BAD-REQUEST" ? 400 : 422, code] }];
  }
  const retrieveSchema = { required: ["pipelineId"], properties: { pipelineId: {} } };
  return [
    { ...common, method: "POST", url: `${url}/initiate`, pattern: NO_PATTERN, rateClass: "initiate" },
    {
      ...common,
      method: "POST",
      url: `${url}/retrieve`,
      pattern: NO_PATTERN,
      permissions: declaration.retrievePermissions,
      schema: retrieveSchema,
      rateClass: "read",
    },
  ];
}

/**
 * Registers tests that walk a contract: the rules of transport hold on every route. Handlers are stood in for, for
 * no request of these tests may do its work.
 */
export function contractConformance(name: string, contract: ServiceContract): void {
  const endpoints = Object.values(contract).flatMap((feature) => Object.values(feature).flatMap(endpointsOf));
  const posts = endpoints.filter(({ method }) => method === "POST");
  test(`${name}: another method is answered 405 with Allow, before anything else is looked at`, async () => {
    await using world = await conformanceServer(contract);
    for (const url of new Set(endpoints.map((endpoint) => endpoint.url))) {
      const known = endpoints.filter((endpoint) => endpoint.url === url || endpoint.pattern.test(url));
      const allowed = new Set<string>(known.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])));
      for (const method of METHODS.filter((candidate) => !allowed.has(candidate))) {
        const answer = await send(world.server, { method, url, headers: { "content-type": "text/plain" }, body: "x" });
        assertError(answer, 405, "METHOD-NOT-ALLOWED");
        const allow = String(answer.headers["allow"]).split(", ");
        for (const { method: expected } of known) assert.ok(allow.includes(expected), `Allow is ${allow.join()}`);
        assert.ok(!allow.includes(method));
      }
    }
  });

  test(`${name}: a body over the limit is answered 413 while it is still being sent`, async () => {
    await using world = await conformanceServer(contract);
    const base = await world.server.listen({ host: "127.0.0.1", port: 0 });
    await each(posts, async ({ url, bodyLimitBytes }) => {
      assert.equal(await statusOfAnnounced(base + url, bodyLimitBytes + 1), 413);
      assert.equal(await statusOfEndless(base + url, world.allRights), 413);
    });
  });

  test(`${name}: what is not JSON is answered 400`, async () => {
    await using world = await conformanceServer(contract);
    await each(posts, async ({ url }) => {
      const authorization = `Bearer ${world.allRights}`;
      const headers = { authorization, "content-type": "application/json" };
      const post = { method: "POST", url } as const;
      assertError(await send(world.server, { ...post, headers, body: "{" }), 400, "BAD-REQUEST");
      assertError(await send(world.server, { ...post, headers, body: "[".repeat(1000) }), 400, "BAD-REQUEST");
      const text = { authorization, "content-type": "text/plain" };
      assertError(await send(world.server, { ...post, headers: text, body: "{}" }), 400, "BAD-CONTENT-TYPE");
      const broken = { authorization, "content-type": ";" };
      assertError(await send(world.server, { ...post, headers: broken, body: "{}" }), 400, "BAD-CONTENT-TYPE");
    });
  });

  test(`${name}: without a token, with a bad one, without rights: 401`, async () => {
    await using world = await conformanceServer(contract);
    const guarded = endpoints.filter(({ access }) => access === "bearer" || access === "user");
    const call = ({ method, url }: Endpoint, authorization?: string) =>
      send(world.server, { method, url, headers: authorization === undefined ? {} : { authorization } });
    await each(guarded, async (endpoint) => {
      assertError(await call(endpoint), 401, "INVALID-AUTHORIZATION-HEADER");
      assertError(await call(endpoint, "Basic dTpw"), 401, "INVALID-AUTHORIZATION-HEADER");
      assertError(await call(endpoint, "Bearer not.a.token"), 401, "INVALID-JWT");
    });
    const limited = guarded.filter(({ permissions }) => permissions.length > 0);
    if (limited.length === 0) return;
    await each(limited, async (endpoint) => {
      const answer = await call(endpoint, `Bearer ${world.noRights}`);
      assertError(answer, 401, "NOT-AUTHORIZED");
      assert.ok(endpoint.permissions.some((permission) => answer.json().errorMessage.includes(permission)));
    });
  });

  test(`${name}: a token that is missing or wrong is refused while none of the body has arrived`, async () => {
    await using world = await conformanceServer(contract);
    const base = await world.server.listen({ host: "127.0.0.1", port: 0 });
    const guarded = posts.filter(({ access }) => access === "bearer" || access === "user");
    await each(guarded, async ({ url }) => {
      assert.equal(await statusOfAnnounced(base + url, 100), 401);
      assert.equal(await statusOfAnnounced(base + url, 100, "not.a.token"), 401);
    });
  });

  test(`${name}: a body that does not fit is refused with the paths of its faults`, async () => {
    await using world = await conformanceServer(contract);
    const headers = { authorization: `Bearer ${world.allRights}`, "content-type": "application/json" };
    await each(posts, async ({ refusal, url, schema }) => {
      const answer = await send(world.server, { method: "POST", url, headers, body: "[]" });
      assertError(answer, ...refusal);
      const required = requiredOf(schema);
      if (required.length === 0) return;
      const bare = await send(world.server, { method: "POST", url, headers, body: "{}" });
      assertError(bare, ...refusal);
      const paths: unknown[] = bare.json().details.map((detail: { path: unknown }) => detail.path);
      for (const member of required) assert.ok(paths.includes(`/${member}`), `${member} is missing in ${paths.join()}`);
    });
  });

  test(`${name}: an absent and an empty body are {}`, async () => {
    await using world = await conformanceServer(contract);
    const authorization = `Bearer ${world.allRights}`;
    await each(posts, async ({ refusal, url, schema }) => {
      const json = { authorization, "content-type": "application/json" };
      const form = { authorization, "content-type": "application/x-www-form-urlencoded" };
      for (const answer of [
        await send(world.server, { method: "POST", url, headers: json, body: "{}" }),
        await send(world.server, { method: "POST", url, headers: json, body: "" }),
        await send(world.server, { method: "POST", url, headers: form, body: "" }),
        await send(world.server, { method: "POST", url, headers: { authorization } }),
        await send(world.server, { method: "POST", url, headers: { authorization, "content-length": "0" } }),
      ]) {
        if (requiredOf(schema).length > 0) assertError(answer, ...refusal);
        else assert.ok([409, 200].includes(answer.statusCode), `${answer.statusCode} ${answer.body}`);
      }
    });
  });

  test(`${name}: the caller's Request-Id comes back, another is made where it is none`, async () => {
    await using world = await conformanceServer(contract);
    await each(endpoints, async ({ method, url }) => {
      const given = await send(world.server, { method, url, headers: { "request-id": "a-B_c.1" } });
      assert.equal(given.headers["request-id"], "a-B_c.1");
      const odd = await send(world.server, { method, url, headers: { "request-id": "a b" } });
      assert.match(String(odd.headers["request-id"]), /^[A-Za-z0-9._-]{1,64}$/);
      assert.equal(odd.headers["api-version"], "1");
    });
  });

  test(`${name}: too many requests are answered 429 with Retry-After`, async () => {
    let nowMs = Date.parse("2026-01-01T00:00:00Z");
    const clock: Clock = { now: () => new Date(nowMs) };
    const one = { perSecond: 1, burst: 1 };
    const config = { rateLimits: { read: one, initiate: one, grid: one } };
    await using world = await conformanceServer(contract, { config, clock });
    await each(endpoints, async ({ method, url }) => {
      nowMs += 5000;
      const headers = { authorization: `Bearer ${world.noRights}` };
      assert.notEqual((await send(world.server, { method, url, headers })).statusCode, 429);
      const answer = await send(world.server, { method, url, headers });
      assertError(answer, 429, "TOO-MANY-REQUESTS");
      assert.equal(answer.headers["retry-after"], "1");
    });
  });
}

/** Runs a check on each endpoint; a failure names it. */
async function each(chosen: readonly Endpoint[], check: (endpoint: Endpoint) => Promise<void>): Promise<void> {
  assert.ok(chosen.length > 0, "nothing to check");
  for (const endpoint of chosen) {
    try {
      await check(endpoint);
    } catch (error) {
      throw new Error(`${endpoint.method} ${endpoint.url}`, { cause: error });
    }
  }
}

interface ConformanceServer extends AsyncDisposable {
  readonly server: HttpServer;
  readonly noRights: string;
  readonly allRights: string;
}

async function conformanceServer(
  contract: ServiceContract,
  options: { readonly config?: Partial<HttpConfig>; readonly clock?: Clock } = {},
): Promise<ConformanceServer> {
  const clock = options.clock ?? systemClock;
  await using stack = new AsyncDisposableStack();
  const base = stack.use(await testServer({ clock }));
  const { token: noRights } = await base.addUser("nobody@example.org", []);
  const { token: allRights } = await base.addUser("all@example.org", rootsOf(contract));
  const server = stack.use(
    await createHttpServer({
      storage: ampleStorage(),
      contract,
      handlers: forEach(contract, ({ kind }) => (kind === "pipeline" ? {} : refuse)),
      permissions: forEach(contract, () => () => []),
      db: base.database.db,
      identity: base.identity,
      pipelines: { accept: refuse, retrieve: refuse },
      config: { ...DEFAULT_HTTP_CONFIG, rateLimits: null, ...options.config },
      clock,
      log: silentLog,
    }),
  );
  const owned = stack.move();
  return { server, noRights, allRights, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function refuse(): Promise<never> {
  throw new ServiceError(REACHED, "reached");
}

function forEach(contract: ServiceContract, valueOf: (declaration: Declaration) => unknown): Erased {
  return Object.fromEntries(
    Object.entries(contract).map(([feature, declarations]) => [
      feature,
      Object.fromEntries(Object.entries(declarations).map(([name, declaration]) => [name, valueOf(declaration)])),
    ]),
  );
}

/** First segments of all static permissions and of those that features ask for by request. */
function rootsOf(contract: ServiceContract): string[] {
  const fixed = Object.values(contract).flatMap((feature) =>
    Object.values(feature).flatMap(({ permissions }: Declaration) => permissions),
  );
  const roots = fixed.map((permission) => permission.split(".")[0] ?? "");
  return [...new Set([...roots, "admin", "algorithms", "imagery", "mapsvc", "organization", "store"])];
}

function requiredOf(schema: object): string[] {
  return "required" in schema && Array.isArray(schema.required) ? schema.required.map(String) : [];
}

function send(
  server: HttpServer,
  request: {
    readonly method: (typeof METHODS)[number];
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  },
): Promise<LightMyRequestResponse> {
  const { method, url, headers, body } = request;
  // The injecting client's types lack TRACE, its code does not.
  return server.app.inject({
    method: method as "GET",
    url,
    headers,
    ...(body === undefined ? {} : { payload: body }),
  });
}

function assertError(answer: LightMyRequestResponse, status: number, code: string): void {
  const body: { error?: unknown; errorMessage?: unknown } = answer.json();
  assert.deepEqual([answer.statusCode, body.error], [status, code], answer.body);
  assert.equal(typeof body.errorMessage, "string");
  assert.match(String(answer.headers["content-type"]), /^application\/json/);
  assert.equal(answer.headers["api-version"], "1");
  assert.match(String(answer.headers["request-id"]), /^[A-Za-z0-9._-]{1,64}$/);
}

/** Status of a request that announces a body and sends none of it. */
function statusOfAnnounced(url: string, bytes: number, token?: string): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const headers = { ...authorization, "content-type": "application/json", "content-length": bytes };
  const outgoing = httpRequest(url, { method: "POST", headers, agent: false }, (answer) => {
    resolve(answer.statusCode);
    answer.resume();
    outgoing.destroy();
  });
  outgoing.on("error", reject);
  outgoing.flushHeaders();
  return promise;
}

/** Status of a request whose body does not end: it goes on until an answer comes. */
function statusOfEndless(url: string, token: string): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const piece = Buffer.alloc(64 * 1024, " ");
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "transfer-encoding": "chunked",
  };
  const outgoing = httpRequest(url, { method: "POST", headers, agent: false }, (answer: IncomingMessage) => {
    resolve(answer.statusCode);
    answer.resume();
    outgoing.destroy();
  });
  outgoing.on("error", reject);
  const push = (): void => {
    while (!outgoing.destroyed && outgoing.write(piece));
  };
  outgoing.on("drain", push);
  push();
  return promise;
}
