import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { testDatabase, type TestDatabase } from "../../platform/postgres/testing.ts";
import type { SubmittedOrder, TaskingProvider } from "../tasking-provider.ts";
import type { StapiSettings } from "./settings.ts";
import { createStapiProvider } from "./stapi-provider.ts";
import { sampleOrder } from "./testing/sample-order.ts";
import { orderDocument, placeOrder, sendJson, startSmallStapi, type SmallStapi } from "./testing/small-stapi.ts";

const never = new AbortController().signal;

let database: TestDatabase;
let server: SmallStapi;
before(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  await server?.[Symbol.asyncDispose]();
  server = await startSmallStapi();
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

function settingsWith(changes: Partial<StapiSettings> = {}): StapiSettings {
  return { url: server.url, product: "visual", ...changes };
}

/** A provider whose clock is ahead of the system by some minutes. */
function providerIn(minutes: number, changes: Partial<StapiSettings> = {}): TaskingProvider {
  const clock = { now: () => new Date(Date.now() + minutes * 60_000) };
  return createStapiProvider(settingsWith(changes), { clock, db: database.db });
}

function isOrder({ method, url }: { readonly method: string; readonly url: URL }): boolean {
  return method === "POST" && url.pathname.endsWith("/orders");
}

/** Runs a process that submits an order and kills it while the server holds its answer. */
async function killWhileSubmitting(order: SubmittedOrder, isTaken: boolean): Promise<void> {
  const held = Promise.withResolvers<ServerResponse>();
  server.intercept = (request, response) => {
    if (!isOrder(request)) return false;
    if (isTaken) placeOrder(server, request.body);
    held.resolve(response);
    return true;
  };
  const { micro: _micro, ...sent } = order;
  const child = fork(join(import.meta.dirname, "testing", "submit-order.process.ts"), [
    database.url,
    JSON.stringify(settingsWith()),
    JSON.stringify(sent),
  ]);
  await held.promise;
  child.kill("SIGKILL");
  await once(child, "exit");
  server.intercept = null;
}

test("an order whose sender was killed before it stored the answer is found again and not sent twice", async () => {
  const order = sampleOrder(Date.now());
  await killWhileSubmitting(order, true);
  await using provider = providerIn(0);
  const name = await provider.submit(order, never);
  assert.deepEqual(
    server.orders.map(({ id }) => id),
    [name],
  );
  assert.equal(server.requests.filter(isOrder).length, 1);
});

test("an order whose sender was killed before it was taken is sent again once it can no longer appear", async () => {
  const order = sampleOrder(Date.now());
  await killWhileSubmitting(order, false);
  await using soon = providerIn(9);
  await assert.rejects(
    soon.submit(order, never),
    (error) => error instanceof ServiceError && error.code === "SERVICE-UNAVAILABLE" && (error.retryAfterS ?? 0) > 0,
  );
  assert.equal(server.orders.length, 0);
  await using later = providerIn(11);
  const [name, same] = await Promise.all([later.submit(order, never), later.submit(order, never)]);
  assert.equal(name, same);
  assert.equal(server.orders.length, 1);
});

test("equal orders with lost answers are told apart: each has one order of the provider", async () => {
  server.intercept = (request, response) => {
    if (!isOrder(request)) return false;
    placeOrder(server, request.body);
    response.destroy();
    return true;
  };
  const nowMs = Date.now();
  const orders = [sampleOrder(nowMs), sampleOrder(nowMs), sampleOrder(nowMs)];
  await using provider = providerIn(0);
  for (const order of orders) {
    await assert.rejects(provider.submit(order, never), { code: "SERVICE-UNAVAILABLE" });
  }
  server.intercept = null;
  const names = await Promise.all(orders.map((order) => provider.submit(order, never)));
  assert.deepEqual(new Set(names), new Set(server.orders.map(({ id }) => id)));
});

test("an order with the identifier as a parameter is found by it, though the provider repeats nothing else", async () => {
  const parameters = { client_reference: { from: "orderId" } } as const;
  const order = sampleOrder(Date.now());
  server.intercept = (request, response) => {
    if (!isOrder(request)) return false;
    placeOrder(server, { order_parameters: request.body["order_parameters"] });
    response.destroy();
    return true;
  };
  await using provider = providerIn(0, { parameters });
  await assert.rejects(provider.submit(order, never), { code: "SERVICE-UNAVAILABLE" });
  server.intercept = null;
  for (let i = 0; i < 4; i++) await provider.submit(sampleOrder(Date.now()), never);
  assert.equal(await provider.submit(order, never), server.orders[0]?.id);
});

test("an order is not sent again while the provider has more orders than are searched", async () => {
  const order = sampleOrder(Date.now());
  await killWhileSubmitting(order, false);
  const page = Array.from({ length: 120 }, () => orderDocument(server, placeOrder(server, {})));
  server.intercept = (request, response) => {
    if (request.url.pathname !== "/orders") return false;
    const from = Number(request.url.searchParams.get("from") ?? 0);
    sendJson(response, 200, {
      features: page,
      links: [{ rel: "next", href: `${server.url}/orders?from=${from + 1}` }],
    });
    return true;
  };
  await using provider = providerIn(60, { maxOrders: 300 });
  await assert.rejects(provider.submit(order, never), /more than 360 orders, expected at most 300/u);
  assert.equal(server.requests.filter(isOrder).length, 1);
});

test("a provider that was not reached, or has too many requests, is sent the order again without a wait", async () => {
  const order = sampleOrder(Date.now());
  const { url } = server;
  await server[Symbol.asyncDispose]();
  await using away = createStapiProvider(
    { url, product: "visual" },
    { clock: { now: () => new Date() }, db: database.db },
  );
  await assert.rejects(away.submit(order, never), /was not reached/u);
  server = await startSmallStapi();
  server.intercept = (request, response) => {
    if (isOrder(request)) sendJson(response, 429, {}, { "retry-after": "17" });
    return isOrder(request);
  };
  await using provider = providerIn(0);
  await assert.rejects(
    provider.submit(order, never),
    (error) => error instanceof ServiceError && error.code === "SERVICE-UNAVAILABLE" && error.retryAfterS === 17,
  );
  server.intercept = null;
  assert.equal(await provider.submit(order, never), server.orders[0]?.id);
});

test("an order is not repeated after 500, 502, 503 or an answer that is no order", async () => {
  for (const status of [500, 502, 503, 200]) {
    server.intercept = (request, response) => {
      if (isOrder(request)) sendJson(response, status, { id: 5 });
      return isOrder(request);
    };
    const order = sampleOrder(Date.now());
    await using provider = providerIn(0);
    const sentBefore = server.requests.filter(isOrder).length;
    await assert.rejects(provider.submit(order, never), { code: "SERVICE-UNAVAILABLE" });
    await assert.rejects(provider.submit(order, never), /lost/u);
    assert.equal(server.requests.filter(isOrder).length, sentBefore + 1, String(status));
  }
});

test("an order whose document is unreadable is known by the address of the order", async () => {
  server.intercept = (request, response) => {
    if (isOrder(request)) sendJson(response, 201, { id: 5 }, { location: "/orders/order%207" });
    return isOrder(request);
  };
  await using provider = providerIn(0);
  assert.equal(await provider.submit(sampleOrder(Date.now()), never), "order 7");
});

test("a provider that names two orders alike has the second refused", async () => {
  server.intercept = (request, response) => {
    if (isOrder(request))
      sendJson(response, 201, { id: "same", status: { timestamp: "2026-01-01T00:00:00Z", status_code: "received" } });
    return isOrder(request);
  };
  await using provider = providerIn(0);
  assert.equal(await provider.submit(sampleOrder(Date.now()), never), "same");
  const second = sampleOrder(Date.now());
  await assert.rejects(provider.submit(second, never), { code: "BAD-REQUEST" });
  await assert.rejects(provider.submit(second, never), /the name of another order/u);
});
