import assert from "node:assert/strict";
import type { RawClient } from "./raw-client.ts";

function feature(name: string, length: number, longitude: number) {
  return {
    type: "Feature",
    geometry: { type: "Point", coordinates: [longitude, 50] },
    properties: { collection: "acceptance", name, length },
  };
}

/** Features are created once, found in both query languages, modified and removed. */
export async function featureJourney({ demo }: Readonly<Record<"demo", RawClient>>): Promise<void> {
  const features = [feature("a", 10, 14), feature("b", 20, 15), feature("c", 30, 16)];
  const created = await demo.post("/api/features/create", { type: "FeatureCollection", features });
  assert.equal(created.status, 200, JSON.stringify(created.body));
  const [a, b, c] = created.body.created;
  const again = await demo.post("/api/features/create", { type: "FeatureCollection", features });
  assert.deepEqual(again.body, created.body);
  assert.deepEqual((await demo.post("/api/feature/get", { id: b })).body, { ...features[1], id: b });

  const found = await demo.post("/api/features/search", {
    collection: "acceptance",
    length: { $gte: 20 },
    _fields: ["name"],
    _sort: ["-length"],
  });
  assert.deepEqual(found.body, {
    results: [
      { type: "Feature", id: c, properties: { name: "c" } },
      { type: "Feature", id: b, properties: { name: "b" } },
    ],
    cursor: null,
  });
  const box = { op: "s_intersects", args: [{ property: "geometry" }, { bbox: [13.5, 49, 15.5, 51] }] };
  const inside = { op: "and", args: [{ op: "=", args: [{ property: "collection" }, "acceptance"] }, box] };
  const counted = await demo.post("/api/features/aggregate", { aggregation: "count", query: inside });
  assert.deepEqual(counted.body, { count: 2 });
  const values = await demo.post("/api/properties", { property: "length", query: { collection: "acceptance" } });
  assert.deepEqual(values.body, [10, 20, 30]);

  const changed = await demo.post("/api/features/modify", { ...feature("a", 11, 14), id: a });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  assert.notEqual(changed.body.modified, a);
  assert.equal((await demo.post("/api/feature/get", { id: a })).status, 404);
  for (const id of [changed.body.modified, b, c]) {
    assert.deepEqual((await demo.post("/api/feature/delete", { id })).body, {});
  }
  assert.equal((await demo.post("/api/feature/delete", { id: b })).status, 404);
}
