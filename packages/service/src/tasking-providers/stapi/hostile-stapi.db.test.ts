import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { ManualTime } from "@swath/raster/remote/testing";
import { testDatabase, type TestDatabase } from "../../platform/postgres/testing.ts";
import type { OrderProgress, SubmittedOrder, TaskingProvider } from "../tasking-provider.ts";
import type { StapiSettings } from "./settings.ts";
import { createStapiProvider } from "./stapi-provider.ts";
import { sampleOrder } from "./testing/sample-order.ts";
import { sendJson, startSmallStapi, type SeenRequest, type SmallStapi } from "./testing/small-stapi.ts";

const never = new AbortController().signal;
const TOKEN = "secret-of-acme";

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

/** A provider whose pauses take no time; `time` has their lengths. */
function bench(changes: Partial<StapiSettings> = {}): {
  readonly provider: TaskingProvider;
  readonly time: ManualTime;
} {
  const time = new ManualTime(Date.now());
  const settings = { url: server.url, product: "visual", ...changes };
  const timers = { wait: (ms: number) => time.wait(ms), deadline: (ms: number) => AbortSignal.timeout(ms) };
  return { provider: createStapiProvider(settings, { clock: time, timers, db: database.db, random: () => 0 }), time };
}

async function submitted(provider: TaskingProvider): Promise<{ readonly order: SubmittedOrder; readonly id: string }> {
  const order = sampleOrder(Date.now());
  return { order, id: await provider.submit(order, never) };
}

function interceptAll(path: RegExp, respond: (response: ServerResponse, request: SeenRequest) => void): void {
  server.intercept = (request, response) => {
    if (!path.test(request.url.pathname)) return false;
    respond(response, request);
    return true;
  };
}

function isUnavailable(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "SERVICE-UNAVAILABLE";
}

test("429 and 503 with Retry-After are asked again after the time that the provider names", async () => {
  const { provider, time } = bench();
  await using _ = provider;
  const { order, id } = await submitted(provider);
  const statuses = [429, 503];
  interceptAll(/^\/orders\/[^/]+$/u, (response, request) => {
    const status = statuses.shift();
    if (status !== undefined) return sendJson(response, status, {}, { "retry-after": "7" });
    server.intercept = null;
    response.writeHead(307, { location: request.url.href }).end();
  });
  assert.equal((await provider.poll(order, id, never)).state, "received");
  assert.deepEqual(time.waits, [7000, 7000]);
});

test("answers that are cut, no JSON, too long, slow or no order make the provider unavailable", async () => {
  const { provider } = bench({ attempts: 1, timeoutMs: 1000 });
  await using _ = provider;
  const { order, id } = await submitted(provider);
  const status = { timestamp: "2026-12-01T00:00:00Z", status_code: "completed" };
  const faults: readonly ((response: ServerResponse) => void)[] = [
    (response) => response.writeHead(200).end('{"id": '),
    (response) => {
      response.writeHead(200, { "content-length": "1000" }).write("{");
      response.destroy();
    },
    (response) => response.writeHead(200).end(`{"pad": "${"x".repeat(2_000_000)}"}`),
    (response) => sendJson(response, 200, []),
    (response) => sendJson(response, 200, { id: "another", status }),
    (response) => sendJson(response, 200, { id }),
    (response) => sendJson(response, 200, { id, status: { ...status, timestamp: "yesterday" } }),
    (response) => sendJson(response, 200, { id, status: { ...status, status_code: 7 } }),
    (response) => sendJson(response, 404, {}),
    (response) => sendJson(response, 401, {}),
    () => {},
  ];
  for (const [index, fault] of faults.entries()) {
    const own = bench({ attempts: 1, timeoutMs: 1000 });
    await using asked = own.provider;
    interceptAll(/^\/orders\/[^/]+$/u, fault);
    await assert.rejects(asked.poll(order, id, never), isUnavailable, `fault ${index}`);
  }
});

test("statuses decide the same in any order and number, and an end is not taken back", async () => {
  const { provider } = bench();
  await using _ = provider;
  const statuses = ["received", "accepted", "scheduled", "processing", "completed"].map((code, minute) => ({
    timestamp: new Date(Date.UTC(2026, 11, 1, 0, minute)).toISOString(),
    status_code: code,
    links: [],
  }));
  const arrivals = [
    statuses,
    statuses.toReversed(),
    [...statuses, ...statuses],
    [...statuses, { ...statuses[3], timestamp: "2026-12-02T00:00:00Z" }],
    [...statuses, { ...statuses[0], status_code: "failed", timestamp: "2026-12-02T00:00:00Z" }, statuses[1]],
  ];
  for (const arrival of arrivals) {
    const { order, id } = await submitted(provider);
    server.orders.at(-1)?.statuses.splice(0, 1, ...(arrival as Record<string, unknown>[]));
    assert.equal((await provider.poll(order, id, never)).state, "completed");
  }
});

test("each status code has its state", async () => {
  const { provider } = bench();
  await using _ = provider;
  const expected: Readonly<Record<string, OrderProgress["state"]>> = {
    received: "received",
    reserved: "received",
    held: "received",
    "x-of-the-provider": "received",
    accepted: "accepted",
    scheduled: "accepted",
    tasked: "accepted",
    processing: "accepted",
    rejected: "refused",
    completed: "completed",
    cancelled: "failed",
    canceled: "failed",
    user_cancelled: "cancelled",
    expired: "expired",
    failed: "failed",
  };
  for (const [code, state] of Object.entries(expected)) {
    const { order, id } = await submitted(provider);
    await server.tell(id, { status_code: code, reason_code: "weather", reason_text: "clouds\nall day" });
    const told = await provider.poll(order, id, never);
    assert.equal(told.state, state, code);
    assert.deepEqual([told.reasonCode, told.reasonText], ["weather", "clouds all day"], code);
  }
});

test("a held order that was accepted before stays accepted", async () => {
  const { provider } = bench();
  await using _ = provider;
  const { order, id } = await submitted(provider);
  await server.tell(id, { status_code: "accepted" });
  await server.tell(id, { status_code: "held", timestamp: new Date(Date.now() + 1000).toISOString() });
  assert.equal((await provider.poll(order, id, never)).state, "accepted");
});

test("lists without an end are given up: pages that repeat, and statuses beyond a bound", async () => {
  const { provider } = bench();
  await using _ = provider;
  const { order, id } = await submitted(provider);
  const status = { timestamp: "2026-12-01T00:00:00Z", status_code: "accepted" };
  const page = Array.from({ length: 500 }, () => status);
  interceptAll(/statuses$/u, (response, { url }) => {
    const next = `${server.url}${url.pathname}?from=${Number(url.searchParams.get("from") ?? 0) + 1}`;
    sendJson(response, 200, { statuses: page, links: [{ rel: "next", href: next }] });
  });
  await assert.rejects(provider.poll(order, id, never), /2500 statuses of one order, expected at most 2000/u);
  interceptAll(/statuses$/u, (response, { url }) => {
    sendJson(response, 200, { statuses: [], links: [{ rel: "next", href: url.href }] });
  });
  await assert.rejects(provider.poll(order, id, never), /read already/u);
});

test("a search that does not end is given up in time", async () => {
  const { provider } = bench({ searchSeconds: 1 });
  await using _ = provider;
  interceptAll(/opportunities/u, (response) => {
    const status = { timestamp: "2026-12-01T00:00:00Z", status_code: "in_progress" };
    sendJson(response, 201, { id: "search", status });
  });
  await assert.rejects(provider.feasibility(sampleOrder(Date.now()), never), /has not ended a search .* in 1 s/u);
});

test("opportunities without times, outside of the request or of its area are no windows", async () => {
  const { provider } = bench();
  await using _ = provider;
  const order = sampleOrder(Date.now());
  const inside = { datetime: `${new Date(order.fromMs).toISOString()}/${new Date(order.toMs).toISOString()}` };
  const far = {
    type: "Polygon",
    coordinates: [
      [
        [50, 50],
        [51, 50],
        [51, 51],
        [50, 50],
      ],
    ],
  };
  interceptAll(/opportunities/u, (response) =>
    sendJson(response, 200, {
      features: [
        5,
        {},
        { geometry: order.geometry, properties: { datetime: "soon" } },
        { geometry: order.geometry, properties: { datetime: "2020-01-01T00:00:00Z/2020-01-02T00:00:00Z" } },
        { geometry: far, properties: inside },
        {
          id: "good",
          geometry: order.geometry,
          properties: { ...inside, "view:off_nadir": { minimum: 5, maximum: 15 } },
        },
        { id: "odd", geometry: null, properties: { ...inside, "view:off_nadir": 500, "sat:orbit_state": 3 } },
      ],
    }),
  );
  const windows = await provider.feasibility(order, never);
  assert.deepEqual(
    windows.map(({ offerId, offNadirDeg, pass, coverageRatio }) => [offerId, offNadirDeg, pass, coverageRatio]),
    [
      ["good", 10, null, 1],
      ["odd", null, null, 1],
    ],
  );
});

test("credentials reach the hosts they are for alone, and no other host is asked", async () => {
  await using other = await startSmallStapi();
  process.env["SWATH_TEST_STAPI_TOKEN"] = TOKEN;
  const credentials = [{ kind: "bearer" as const, hosts: [server.url], token: { env: "SWATH_TEST_STAPI_TOKEN" } }];
  const alone = bench({ credentials, attempts: 1 });
  await using _ = alone.provider;
  const { order, id } = await submitted(alone.provider);
  assert.equal(server.requests.at(-1)?.headers.authorization, `Bearer ${TOKEN}`);

  const link = { rel: "item", href: `${other.url}/files/item.json`, type: "application/geo+json" };
  await server.tell(id, { status_code: "completed", links: [link] });
  const told = await alone.provider.poll(order, id, never);
  assert.deepEqual([told.state, told.captures], ["completed", []], "the item is left out");

  interceptAll(/^\/orders\//u, (response) => response.writeHead(302, { location: `${other.url}/orders/${id}` }).end());
  await assert.rejects(alone.provider.poll(order, id, never), isUnavailable);
  interceptAll(/\/orders$/u, (response) => response.writeHead(307, { location: `${other.url}/orders` }).end());
  await assert.rejects(alone.provider.submit(sampleOrder(Date.now()), never), isUnavailable);
  assert.equal(other.requests.length, 0);

  server.intercept = null;
  const both = bench({ credentials, hosts: [other.url] });
  await using allowed = both.provider;
  await allowed.poll(order, id, never);
  assert.deepEqual(
    other.requests.map(({ headers }) => headers.authorization),
    [undefined],
  );
});

test("deliveries are bounded, and a broken one leaves the order as it was", async () => {
  const { provider } = bench({ maxSceneBytes: 1_000_000, attempts: 1 });
  await using _ = provider;
  const { order, id } = await submitted(provider);
  server.files.set("large.tif", new Uint8Array(1_000_001));
  const links = Array.from({ length: 300 }, (_item, index) => ({
    rel: "data",
    href: `${server.url}/files/${index === 0 ? "large" : index}.tif?sig=${index}`,
  }));
  await server.tell(id, { status_code: "completed", links });
  const told = await provider.poll(order, id, never);
  assert.equal(told.captures.length, 50);
  const again = await provider.poll(order, id, never);
  assert.deepEqual(
    again.captures.map(({ captureId }) => captureId),
    told.captures.map(({ captureId }) => captureId),
  );
  const folder = await mkdtemp(join(tmpdir(), "swath-delivery-"));
  await assert.rejects(told.captures[0]?.delivery?.write(folder, never) ?? Promise.resolve(), /1000001 bytes/u);
  await assert.rejects(told.captures[1]?.delivery?.write(folder, never) ?? Promise.resolve());
  assert.deepEqual(await readdir(folder), []);
  await rm(folder, { recursive: true });
});
