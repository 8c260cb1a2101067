import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Bounds } from "@swath/kernel/geometry/geojson";
import { COLLECTION, sceneOver, stacBench, type Answer, type StacBench } from "./testing.ts";

let bench: StacBench;
let kim: string;
let lee: string;

const HIDDEN: Bounds = [10, 50, 11, 51];

before(async () => {
  bench = await stacBench();
  const owner = await bench.addUser("kim", ["imagery"]);
  kim = owner.token;
  lee = (await bench.addUser("lee", ["imagery.availability", "imagery.images.ee"])).token;
  await bench.imagery.insertScenes([
    sceneOver("a", [10, 50, 11, 51], { cloudCover: 0.1, datetime: "2024-06-01 10:00:00", offNadir: 2 }),
    sceneOver("b", [10.5, 50, 11.5, 51], {
      cloudCover: 0.5,
      datetime: "2024-06-02 10:00:00",
      satellite: "Sentinel-2B",
    }),
    sceneOver("c", [20, 50, 21, 51], { cloudCover: 0.9, datetime: "2024-06-03 10:00:00" }),
    sceneOver("d", [179.5, 0, 180, 1], { datetime: "2024-06-04 10:00:00" }),
    sceneOver("radar", [10, 50, 11, 51], {
      dataset: "COPERNICUS/S1_GRD",
      datetime: "2024-06-05 10:00:00",
      orbitPass: "ascending",
    }),
    { ...sceneOver("own", HIDDEN), rights: { owner: owner.audience, audience: owner.audience } },
  ]);
});
after(async () => {
  await bench[Symbol.asyncDispose]();
});

function titles({ status, json }: Answer): readonly string[] {
  assert.equal(status, 200, JSON.stringify(json));
  assert.equal(json.numberReturned, json.features.length);
  return json.features.map((item: { properties: { title: string } }) => item.properties.title.replace("granule ", ""));
}

const search = (query: Readonly<Record<string, string>>, token = lee): Promise<Answer> =>
  bench.get(`/search?${new URLSearchParams(query).toString()}`, token);

test("the landing page is open and leads to the collections of the caller only", async () => {
  const open = await bench.get("");
  assert.equal(open.status, 200);
  assert.ok(open.json.conformsTo.includes("https://api.stacspec.org/v1.0.0/item-search"));
  assert.equal(
    open.json.links.some(({ rel }: { rel: string }) => rel === "child"),
    false,
  );
  const mine = await bench.get("", lee);
  const children = mine.json.links.filter(({ rel }: { rel: string }) => rel === "child");
  assert.ok(children.length > 1);
  assert.ok(children.every(({ href }: { href: string }) => href.includes("/collections/ee.")));
});

test("the children are the documents behind the child links of the landing page", async () => {
  for (const token of [undefined, lee, kim]) {
    const landing = await bench.get("", token);
    const { json, status } = await bench.get("/children", token);
    assert.equal(status, 200);
    const hrefs = landing.json.links.flatMap(({ rel, href }: { rel: string; href: string }) =>
      rel === "child" ? [href] : [],
    );
    assert.equal(hrefs.length > 0, token !== undefined);
    const documents = await Promise.all(hrefs.map(async (href: string) => (await bench.get(href, token)).json));
    assert.deepEqual(json.children, documents);
    assert.deepEqual(
      json.links.map(({ rel }: { rel: string }) => rel),
      ["self", "root", "parent"],
    );
    const link = landing.json.links.find(({ rel }: { rel: string }) => rel === "children");
    assert.deepEqual(link.href, json.links[0].href);
  }
});

test("an error has the members of STAC beside those of every address, whichever layer refuses", async () => {
  const faults: readonly (readonly [Promise<Answer>, number, string])[] = [
    [bench.get("/search?limit=0", lee), 400, "BAD-REQUEST"],
    [bench.get("/collections/none", lee), 404, "DATA-NOT-AVAILABLE"],
    [bench.get("/nothing/here", lee), 404, "NON-EXISTENT-ENDPOINT"],
    [bench.get("/search"), 401, "INVALID-AUTHORIZATION-HEADER"],
    [bench.get("/%zz", lee), 400, "BAD-REQUEST"],
  ];
  for (const [asked, status, code] of faults) {
    const { json, ...answer } = await asked;
    assert.deepEqual([answer.status, json.code, json.error], [status, code, code]);
    assert.ok(json.description.length > 0);
    assert.equal(json.description, json.errorMessage);
  }
});

test("a search finds newest first, without the scenes of other groups, and counts exactly", async () => {
  assert.deepEqual(titles(await search({})), ["radar", "d", "c", "b", "a"]);
  assert.deepEqual(titles(await search({ collections: COLLECTION }, kim)), ["own", "d", "c", "b", "a"]);
  const page = await search({ limit: "2" });
  assert.deepEqual([page.json.numberMatched, page.json.numberReturned], [5, 2]);
  assert.equal(page.mediaType, "application/geo+json");
});

test("a scene of another group and a collection without rights are absent", async () => {
  const { json } = await search({ ids: "ee.COPERNICUS-_S2_HARMONIZED.own" }, kim);
  assert.equal(json.features.length, 1);
  const path = `/collections/${COLLECTION}/items/${json.features[0].id}`;
  assert.equal((await bench.get(path, kim)).status, 200);
  assert.equal((await bench.get(path, lee)).status, 404);
  assert.equal((await bench.get("/collections/local.uploads", lee)).status, 404);
  assert.equal((await bench.get("/collections/local.uploads/items", lee)).status, 404);
});

test("pages follow each other by the links of both methods", async () => {
  const found: string[] = [];
  let page = await search({ limit: "2", collections: COLLECTION });
  for (;;) {
    found.push(...titles(page));
    const next = page.json.links.find(({ rel }: { rel: string }) => rel === "next");
    if (next === undefined) break;
    page = await bench.get(next.href, lee);
  }
  assert.deepEqual(found, ["d", "c", "b", "a"]);
  const first = await bench.post({ limit: 3 }, lee);
  const { body } = first.json.links.find(({ rel }: { rel: string }) => rel === "next");
  // Clients that merge send the same as clients that do not.
  assert.equal(body.limit, 3);
  for (const next of [body, { limit: 3, ...body }]) assert.deepEqual(titles(await bench.post(next, lee)), ["b", "a"]);
  const stolen = await bench.post({ limit: 3, ...body, collections: [COLLECTION] }, lee);
  assert.deepEqual([stolen.status, stolen.json.error], [400, "INVALID-CURSOR"]);
});

test("areas are exact, and the overlap is a share of the area that filters and orders read", async () => {
  assert.deepEqual(titles(await search({ bbox: "10,50,10.4,51" })), ["radar", "a"]);
  assert.deepEqual(titles(await search({ bbox: "179,0,-179,1" })), ["d"]);
  const bbox = "10,50,11,51";
  const sorted = await search({ bbox, collections: COLLECTION, sortby: "-swath:overlap" });
  assert.deepEqual(titles(sorted), ["a", "b"]);
  const shares = sorted.json.features.map((item: { properties: object }) => Object.entries(item.properties));
  const overlaps = shares.map((entries: [string, number][]) => Object.fromEntries(entries)["swath:overlap"]);
  assert.deepEqual(
    overlaps.map((share: number) => Math.round(share * 1e6) / 1e6),
    [1, 0.5],
  );
  assert.deepEqual(titles(await search({ bbox, filter: "swath:overlap > 0.9" })), ["radar", "a"]);
  const triangle = {
    type: "Polygon",
    coordinates: [
      [
        [9, 50],
        [10.2, 50],
        [9, 51.9],
        [9, 50],
      ],
    ],
  };
  assert.deepEqual(titles(await bench.post({ intersects: triangle }, lee)), ["radar", "a"]);
});

test("filters compare, in text and in JSON", async () => {
  const filtered = async (filter: string) => titles(await search({ filter }));
  assert.deepEqual(await filtered("eo:cloud_cover < 60 AND datetime > TIMESTAMP('2024-06-01T12:00:00Z')"), ["b"]);
  assert.deepEqual(await filtered("eo:cloud_cover BETWEEN 10 AND 50"), ["b", "a"]);
  assert.deepEqual(await filtered("platform LIKE '%2B' OR title IN ('granule c')"), ["c", "b"]);
  assert.deepEqual(await filtered("CASEI(platform) = 'sentinel-2b'"), ["b"]);
  assert.deepEqual(await filtered("NOT eo:cloud_cover IS NULL AND eo:cloud_cover * 2 >= 100"), ["c", "b"]);
  assert.deepEqual(await filtered("S_INTERSECTS(geometry, POINT(10.2 50.5)) AND NOT collection = 'x'"), ["radar", "a"]);
  assert.deepEqual(await filtered("T_DURING(datetime, INTERVAL('2024-06-02', '2024-06-03'))"), ["c", "b"]);
  const json = { op: "and", args: [{ op: "=", args: [{ property: "sat:orbit_state" }, "ascending"] }] };
  assert.deepEqual(titles(await bench.post({ filter: json }, lee)), ["radar"]);
});

test("query and sort use the same properties as filters", async () => {
  assert.deepEqual(titles(await bench.post({ query: { "eo:cloud_cover": { eq: "10" } } }, lee)), ["a"]);
  assert.deepEqual(titles(await bench.post({ query: { title: { endsWith: "c" } } }, lee)), ["c"]);
  const sortby = [{ field: "properties.eo:cloud_cover", direction: "desc" }];
  assert.deepEqual(titles(await bench.post({ sortby, collections: [COLLECTION] }, lee)), ["c", "b", "a", "d"]);
});

async function selected(fields: string): Promise<object> {
  return (await search({ fields, ids: `${COLLECTION}.a` })).json.features[0];
}

test("fields select members of items", async () => {
  assert.deepEqual(await selected("id,properties.eo:cloud_cover"), {
    type: "Feature",
    stac_version: "1.1.0",
    id: "ee.COPERNICUS-_S2_HARMONIZED.a",
    collection: COLLECTION,
    properties: { "eo:cloud_cover": 10 },
  });
  assert.equal("geometry" in (await selected("-geometry")), false);
});

test("what the standards forbid is refused with 400", async () => {
  const refused: readonly Readonly<Record<string, string>>[] = [
    { bbox: "1,2,3" },
    { bbox: "1,5,3,4" },
    { bbox: "a,b,c,d" },
    { bbox: "0,0,1,1", intersects: '{"type":"Point","coordinates":[0,0]}' },
    { intersects: '{"type":"Polygon","coordinates":[[[0,0]]]}' },
    { datetime: "../.." },
    { datetime: "" },
    { datetime: "2024-06-01" },
    { datetime: "2024-06-02T00:00:00Z/2024-06-01T00:00:00Z" },
    { limit: "0" },
    { limit: "-1" },
    { unknown: "1" },
    { sortby: "nothing" },
    { filter: "eo:cloud_cover <" },
    { filter: "nothing = 1" },
    { filter: "eo:cloud_cover = 'ten'" },
    { filter: "(".repeat(40) + "1 = 1" + ")".repeat(40) },
    { filter: "s_intersects(geometry, POINT(1000 1000))" },
    { filter: "eo:cloud_cover * 1e308 * 1e308 > 1" },
    { ids: "a\u0000" },
  ];
  for (const query of refused) assert.equal((await search(query)).status, 400, JSON.stringify(query));
  assert.equal((await bench.post({ bbox: "0,0,1,1" }, lee)).status, 400);
  assert.equal((await bench.post({ fields: null }, lee)).status, 400);
  assert.equal((await search({ limit: "100000" })).status, 200);
});

test("queryables have types and units", async () => {
  const { json, mediaType } = await bench.get(`/collections/${COLLECTION}/queryables`, lee);
  assert.equal(mediaType, "application/schema+json");
  assert.ok(json.$id.endsWith(`/stac/collections/${COLLECTION}/queryables`));
  assert.equal(json.properties["eo:cloud_cover"]["x-ogc-unit"], "%");
});

test("a collection has the period and box of its scenes that the caller may see", async () => {
  const { json } = await bench.get(`/collections/${COLLECTION}`, lee);
  assert.deepEqual(json.extent.temporal.interval, [["2024-06-01T10:00:00.000Z", "2024-06-04T10:00:00.000Z"]]);
  const found = await bench.get("/collections?bbox=10,50,11,51", lee);
  const ids = found.json.collections.map(({ id }: { id: string }) => id);
  assert.deepEqual(ids.toSorted(), ["ee.COPERNICUS-_S1_GRD", COLLECTION]);
});
