import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyCost, workCost, TOKEN_PAYS } from "./request-cost.ts";

const MIB = 1024 * 1024;

function ring(count: number): readonly (readonly [number, number])[] {
  return Array.from({ length: count }, (_, i): [number, number] => [i / count, 50]);
}

function polygon(...counts: readonly number[]): object {
  return { type: "Polygon", coordinates: counts.map(ring) };
}

function feature(geometry: object): object {
  return { type: "Feature", geometry, properties: { colors: ["red"] } };
}

test("a body costs a token for each full 64 KiB", () => {
  assert.deepEqual(
    [0, 65_535, 65_536, 10 * MIB].map((bytes) => bodyCost(bytes, {})),
    [0, 0, 1, 160],
  );
});

test("a body costs a token for each 200 positions, in any GeoJSON and at any depth", () => {
  const positions = TOKEN_PAYS.positions;
  assert.equal(bodyCost(0, { extent: polygon(positions - 1) }), 0);
  assert.equal(bodyCost(0, { extent: polygon(positions) }), 1);
  assert.equal(bodyCost(0, { extent: polygon(positions - 4, 4) }), 1);
  const collection = { type: "FeatureCollection", features: [polygon(1000), polygon(1500)].map(feature) };
  assert.equal(bodyCost(0, { geojson: collection }), 12);
  const points = Array.from({ length: positions }, () => feature({ type: "Point", coordinates: [1, 2, 3] }));
  assert.equal(bodyCost(0, { features: points }), 1);
  assert.equal(bodyCost(0, { query: { $near: { $geometry: { type: "LineString", coordinates: ring(499) } } } }), 2);
});

test("the positions of a long shape count by their square, as its time does", () => {
  assert.equal(bodyCost(0, { extent: polygon(3_000) }), 15);
  assert.equal(bodyCost(0, { extent: polygon(9_000) }), 135);
  const shells = { type: "MultiPolygon", coordinates: [[ring(4_500)], [ring(4_500)]] };
  assert.equal(bodyCost(0, { extent: shells }), 135);
  const features = Array.from({ length: 9 }, () => feature(polygon(1_000)));
  assert.equal(bodyCost(0, { areas: { type: "FeatureCollection", features } }), 45);
});

test("a body of another shape costs by its size only", () => {
  for (const body of [null, undefined, "text", 7, [], [[]], [1, 2], { numbers: [[1], ["a", "b"], {}] }]) {
    assert.equal(bodyCost(0, body), 0);
  }
});

test("counting the positions of a body takes less than a tenth of reading it", () => {
  const text = JSON.stringify({ extent: polygon(300_000) });
  const startMs = performance.now();
  const body: unknown = JSON.parse(text);
  const readMs = performance.now() - startMs;
  const counted = performance.now();
  assert.equal(bodyCost(0, body), 150_000);
  assert.ok((performance.now() - counted) * 10 < readMs, "counting took a tenth of the time of reading");
});

test("work costs a token for each ten maps and each five megapixels", () => {
  const work = {
    maps: ({ scenes, types }: { readonly scenes: number; readonly types: number }) => scenes * types,
    pixels: () => 17_000_000,
  };
  assert.equal(workCost(work, { scenes: 50, types: 20 }), 103);
  assert.equal(workCost({ maps: work.maps }, { scenes: 3, types: 3 }), 0);
  assert.equal(workCost({}, null), 0);
});
