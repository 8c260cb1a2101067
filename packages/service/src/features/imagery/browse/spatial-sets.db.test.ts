import assert from "node:assert/strict";
import { test } from "node:test";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import type { Bounds } from "@swath/kernel/geometry/geojson";
import { COLLECTION, sceneOver, stacBench } from "../../stac/testing.ts";

const SIDE = 0.01;
const COLUMNS = 70;
const AREA: Bounds = [10, 50, 10.65, 50.65];

/** Squares of 0.008 degrees every 0.01: 65 x 65 lie in the area, others cross its border or lie beyond. */
function squares() {
  return Array.from({ length: COLUMNS * COLUMNS }, (_, i) => {
    const west = 9.996 + (i % COLUMNS) * SIDE;
    const south = 49.996 + Math.floor(i / COLUMNS) * SIDE;
    return sceneOver(`s${i}`, [west, south, west + 0.008, south + 0.008]);
  });
}

test("counts are exact for an area with more scenes than a list takes, as a box, an outline and with ratios", async () => {
  await using bench = await stacBench();
  const { token } = await bench.addUser("lee", ["imagery.availability", "imagery.images.ee"]);
  await bench.imagery.insertScenes(squares());
  const [west, south, east, north] = AREA;
  const outline = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, 50.3],
    [west, south],
  ];
  const count = async (query: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const { json, status } = await bench.post({ collections: [COLLECTION], limit: 1, ...query }, token);
    assert.equal(status, 200, JSON.stringify(json));
    return json.numberMatched;
  };
  // 66 columns and 66 rows begin west of 10.65 and south of 50.65.
  assert.equal(await count({ bbox: AREA }), 66 * 66);
  assert.equal(await count({ intersects: boundsPolygon(AREA) }), 66 * 66);
  assert.equal(await count({ intersects: { type: "Polygon", coordinates: [outline] } }), 66 * 66);
  const whole = { op: ">=", args: [{ property: "swath:overlap" }, 0] };
  assert.equal(await count({ bbox: AREA, filter: whole, "filter-lang": "cql2-json" }), 66 * 66);
});
