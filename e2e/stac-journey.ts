import assert from "node:assert/strict";
import type { RawClient } from "./raw-client.ts";

async function document(client: RawClient, path: string) {
  const answer = await client.get(path);
  const text = await answer.text();
  assert.equal(answer.status, 200, `${path}: ${text.slice(0, 500)}`);
  return JSON.parse(text);
}

/** The addresses of an item work without a token: bytes by range, and nothing for side files. */
async function readAssets(
  anonymous: RawClient,
  item: { readonly assets: Readonly<Record<string, { href: string; roles: string[] }>> },
) {
  const data = Object.values(item.assets).filter(({ roles }) => roles.includes("data"));
  assert.ok(data.length > 0, JSON.stringify(item.assets));
  for (const { href } of data) {
    assert.equal((await anonymous.get(new URL(href).pathname)).status, 200);
    const part = await fetch(href, { headers: { range: "bytes=0-3" } });
    assert.deepEqual([part.status, await part.text()], [206, "II*\0"]);
    assert.equal((await fetch(`${href}.aux.xml`)).status, 404);
  }
}

/** A client of STAC finds an uploaded scene by the links of the landing page. */
export async function stacJourney(demo: RawClient, sceneId: string): Promise<void> {
  const landing = await document(demo, "/stac");
  assert.deepEqual(await document(demo, "/stac/"), landing);
  assert.deepEqual((await document(demo, "/stac/conformance")).conformsTo, landing.conformsTo);
  assert.equal((await document(demo, "/stac/api")).openapi, "3.0.3");
  assert.equal((await document(demo, "/stac/queryables")).type, "object");
  assert.ok((await document(demo, "/stac/children")).children.length > 0);
  assert.equal((await document(demo, "/stac/aggregations")).type, "AggregationCollection");
  const { collections } = await document(demo, "/stac/collections");
  const id = sceneId.split(".").slice(0, 2).join(".");
  assert.ok(collections.some((one: { id: string }) => one.id === id));
  assert.equal((await document(demo, `/stac/collections/${id}`)).type, "Collection");
  assert.ok("eo:cloud_cover" in (await document(demo, `/stac/collections/${id}/queryables`)).properties);
  const { aggregations } = await document(demo, `/stac/collections/${id}/aggregations`);
  assert.ok(aggregations.some(({ name }: { name: string }) => name === "total_count"));
  for (const home of ["/stac", `/stac/collections/${id}`]) {
    const counted = await document(demo, `${home}/aggregate?ids=${sceneId}`);
    assert.equal(counted.aggregations[0].value, 1);
  }
  const { features } = await document(demo, `/stac/collections/${id}/items?limit=1000`);
  assert.ok(features.some((item: { id: string }) => item.id === sceneId));
  const item = await document(demo, `/stac/collections/${id}/items/${sceneId}`);
  const found = await demo.post("/stac/search", { ids: [sceneId], intersects: item.geometry, sortby: [] });
  assert.equal(found.status, 200, JSON.stringify(found.body));
  assert.deepEqual([found.body.numberMatched, found.body.features[0].properties["swath:overlap"]], [1, 1]);
  await readAssets(demo.as(null), item);
  const byQuery = await document(demo, `/stac/search?ids=${sceneId}&filter=swath:ingested=TRUE`);
  assert.equal(byQuery.features[0].id, sceneId);
  const file = await demo.get(`/stac/search?ids=${sceneId}&f=parquet`);
  assert.equal(file.headers.get("content-type"), "application/vnd.apache.parquet");
  assert.equal(
    Buffer.from(await file.arrayBuffer())
      .subarray(0, 4)
      .toString(),
    "PAR1",
  );
}
