import assert from "node:assert/strict";
import { type RawClient, readJson } from "./raw-client.ts";

const HARBOUR = { type: "Point", coordinates: [9.95, 53.54] } as const;
const DAY_MS = 86_400_000;
const PRODUCT = "radar--multi.spotlight.flexible";

interface Link {
  readonly rel: string;
  readonly href: string;
  readonly body?: unknown;
}

function linkOf({ links }: { readonly links: readonly Link[] }, rel: string): Link {
  const link = links.find((one) => one.rel === rel);
  assert.ok(link !== undefined, `a link ${rel}`);
  return link;
}

async function document(client: RawClient, url: string) {
  const answer = await client.get(url);
  const json = await readJson(answer);
  assert.equal(answer.status, 200, `${url}: ${JSON.stringify(json)}`);
  return json;
}

/** An order by the Sensor Tasking API: placed from the link of an opportunity. */
export interface StapiOrdered {
  readonly orderId: string;
  /** Address of its statuses. */
  readonly monitor: string;
}

/** A client of STAPI orders by the links that lead from the landing page, at the price that it was shown. */
export async function stapiJourney({
  admin,
  demo,
}: Readonly<Record<"admin" | "demo", RawClient>>): Promise<StapiOrdered> {
  const landing = await document(demo, "/stapi");
  assert.deepEqual((await document(demo, "/stapi/conformance")).conformsTo, landing.conformsTo);
  assert.equal((await document(demo, linkOf(landing, "service-desc").href)).openapi, "3.0.3");
  const { products } = await document(demo, `${linkOf(landing, "products").href}?limit=100`);
  const product = await document(demo, `/stapi/products/${PRODUCT}`);
  assert.deepEqual(
    products.find(({ id }: { id: string }) => id === PRODUCT),
    product,
  );
  assert.ok("swath:credits" in (await document(demo, linkOf(product, "queryables").href)).properties);
  assert.equal((await document(demo, linkOf(product, "order-parameters").href)).additionalProperties, false);

  const nowMs = Date.now();
  const datetime = [2, 9].map((days) => new Date(nowMs + days * DAY_MS).toISOString()).join("/");
  const request = { datetime, geometry: HARBOUR };
  const search = `/stapi/products/${PRODUCT}/opportunities`;
  const found = await demo.post(search, request, { prefer: "wait=60" });
  assert.equal(found.status, 200, JSON.stringify(found.body));
  const started = await demo.post(search, request, { prefer: "respond-async" });
  assert.deepEqual([started.status, started.headers.get("preference-applied")], [201, "respond-async"]);
  const record = await endedSearch(demo, started.headers.get("location") ?? "");
  const opportunities = await document(demo, linkOf(record, "opportunities").href);
  assert.equal(opportunities.features.length, found.body.features.length);
  const records = await document(demo, linkOf(landing, "opportunity-search-records").href);
  assert.equal(records.search_records[0].id, record.id);

  const remaining = async (): Promise<number> =>
    (await demo.post("/credits/get-remaining-credit", {})).body.remainingCredit;
  const before = await remaining();
  const [opportunity] = opportunities.features;
  const { body, href } = linkOf(opportunity, "create-order");
  const orders = new URL(href).pathname;
  const key = { "idempotency-key": crypto.randomUUID() };
  const placed = await demo.post(orders, body, key);
  assert.equal(placed.status, 201, JSON.stringify(placed.body));
  assert.equal((await demo.post(orders, body, key)).body.id, placed.body.id);
  const price = opportunity.properties["swath:credits"];
  assert.ok(Math.abs(before - (await remaining()) - price) < 1e-6, "charged once, as shown");

  const order = await document(demo, placed.headers.get("location") ?? "");
  assert.deepEqual([order.id, order.properties.status.status_code], [placed.body.id, "reserved"]);
  const monitor = linkOf(order, "monitor").href;
  assert.ok((await document(demo, monitor)).statuses.length >= 2);
  for (const list of [linkOf(landing, "orders").href, orders]) {
    assert.equal((await document(demo, `${list}?limit=1`)).features[0].id, order.id);
  }
  assert.equal((await admin.get(`/stapi/orders/${order.id}`)).status, 200, "administrators see it");
  assert.equal((await demo.get(`/stapi/orders/${crypto.randomUUID()}`)).status, 404);
  return { orderId: order.id, monitor };
}

async function endedSearch(client: RawClient, url: string) {
  const patience = AbortSignal.timeout(60_000);
  for (;;) {
    const record = await document(client, url);
    const { statuses } = await document(client, linkOf(record, "monitor").href);
    if (["completed", "failed"].includes(record.status.status_code)) {
      assert.equal(statuses.at(-1).status_code, "completed", JSON.stringify(record));
      return record;
    }
    patience.throwIfAborted();
  }
}
