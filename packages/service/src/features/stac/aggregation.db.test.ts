import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { COLLECTION, sceneOver, stacBench, type StacBench } from "./testing.ts";

let bench: StacBench;
let lee: string;
let kim: string;

before(async () => {
  bench = await stacBench();
  const owner = await bench.addUser("kim", ["imagery"]);
  kim = owner.token;
  lee = (await bench.addUser("lee", ["imagery.availability", "imagery.images.ee"])).token;
  await bench.imagery.insertScenes([
    sceneOver("a", [10, 50, 11, 51], { cloudCover: 0.05, datetime: "2024-05-31 23:59:59" }),
    sceneOver("b", [10, 50, 11, 51], { cloudCover: 0.1, datetime: "2024-06-01 00:00:00", satellite: "Sentinel-2B" }),
    sceneOver("c", [20, 50, 21, 51], { cloudCover: 1, datetime: "2024-06-30 10:00:00" }),
    sceneOver("d", [20, 50, 21, 51], { datetime: "2024-07-04 10:00:00" }),
    sceneOver("radar", [10, 50, 11, 51], { dataset: "COPERNICUS/S1_GRD", datetime: "2024-06-05 10:00:00" }),
    {
      ...sceneOver("own", [10, 50, 11, 51], { cloudCover: 0.5, datetime: "2020-01-01 00:00:00" }),
      rights: { owner: owner.audience, audience: owner.audience },
    },
  ]);
});
after(async () => {
  await bench[Symbol.asyncDispose]();
});

interface Aggregation {
  readonly name: string;
  readonly value?: unknown;
  readonly overflow?: number;
  readonly buckets?: readonly { readonly key: string; readonly frequency: number }[];
}

async function aggregated(
  query: Readonly<Record<string, string>>,
  { home = "", token = lee }: { readonly home?: string; readonly token?: string } = {},
): Promise<readonly Aggregation[]> {
  const { status, json } = await bench.get(`${home}/aggregate?${new URLSearchParams(query).toString()}`, token);
  assert.equal(status, 200, JSON.stringify(json));
  assert.equal(json.type, "AggregationCollection");
  return json.aggregations;
}

function frequencies({ buckets = [] }: Aggregation): readonly (readonly [string, number])[] {
  return buckets.map(({ key, frequency }) => [key, frequency]);
}

test("a search is counted, with its period, in the order of the names", async () => {
  const names = "datetime_max,total_count,datetime_min";
  const answers = await aggregated({ aggregations: names, collections: COLLECTION });
  assert.deepEqual(
    answers.map(({ name, value }) => [name, value]),
    [
      ["datetime_max", "2024-07-04T10:00:00.000Z"],
      ["total_count", 4],
      ["datetime_min", "2024-05-31T23:59:59.000Z"],
    ],
  );
});

test("buckets hold months of UTC, collections, platforms and tenths of cloud cover", async () => {
  const names = "datetime_frequency,collection_frequency,platform_frequency,cloud_cover_frequency";
  const [months, collections, platforms, clouds] = await aggregated({ aggregations: names });
  assert.ok(months !== undefined && collections !== undefined && platforms !== undefined && clouds !== undefined);
  assert.deepEqual(frequencies(months), [
    ["2024-05-01T00:00:00Z", 1],
    ["2024-06-01T00:00:00Z", 3],
    ["2024-07-01T00:00:00Z", 1],
  ]);
  assert.deepEqual(frequencies(collections), [
    ["ee.COPERNICUS-_S1_GRD", 1],
    [COLLECTION, 4],
  ]);
  assert.deepEqual(frequencies(platforms), [
    ["Sentinel-2A", 4],
    ["Sentinel-2B", 1],
  ]);
  // 100 % is in the last bucket, a scene without the property in none.
  assert.deepEqual(frequencies(clouds), [
    ["0", 1],
    ["10", 1],
    ["90", 1],
  ]);
  assert.deepEqual([months.overflow, collections.overflow, platforms.overflow, clouds.overflow], [0, 0, 0, 0]);
});

test("the conditions are those of a search, and the count is its numberMatched", async () => {
  for (const conditions of [
    { bbox: "10.2,50.2,10.4,50.4" },
    { datetime: "2024-06-01T00:00:00Z/2024-06-30T23:59:59Z" },
    { filter: "eo:cloud_cover < 20" },
    { query: '{"eo:cloud_cover":{"gte":10}}', collections: COLLECTION },
    { intersects: '{"type":"Point","coordinates":[20.5,50.5]}' },
    { bbox: "60,10,61,11" },
  ]) {
    const [count] = await aggregated({ ...conditions });
    const found = await bench.get(`/search?${new URLSearchParams({ ...conditions }).toString()}`, lee);
    assert.deepEqual(
      [count?.name, count?.value],
      ["total_count", found.json.numberMatched],
      JSON.stringify(conditions),
    );
  }
  const none = await aggregated({ aggregations: "datetime_min,datetime_frequency", bbox: "60,10,61,11" });
  const [first, months] = none;
  assert.deepEqual([first?.value, months?.buckets, months?.overflow], [null, [], 0]);
});

test("scenes of others do not count, and nothing counts in a collection without the right", async () => {
  const [own] = await aggregated({ collections: COLLECTION }, { token: kim });
  const [others] = await aggregated({ collections: COLLECTION });
  assert.deepEqual([own?.value, others?.value], [5, 4]);
  const [inside] = await aggregated({}, { home: `/collections/${COLLECTION}` });
  assert.equal(inside?.value, 4);
  assert.equal((await bench.get("/collections/pl.PSScene4Band_tile/aggregate", lee)).status, 404);
  assert.equal((await bench.get("/collections/pl.PSScene4Band_tile/aggregations", lee)).status, 404);
  assert.equal((await bench.get("/aggregate")).status, 401);
});

test("unknown aggregations and members are refused, and the list says which there are", async () => {
  const refused = await bench.get("/aggregate?aggregations=total_count,price", lee);
  assert.equal(refused.status, 400);
  assert.match(JSON.stringify(refused.json), /got price, expected some of total_count/);
  assert.equal((await bench.get("/aggregate?limit=5", lee)).status, 400);
  const { aggregations } = (await bench.get("/aggregations")).json;
  assert.deepEqual(aggregations[0], { name: "total_count", data_type: "integer" });
  const landing = (await bench.get("")).json;
  for (const rel of ["aggregate", "aggregations"]) {
    assert.ok(landing.links.some((link: { readonly rel: string }) => link.rel === rel));
  }
});
