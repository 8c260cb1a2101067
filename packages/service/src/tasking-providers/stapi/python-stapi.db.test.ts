import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test, type TestContext } from "node:test";
import { systemClock } from "@swath/base/clock";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { testDatabase } from "../../platform/postgres/testing.ts";
import type { TaskingProvider, TaskingRequest } from "../tasking-provider.ts";
import { taskingProviderConformance } from "../tasking-provider.conformance.ts";
import type { StapiSettings } from "./settings.ts";
import { createStapiProvider } from "./stapi-provider.ts";
import { openBench } from "./testing/conformance-bench.ts";
import { startPythonStapi, type PythonStapi } from "./testing/python-stapi.ts";
import { sampleOrder } from "./testing/sample-order.ts";

const never = new AbortController().signal;
const DAY_MS = 86_400_000;
const FROM_MS = Date.UTC(2026, 11, 1);

const database = await testDatabase();
const folder = await mkdtemp(join(tmpdir(), "swath-stapi-"));
// One file alone may make the virtual environment: files run at the same time.
const server = await startPythonStapi(folder);
after(async () => {
  await server?.[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

if (server !== null) {
  await writeFile(join(folder, "scene.tif"), "pixels");
  taskingProviderConformance("stapi-fastapi", () => openBench(server, "now", database.db));
}

/** A test with the STAPI server; left out without Python. */
function stapiTest(name: string, run: (running: PythonStapi) => Promise<void>): void {
  test(name, async (t: TestContext) => {
    if (server === null) return t.skip("Python 3.11 with venv, or its package index, is missing");
    await run(server);
  });
}

function providerAt({ url }: PythonStapi, product: string, settings: Partial<StapiSettings> = {}): TaskingProvider {
  return createStapiProvider({ url, product, ...settings }, { clock: systemClock, db: database.db });
}

function requestFor(days: number, changes: Partial<TaskingRequest> = {}): TaskingRequest {
  return { ...sampleOrder(FROM_MS), fromMs: FROM_MS, toMs: FROM_MS + days * DAY_MS, ...changes };
}

for (const product of ["now", "later", "both"]) {
  stapiTest(`windows are the opportunities of the product "${product}", ascending, over all pages`, async (running) => {
    await using provider = providerAt(running, product);
    const windows = await provider.feasibility(requestFor(130), never);
    assert.equal(windows.length, 130);
    assert.deepEqual(
      windows.map(({ startMs }) => startMs),
      Array.from({ length: 130 }, (_, day) => FROM_MS + day * DAY_MS),
    );
    const [first] = windows;
    assert.equal(first?.endMs, FROM_MS + 600_000);
    assert.equal(first?.offNadirDeg, 12.5);
    assert.equal(first?.pass, "descending");
    assert.equal(first?.lookSide, null);
    assert.equal(first?.satellite, "acme-1");
    assert.equal(first?.coverageRatio, 1);
    assert.equal(first?.offerId, "pass-2026-12-01T00:00:00+00:00");
  });
}

stapiTest("a search can be made asynchronously though the product answers at once too", async (running) => {
  await using provider = providerAt(running, "both", { opportunities: "async" });
  assert.equal((await provider.feasibility(requestFor(3), never)).length, 3);
});

stapiTest("a filter is sent as CQL2, and its refusal is told with the reason of the provider", async (running) => {
  const filter = [{ property: "cloud_percent", op: "<=", option: "cloudCover", scale: 100 }] as const;
  await using provider = providerAt(running, "now", { filter: [...filter] });
  const clear = requestFor(3, { orderOptions: { cloudCover: 0.001 } });
  await assert.rejects(
    provider.feasibility(clear, never),
    (error) => error instanceof ServiceError && /422: cloud_percent below 1 is impossible/u.test(error.message),
  );
  const cloudy = requestFor(3, { orderOptions: { cloudCover: 0.3 } });
  assert.equal((await provider.feasibility(cloudy, never)).length, 3);
});

stapiTest("a product without opportunities has the windows of the satellites of the dataset", async (running) => {
  const settings = { url: running.url, product: "plain" };
  await using offering = providerAt(running, "now");
  const computed = await offering.feasibility(requestFor(2), never);
  const passes = async (): Promise<typeof computed> => computed;
  await using provider = createStapiProvider(settings, { clock: systemClock, db: database.db, passes });
  assert.deepEqual(await provider.feasibility(requestFor(2), never), computed);
  await using without = providerAt(running, "plain");
  await assert.rejects(without.feasibility(requestFor(2), never), /acme_visual has no satellites/u);
});

stapiTest("an order is placed once and polled through its statuses to its delivered scene", async (running) => {
  const parameters = {
    reference: { from: "orderId" },
    urgency: { from: "priority", values: { urgent: "RUSH" } },
  } as const;
  await using provider = providerAt(running, "plain", { parameters });
  const order = sampleOrder(Date.now());
  const countBefore = (await running.orders()).length;
  const id = await provider.submit(order, never);
  assert.equal(await provider.submit(order, never), id, "a repetition answers as before");
  assert.equal((await running.orders()).length, countBefore + 1);
  const placed = (await (await fetch(`${running.url}/orders/${id}`)).json()) as {
    readonly properties: { readonly order_parameters: object };
  };
  assert.deepEqual(placed.properties.order_parameters, { reference: order.orderId, urgency: "RUSH" });

  const received = await provider.poll(order, id, never);
  assert.equal(received.state, "received");
  assert.equal(received.scheduledMs, null);
  await running.tell(id, { status_code: "accepted" });
  assert.equal((await provider.poll(order, id, never)).state, "accepted");
  await running.tell(id, { status_code: "scheduled", reason_code: "pass", reason_text: "pass 17" });
  const scheduled = await provider.poll(order, id, never);
  assert.deepEqual([scheduled.state, scheduled.reasonText], ["accepted", "pass 17"]);
  assert.equal(scheduled.scheduledMs, order.window.startMs);

  const pixels = Buffer.alloc(20_000_000, "pixel");
  await writeFile(join(folder, "scene.tif"), pixels);
  const item = {
    type: "Feature",
    stac_version: "1.0.0",
    id: "acme-20261202",
    collection: "acme-visual",
    geometry: order.geometry,
    properties: { datetime: "2026-12-02T10:00:00Z", "eo:cloud_cover": 12, "view:off_nadir": 9 },
    links: [],
    assets: {
      thumbnail: { href: "scene.png", type: "image/png", roles: ["thumbnail"] },
      analytic: { href: "scene.tif", type: "image/tiff; application=geotiff", roles: ["data"] },
    },
  };
  await writeFile(join(folder, "item.json"), JSON.stringify(item));
  const link = { rel: "item", href: `${running.url}/files/item.json`, type: "application/geo+json" };
  await running.tell(id, { status_code: "processing", links: [link] });
  await running.tell(id, { status_code: "completed", links: [link] });
  const done = await provider.poll(order, id, never);
  assert.equal(done.state, "completed");
  const [capture] = done.captures;
  assert.equal(done.captures.length, 1);
  assert.deepEqual(
    [capture?.captureId, capture?.status, capture?.cloudCover, capture?.coverageRatio, capture?.atMs],
    ["acme-20261202", "PUBLISHED", 0.12, 1, Date.UTC(2026, 11, 2, 10)],
  );
  assert.deepEqual(capture?.foreignSceneTypes, ["acme-visual"]);
  const target = await mkdtemp(join(tmpdir(), "swath-delivery-"));
  await capture?.delivery?.write(target, never);
  assert.equal(capture?.delivery?.name, "acme-20261202.geotiff");
  const { analytic } = item.assets;
  assert.deepEqual(capture?.delivery?.document, { ...item, assets: { analytic } });
  assert.deepEqual(await readFile(join(target, "acme-20261202.geotiff")), pixels);
  await rm(target, { recursive: true });
});

stapiTest("a refusal for good is kept with its reason, and the order is not sent again", async (running) => {
  await using provider = providerAt(running, "plain", { parameters: { urgency: { value: "never" } } });
  const order = sampleOrder(Date.now());
  const countBefore = (await running.orders()).length;
  for (let i = 0; i < 2; i++) {
    await assert.rejects(
      provider.submit(order, never),
      (error) =>
        error instanceof ServiceError && error.code === "BAD-REQUEST" && /no urgency never/u.test(error.message),
    );
  }
  assert.equal((await running.orders()).length, countBefore);
});

stapiTest("a cancellation is asked for where the provider has one, and told by the next poll", async (running) => {
  await using provider = providerAt(running, "plain", { cancel: "delete" });
  const order = sampleOrder(Date.now());
  const id = await provider.submit(order, never);
  await provider.cancel(order, id, never);
  await provider.cancel(order, id, never);
  assert.equal((await provider.poll(order, id, never)).state, "cancelled");

  await using withoutWay = providerAt(running, "plain");
  const other = sampleOrder(Date.now());
  const otherId = await withoutWay.submit(other, never);
  await assert.rejects(
    withoutWay.cancel(other, otherId, never),
    (error) => error instanceof ServiceError && error.code === "ILLEGAL-STATE-TRANSITION",
  );
  await running.tell(otherId, { status_code: "cancelled", reason_text: "satellite lost" });
  const told = await withoutWay.poll(other, otherId, never);
  assert.deepEqual([told.state, told.reasonText], ["failed", "satellite lost"], "nobody asked for it");
});

stapiTest("an order whose answer was lost is found again by its parameters", async (running) => {
  const order = sampleOrder(Date.now());
  const settings = { url: running.url, product: "plain", parameters: { urgency: { from: "priority" } } } as const;
  const countBefore = (await running.orders()).length;
  await using losing = createStapiProvider(settings, {
    clock: systemClock,
    db: database.db,
    observe: (transport) => async (request) => {
      const answer = await transport(request);
      if (request.method === "POST") throw Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
      return answer;
    },
  });
  await assert.rejects(losing.submit(order, never), /gave no whole answer/u);
  await using provider = createStapiProvider(settings, { clock: systemClock, db: database.db });
  const id = await provider.submit(order, never);
  assert.equal((await running.orders()).length, countBefore + 1);
  assert.equal((await running.orders()).at(-1)?.id, id);
});
