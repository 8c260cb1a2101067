import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { testCaller } from "../credits/testing.ts";
import { RADAR_CONTRACT } from "../tasking/contracts/testing.ts";
import type { Person } from "../tasking/feasibility/testing.ts";
import { createOrder } from "../tasking/orders/create-order.ts";
import { ASSURED, FLEXIBLE, HARBOUR, intervalFromNow, stapiBench, type Answer, type StapiBench } from "./testing.ts";

let bench: StapiBench;
let ada: Person;
let bob: Person;

before(async () => {
  bench = await stapiBench();
  ada = await bench.study.addUser("ada");
  bob = await bench.study.addUser("bob");
  await bench.study.grant(ada.groupId, 1000);
});
after(() => bench[Symbol.asyncDispose]());

type Named = Readonly<Record<string, unknown>>;

/** An opportunity as a search answers it. */
interface Opportunity {
  readonly id: string;
  readonly geometry: object;
  readonly properties: { readonly datetime: string; readonly "swath:credits": number };
  /** The body of its order. */
  readonly body: { readonly order_parameters: Named } & Named;
}

async function opportunity(product: string, person = ada, more: Named = {}): Promise<Opportunity> {
  const request = { datetime: intervalFromNow(48, 240), geometry: HARBOUR, limit: 1, ...more };
  const { json, status } = await bench.post(`/products/${product}/opportunities`, request, person, { prefer: "wait" });
  assert.equal(status, 200, JSON.stringify(json));
  const [first] = json.features;
  const { body } = first.links.find(({ rel }: { rel: string }) => rel === "create-order");
  return { ...first, body };
}

function order(product: string, body: unknown, headers: Readonly<Record<string, string>> = {}, person = ada) {
  return bench.post(`/products/${product}/orders`, body, person, headers);
}

async function credit({ userId, groupId }: Person): Promise<number> {
  const { remainingCredit } = await bench.study.credits.remainingCredit(testCaller({ userId, groupId }));
  return Math.round(remainingCredit * 1e6) / 1e6;
}

async function countOrders(): Promise<number> {
  return (await bench.study.db.selectFrom("tasking_orders").select("id").execute()).length;
}

const ceiling = (credits: number) => ({ op: "<=", args: [{ property: "swath:credits" }, credits] });
const refusal = ({ json, status }: Answer): readonly unknown[] => [status, json.code];

for (const product of [ASSURED, FLEXIBLE]) {
  test(`the link of an opportunity of ${product} orders it at the shown price`, async () => {
    const chosen = await opportunity(product);
    const earlier = await credit(ada);
    const { json, location, mediaType, status } = await order(product, chosen.body);
    assert.equal(status, 201, JSON.stringify(json));
    assert.equal(mediaType, "application/geo+json");
    assert.ok(location?.endsWith(`/stapi/orders/${json.id}`));
    assert.equal(json.properties.product_id, product);
    assert.equal(json.properties["swath:credits"], chosen.properties["swath:credits"]);
    assert.equal(json.properties.status.status_code, "reserved");
    assert.deepEqual(json.properties.order_parameters, chosen.body.order_parameters);
    assert.deepEqual(json.properties.search_parameters.geometry, HARBOUR);
    assert.equal(json.properties.opportunity_properties.datetime, chosen.properties.datetime);
    assert.equal(await credit(ada), earlier - chosen.properties["swath:credits"]);
    assert.deepEqual((await bench.get(location ?? "", ada)).json, json);
  });
}

test("an order repeats the area of the search or the area that the opportunity shows", async () => {
  const chosen = await opportunity(ASSURED);
  const placed = await order(ASSURED, { ...chosen.body, geometry: chosen.geometry });
  assert.equal(placed.status, 201, JSON.stringify(placed.json));
  const elsewhere = { ...(await opportunity(ASSURED)).body, geometry: { ...HARBOUR, coordinates: [103.9, 1.3] } };
  const refused = await order(ASSURED, elsewhere);
  assert.equal(refused.status, 400);
  assert.match(refused.json.description, /^\/geometry differs from the geometry of the window/);
});

test("one key is one order: equal requests return it, others are refused", async () => {
  const { body } = await opportunity(ASSURED);
  const earlier = await countOrders();
  const headers = { "idempotency-key": '"8e03978e-40d5-43dd-bc93-6894a57f9324"' };
  const answers = await Promise.all(Array.from({ length: 6 }, () => order(ASSURED, body, headers)));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201, 201, 201, 201],
  );
  assert.equal(new Set(answers.map(({ json }) => json.id)).size, 1);
  assert.equal(await countOrders(), earlier + 1);
  const [first] = answers;
  const unquoted = await order(ASSURED, body, { "idempotency-key": "8e03978e-40d5-43dd-bc93-6894a57f9324" });
  assert.equal(unquoted.json.id, first?.json.id, "quotes are no part of the key");
  const other = { ...body, filter: { op: "<=", args: [{ property: "swath:credits" }, 100] } };
  assert.deepEqual(refusal(await order(ASSURED, other, headers)), [409, "CONFLICT"]);
  assert.equal(await countOrders(), earlier + 1);
});

test("without a key an equal request returns the first order, also after its opportunity is gone", async () => {
  const { body, id } = await opportunity(ASSURED);
  const first = await order(ASSURED, body);
  const earlier = await credit(ada);
  await bench.study.db.deleteFrom("tasking_windows").where("window_id", "=", id).execute();
  const again = await order(ASSURED, body);
  assert.deepEqual([again.status, again.json.id], [201, first.json.id]);
  assert.equal(await credit(ada), earlier);
});

test("a price above the limit of the filter is refused before anything is charged", async () => {
  const { body, properties } = await opportunity(ASSURED);
  const [earlier, count] = [await credit(ada), await countOrders()];
  const refused = await order(ASSURED, { ...body, filter: ceiling(properties["swath:credits"] - 0.01) });
  assert.deepEqual(refusal(refused), [400, "BAD-REQUEST"]);
  assert.match(refused.json.description, /costs 4.5 credits/);
  assert.deepEqual([await credit(ada), await countOrders()], [earlier, count]);
  assert.equal((await order(ASSURED, { ...body, filter: ceiling(properties["swath:credits"]) })).status, 201);
});

test("without credit nothing is ordered", async () => {
  const chosen = await opportunity(ASSURED, bob);
  const count = await countOrders();
  assert.deepEqual(refusal(await order(ASSURED, chosen.body, {}, bob)), [401, "INSUFFICIENT-CREDIT"]);
  assert.equal(await countOrders(), count);
});

test("orders against their opportunity are refused with the member, and nothing is charged", async () => {
  const { body, properties } = await opportunity(ASSURED);
  const flexible = await opportunity(FLEXIBLE);
  const [earlier, count] = [await credit(ada), await countOrders()];
  const withParameter = (more: Named): Named => ({
    ...body,
    order_parameters: { ...body.order_parameters, ...more },
  });
  const { order_parameters: _, ...without } = body;
  const refused: readonly (readonly [string, unknown, RegExp])[] = [
    [ASSURED, withParameter({ priorty: "urgent" }), /priorty is no member of the request; did you mean "priority"/],
    [ASSURED, { ...body, max_price: 3 }, /max_price is no member/],
    [ASSURED, without, /order_parameters/],
    [ASSURED, withParameter({ priority: "urgent" }), /^\/order_parameters\/priority is urgent, expected priority/],
    [
      ASSURED,
      withParameter({ exclusivity: "mine" }),
      /^\/order_parameters\/exclusivity is mine, expected one of public/,
    ],
    [ASSURED, withParameter({ sla: "8h" }), /^\/order_parameters\/sla is 8h, expected the member left out/],
    [ASSURED, { ...body, datetime: intervalFromNow(1, 2) }, /^\/datetime leaves out the opportunity/],
    [
      ASSURED,
      { ...body, datetime: `${properties.datetime.split("/")[0]}/..` },
      /^\/datetime must be a closed interval/,
    ],
    [FLEXIBLE, body, /^\/order_parameters\/opportunity_id is of radar-multi spotlight with the priority priority/],
    [
      FLEXIBLE,
      { ...flexible.body, datetime: flexible.properties.datetime },
      /^\/datetime has 0 h that can be ordered now, expected 24 h or more/,
    ],
  ];
  for (const [product, sent, message] of refused) {
    const { json, status } = await order(product, sent);
    assert.equal(status, 400, JSON.stringify([sent, json]));
    assert.match(json.description, message);
  }
  const gone = await order(ASSURED, withParameter({ opportunity_id: crypto.randomUUID() }));
  assert.deepEqual(refusal(gone), [404, "NON-EXISTENT-WINDOW"]);
  const stolen = await order(ASSURED, body, {}, bob);
  assert.deepEqual(refusal(stolen), [404, "NON-EXISTENT-WINDOW"]);
  const control = await order(ASSURED, body, { "idempotency-key": "k".repeat(200) });
  assert.deepEqual(refusal(control), [400, "BAD-REQUEST"]);
  assert.deepEqual([await credit(ada), await countOrders()], [earlier, count]);
});

test("orders of others do not exist, and lists have own orders by pages", async () => {
  const { json } = await order(ASSURED, (await opportunity(ASSURED)).body);
  for (const path of [
    `/orders/${json.id}`,
    `/orders/${json.id}/statuses`,
    `/orders/${crypto.randomUUID()}`,
    "/orders/1",
  ]) {
    assert.deepEqual(refusal(await bench.get(path, bob)), [404, "NON-EXISTENT-ORDER"], path);
  }
  assert.deepEqual((await bench.get("/orders", bob)).json.features, []);
  const ids: string[] = [];
  let page = await bench.get(`/products/${ASSURED}/orders?limit=2`, ada);
  for (;;) {
    assert.equal(page.status, 200, JSON.stringify(page.json));
    assert.equal(page.mediaType, "application/geo+json");
    ids.push(...page.json.features.map(({ id }: { id: string }) => id));
    const next = page.json.links.find(({ rel }: { rel: string }) => rel === "next");
    if (next === undefined) break;
    page = await bench.get(next.href, ada);
  }
  assert.equal(ids[0], json.id, "newest first");
  assert.equal(new Set(ids).size, ids.length);
  const all = (await bench.get("/orders?limit=100", ada)).json.features;
  const assured = all.filter(({ properties }: { properties: Named }) => properties["product_id"] === ASSURED);
  assert.equal(assured.length, ids.length);
  assert.ok(assured.length < all.length, "flexible orders are of another product");
});

test("an order that tasking has placed is an order of STAPI with its parameters and statuses", async () => {
  const [startTime = "", endTime = ""] = intervalFromNow(48, 240).split("/");
  const parameters = { dataset: "spotlight", name: "own words", geometry: HARBOUR, startTime, endTime };
  const { body } = await bench.study.run("/scene-tasking/feasibility", parameters, ada);
  const [{ windowId, price }] = body.windows;
  const caller = testCaller({ userId: ada.userId, groupId: ada.groupId });
  const row = await createOrder(bench.study.studies, caller, {
    dataset: "spotlight",
    name: "own words",
    geometry: { type: "Point", coordinates: [103.85, 1.26] },
    windowId,
    startTime,
    endTime,
  });
  const { json } = await bench.get(`/orders/${row.id}`, ada);
  assert.deepEqual(json.properties.order_parameters, {
    opportunity_id: windowId,
    name: "own words",
    priority: "flexible",
  });
  assert.equal(json.properties.search_parameters.datetime, `${startTime}/${endTime}`);
  assert.equal(json.properties["swath:credits"], price);
  const statuses = await bench.get(`/orders/${row.id}/statuses`, ada);
  assert.deepEqual(
    statuses.json.statuses.map((one: { status_code: string }) => one.status_code),
    ["received", "reserved"],
  );
});

test("a licence of the contract is a required parameter, and a price plan is the price", async () => {
  const eva = await bench.study.addUser("eva");
  await bench.study.grant(eva.groupId, 1000);
  const { studies } = bench.study;
  const start = new Date(Date.now() - 86_400_000).toISOString();
  const contract = { ...RADAR_CONTRACT, groupId: eva.groupId, start, end: "2099-01-01T00:00:00Z" };
  await studies.contracts.set(testCaller(), contract);
  const { json } = await bench.get(`/products/${ASSURED}/order-parameters`, eva);
  assert.deepEqual(
    [json.required, json.properties.eula.enum],
    [
      ["opportunity_id", "eula"],
      ["standard", "government"],
    ],
  );
  const chosen = await opportunity(ASSURED, eva);
  assert.equal(chosen.properties["swath:credits"], 25 * 4 * 2 * 1.25);
  const refused = await order(ASSURED, chosen.body, {}, eva);
  assert.match(
    refused.json.description,
    /^\/order_parameters\/eula is missing: an order accepts a licence by its name/,
  );
  const accepted = { ...chosen.body, order_parameters: { ...chosen.body.order_parameters, eula: "standard" } };
  assert.equal((await order(ASSURED, accepted, {}, eva)).status, 201);
});
