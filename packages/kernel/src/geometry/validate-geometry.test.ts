import assert from "node:assert/strict";
import { test } from "node:test";
import type { GeoJson } from "./geojson.ts";
import { positionFaults, validateGeoJson } from "./validate-geometry.ts";

/** Values that a client may send in the place of a list, a position or a member. */
const FOREIGN: readonly unknown[] = [null, true, 0, "text", {}, [], [null], [[null]], [[[null]]], { length: 4 }];

test("a foreign value at any depth is a fault with its path, never an exception", () => {
  for (const value of FOREIGN) {
    const wrong: readonly object[] = [
      { type: "Polygon", coordinates: value },
      { type: "Polygon", coordinates: [value] },
      { type: "MultiPolygon", coordinates: [[value]] },
      { type: "MultiLineString", coordinates: [value] },
      { type: "GeometryCollection", geometries: [value] },
      { type: "Feature", geometry: { type: "Polygon", coordinates: [value] } },
      { type: "FeatureCollection", features: [value] },
    ];
    for (const geojson of wrong) {
      const faults = validateGeoJson(geojson as GeoJson, "/extent");
      assert.ok(faults.length > 0, JSON.stringify(geojson));
      assert.ok(
        faults.every(({ path }) => path.startsWith("/extent")),
        JSON.stringify(faults),
      );
    }
  }
});

test("an open ring is a fault of the ring", () => {
  const open = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ];
  assert.deepEqual(positionFaults({ type: "Polygon", coordinates: [open] } as unknown as GeoJson), [
    { path: "/coordinates/0", message: "a ring is closed: its last position equals its first" },
  ]);
});
