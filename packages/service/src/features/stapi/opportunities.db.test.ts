import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Person } from "../tasking/feasibility/testing.ts";
import { ASSURED, FLEXIBLE, HARBOUR, intervalFromNow, stapiBench, type Answer, type StapiBench } from "./testing.ts";

let bench: StapiBench;
let ada: Person;
let bob: Person;

before(async () => {
  bench = await stapiBench();
  ada = await bench.study.addUser("ada");
  bob = await bench.study.addUser("bob");
});
after(() => bench[Symbol.asyncDispose]());

const WEEK = { datetime: intervalFromNow(48, 216), geometry: HARBOUR };

type Named = Readonly<Record<string, unknown>>;

function search(product: string, more: Named = {}, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return bench.post(`/products/${product}/opportunities`, { ...WEEK, ...more }, ada, headers);
}

async function found(product: string, more: Named = {}): Promise<readonly { readonly properties: Named }[]> {
  const { json, status } = await search(product, { limit: 100, ...more }, { prefer: "wait=60" });
  assert.equal(status, 200, JSON.stringify(json).slice(0, 500));
  return json.features;
}

const lessEqual = (property: string, value: unknown) => ({ op: "<=", args: [{ property }, value] });
const linkOf = ({ json }: Answer, rel: string) => json.links.find((one: { rel: string }) => one.rel === rel);

test("the landing page and its classes are open; products need the token of a user", async () => {
  const { json, status } = await bench.get("");
  assert.equal(status, 200);
  const classes = ["core", "order-statuses", "searches-opportunity", "searches-opportunity-statuses"];
  assert.deepEqual(
    json.conformsTo,
    classes.map((name) => `https://stapi.example.com/v0.1.0/${name}`),
  );
  assert.deepEqual((await bench.get("/conformance")).json.conformsTo, json.conformsTo);
  const refused = await bench.get("/products");
  assert.deepEqual([refused.status, refused.json.code], [401, "INVALID-AUTHORIZATION-HEADER"]);
});

test("products come once each, over pages that the links lead to", async () => {
  const ids: string[] = [];
  let page = await bench.get("/products?limit=7", ada);
  for (;;) {
    assert.equal(page.status, 200, JSON.stringify(page.json));
    ids.push(...page.json.products.map(({ id }: { id: string }) => id));
    const next = linkOf(page, "next");
    if (next === undefined) break;
    page = await bench.get(next.href, ada);
  }
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ids.includes(ASSURED) && ids.includes(FLEXIBLE), ids.join(" "));
  assert.equal((await bench.get(`/products?limit=1000000`, ada)).json.products.length, ids.length);
  for (const query of ["limit=0", "limit=-1", "limit=x", "unknown=1", "next=0", "next=9999", "next=1e1"]) {
    assert.equal((await bench.get(`/products?${query}`, ada)).status, 400, query);
  }
});

test("a product states its geometries, its limits and its links", async () => {
  const { json } = await bench.get(`/products/${ASSURED}`, ada);
  assert.deepEqual(json.conformsTo.slice(2), [
    "https://geojson.org/schema/Point.json",
    "https://geojson.org/schema/Polygon.json",
  ]);
  assert.deepEqual([json["swath:lead_hours"], json["swath:least_area_km2"]], [[12, 336], 25]);
  const rels = ["queryables", "order-parameters", "opportunities", "create-order"];
  assert.ok(rels.every((rel) => json.links.some((link: { rel: string }) => link.rel === rel)));
  const missing = await bench.get("/products/radar--multi.spotlight.sometimes", ada);
  assert.deepEqual([missing.status, missing.json.code], [404, "DATA-NOT-AVAILABLE"]);
});

test("queryables are the limits of the sensors, and order parameters the choices of the contract", async () => {
  const queryables = await bench.get(`/products/${ASSURED}/queryables`, ada);
  assert.equal(queryables.mediaType, "application/schema+json");
  const { "view:incidence_angle": incidence, "swath:priority": priority } = queryables.json.properties;
  const sensors = bench.study.studies.catalog.findDataset("radar-multi", "spotlight")?.dataset.sensors;
  assert.ok(sensors?.limits.kind === "radar");
  assert.deepEqual(
    [incidence.minimum, incidence.maximum],
    [sensors.limits.minIncidenceDeg, sensors.limits.maxIncidenceDeg],
  );
  assert.deepEqual(priority.enum, ["priority", "urgent"]);
  assert.equal("eo:cloud_cover" in queryables.json.properties, false, "a radar sees through clouds");
  const parameters = await bench.get(`/products/${FLEXIBLE}/order-parameters`, ada);
  assert.equal(parameters.json.additionalProperties, false);
  assert.deepEqual(parameters.json.required, ["opportunity_id"]);
  assert.deepEqual(parameters.json.properties.priority.enum, ["flexible", "standard"]);
  assert.deepEqual(parameters.json.properties.exclusivity.enum, ["public"]);
  assert.equal("sla" in parameters.json.properties, false, "the contract promises no time");
});

test("opportunities are the windows of a study with their prices", async () => {
  const opportunities = await found(ASSURED);
  const [startTime, endTime] = WEEK.datetime.split("/");
  const parameters = { dataset: "spotlight", name: "a", geometry: HARBOUR, priority: "priority", startTime, endTime };
  const { body } = await bench.study.run("/scene-tasking/feasibility", parameters, ada);
  const windows: readonly { readonly startTime: string; readonly endTime: string; readonly price: number }[] =
    body.windows;
  assert.ok(windows.length > 3);
  assert.deepEqual(
    opportunities.map(({ properties }) => [properties["datetime"], properties["swath:credits"]]),
    windows.map((one) => [`${one.startTime}/${one.endTime}`, one.price]),
  );
  assert.ok(opportunities.every(({ properties }) => Number(properties["view:incidence_angle"]) > 0));
});

test("a filter leaves the opportunities that meet it, and decides priority and price", async () => {
  const all = await found(ASSURED);
  const steep = await found(ASSURED, { filter: lessEqual("view:incidence_angle", 35) });
  const expected = all.filter(({ properties }) => Number(properties["view:incidence_angle"]) <= 35);
  const times = (some: typeof all): readonly unknown[] => some.map(({ properties }) => properties["datetime"]);
  assert.deepEqual(times(steep), times(expected));
  assert.ok(steep.length > 0 && steep.length < all.length, `${steep.length} of ${all.length}`);
  assert.deepEqual(await found(ASSURED, { filter: lessEqual("swath:credits", 0.01) }), []);
  const urgent = { op: "=", args: [{ property: "swath:priority" }, "urgent"] };
  const prices = async (filter: unknown) =>
    new Set((await found(ASSURED, { filter })).map((one) => one.properties["swath:credits"]));
  assert.deepEqual([await prices({}), await prices(urgent)], [new Set([4.5]), new Set([6.25])]);
});

const probabilities = async (limit: number) =>
  (await found("optical--agile.newsat.assured", { filter: lessEqual("eo:cloud_cover", limit) })).map(({ properties }) =>
    Number(properties["swath:probability"]),
  );

test("the limit of clouds of an optical product decides the probability of its opportunities", async () => {
  const [clear = 1] = await probabilities(5);
  const [cloudy = 0] = await probabilities(80);
  assert.ok(clear < cloudy, `${clear} < ${cloudy}`);
});

test("pages follow each other by the body of the next link", async () => {
  const all = await found(ASSURED);
  const ids: unknown[] = [];
  let page = await search(ASSURED, { limit: 2 });
  const searchId = page.json.id;
  for (;;) {
    assert.equal(page.status, 200, JSON.stringify(page.json));
    ids.push(...page.json.features.map(({ properties }: { properties: Named }) => properties["datetime"]));
    const next = linkOf(page, "next");
    if (next === undefined) break;
    page = await bench.post(new URL(next.href).pathname.replace("/stapi", ""), next.body, ada);
    assert.equal(page.json.id, searchId, "one search");
  }
  assert.deepEqual(
    ids,
    all.map(({ properties }) => properties["datetime"]),
  );
  const { body } = linkOf(await search(ASSURED, { limit: 2 }), "next");
  const stolen = await bench.post(
    `/products/${ASSURED}/opportunities`,
    { ...body, geometry: { ...HARBOUR, coordinates: [1, 1] } },
    ada,
  );
  assert.deepEqual([stolen.status, stolen.json.code], [400, "INVALID-CURSOR"]);
  const foreign = await bench.post(`/products/${ASSURED}/opportunities`, body, bob);
  assert.deepEqual([foreign.status, foreign.json.code], [400, "INVALID-CURSOR"]);
});

test("an asynchronous search has a record, which leads to its opportunities and exists for its group alone", async () => {
  const started = await search(ASSURED, {}, { prefer: "respond-async" });
  assert.deepEqual([started.status, started.mediaType], [201, "application/json"]);
  assert.equal(started.json.product_id, ASSURED);
  assert.ok(started.location?.endsWith(`/stapi/searches/opportunities/${started.json.id}`));
  await bench.study.queue.waitFor(started.json.id, AbortSignal.timeout(60_000), 60_000);
  const record = await bench.get(started.location ?? "", ada);
  assert.equal(record.json.status.status_code, "completed", JSON.stringify(record.json));
  const statuses = await bench.get(linkOf(record, "monitor").href, ada);
  assert.deepEqual(
    statuses.json.statuses.map((one: { status_code: string }) => one.status_code),
    ["received", "completed"],
  );
  const collection = await bench.get(`${linkOf(record, "opportunities").href}?limit=100`, ada);
  assert.equal(collection.json.features.length, (await found(ASSURED)).length);
  for (const path of [started.location ?? "", linkOf(record, "opportunities").href]) {
    const foreign = await bench.get(path, bob);
    assert.deepEqual([foreign.status, foreign.json.code], [404, "NON-EXISTENT-PIPELINE"]);
  }
  assert.equal((await bench.get("/searches/opportunities", bob)).json.search_records.length, 0);
  const first = await bench.get("/searches/opportunities?limit=1", ada);
  const second = await bench.get(linkOf(first, "next").href, ada);
  const [one, other] = [first, second].map(({ json }) => json.search_records[0].id);
  assert.ok(one !== other && other !== undefined);
});

const ring = (...positions: readonly (readonly [number, number])[]) => ({
  type: "Polygon",
  coordinates: [positions],
});

test("a request against the rules of the product is refused with 400 and its member", async () => {
  const refused: readonly (readonly [Named, RegExp])[] = [
    [{ datetime: "2026-12-01T00:00:00Z/.." }, /^\/datetime must be a closed interval/],
    [{ datetime: "../2026-12-01T00:00:00Z" }, /^\/datetime must be a closed interval/],
    [{ datetime: "2026-12-01/2026-12-09" }, /^\/datetime must be a closed interval/],
    [{ datetime: intervalFromNow(48, 24) }, /^\/datetime must be a closed interval/],
    [{ datetime: "2020-01-01T00:00:00Z/2020-02-01T00:00:00Z" }, /^\/datetime has no time within/],
    [{ datetime: 5 }, /datetime/],
    [
      {
        geometry: {
          type: "LineString",
          coordinates: [
            [1, 1],
            [2, 2],
          ],
        },
      },
      /geometry/,
    ],
    [{ geometry: ring([0, 0], [1, 1], [1, 0], [0, 1], [0, 0]) }, /^\/geometry\/coordinates crosses/],
    [{ geometry: { type: "Point", coordinates: [10, 95] } }, /^\/geometry/],
    [{ geometry: ring([0, 0], [10, 0], [10, 10], [0, 0]) }, /bounding rectangle/],
    [{ filter: lessEqual("speed", 1) }, /^\/filter is not readable: there is no property "speed"/],
    [{ filter: lessEqual("eo:cloud_cover", 20) }, /^\/filter is not readable: there is no property "eo:cloud_cover"/],
    [{ filter: { op: "=", args: [{ property: "swath:priority" }, "express"] } }, /expected one of priority, urgent/],
    [{ filter: "swath:credits < 5" }, /^\/filter is not readable/],
    [
      { filter: { op: "and", args: Array.from({ length: 70 }, () => lessEqual("swath:credits", 1)) } },
      /at most 200 parts/,
    ],
    [{ filter: [] }, /^\/filter is not readable/],
    [{ limit: 0 }, /limit/],
    [{ next: "nonsense" }, /next is no token/],
    [{ budget: 5 }, /budget is no member of the request/],
  ];
  for (const [more, message] of refused) {
    const { json, status } = await search(ASSURED, more);
    assert.equal(status, 400, JSON.stringify([more, json]).slice(0, 500));
    assert.match(json.description, message);
    assert.equal(json.code, json.error);
  }
  const missing = await search("radar--multi.none.assured");
  assert.deepEqual([missing.status, missing.json.code], [404, "DATA-NOT-AVAILABLE"]);
});

test("a search that takes longer than the wait is answered by its record", async () => {
  await using idle = await stapiBench({ hasWorker: false });
  const kim = await idle.study.addUser("kim");
  const path = `/products/${ASSURED}/opportunities`;
  const answer = await idle.post(path, WEEK, kim, { prefer: "wait=0" });
  assert.deepEqual([answer.status, answer.json.status.status_code], [201, "received"]);
  const early = await idle.get(`${path}/${answer.json.id}`, kim);
  assert.deepEqual([early.status, early.json.code], [400, "PIPELINE-NOT-PROCESSED"]);
});

test("a provider that does not answer fails the search with its code and words", async () => {
  const silent = {
    feasibility: () => Promise.reject(new ServiceError("SERVICE-UNAVAILABLE", "the satellites are out of reach")),
  };
  await using broken = await stapiBench({ adapters: { spotlight: silent } });
  const kim = await broken.study.addUser("kim");
  const path = `/products/${ASSURED}/opportunities`;
  const answer = await broken.post(path, WEEK, kim);
  assert.deepEqual([answer.status, answer.json.code], [503, "SERVICE-UNAVAILABLE"]);
  const { json } = await broken.get("/searches/opportunities", kim);
  const [{ status }] = json.search_records;
  assert.deepEqual(
    [status.status_code, status.reason_code, status.reason_text],
    ["failed", "SERVICE-UNAVAILABLE", "the satellites are out of reach"],
  );
});
