import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { readMapObject } from "./map-object.ts";

const ship = (coordinates: unknown, type = "Polygon"): unknown => ({
  type: "Feature",
  geometry: { type, coordinates },
  properties: { featureId: "a1", class: "<b>ship", confidence: 0.8, area: 1200.5, latLonCenter: [1, 2] },
});

test("an object has its class, confidence, size and position", () => {
  const read = readMapObject(
    ship([
      [
        [1, 0],
        [3, 0],
        [3, 2],
        [1, 0],
      ],
    ]),
  );
  assert.deepEqual(
    { ...read, geometry: null },
    {
      id: "a1",
      className: "<b>ship",
      confidence: 0.8,
      areaM2: 1200.5,
      lengthM: null,
      longitude: 2,
      latitude: 1,
      box: { west: 1, south: 0, east: 3, north: 2 },
      geometry: null,
      properties: { featureId: "a1", class: "<b>ship", confidence: 0.8, area: 1200.5, latLonCenter: [1, 2] },
    },
  );
});

const part = (from: number, to: number): unknown => [
  [
    [from, 0],
    [to, 0],
    [to, 1],
    [from, 0],
  ],
];

test("an object across the antimeridian has a narrow box", () => {
  assert.deepEqual(readMapObject(ship([part(179.9, 180), part(-180, -179.8)], "MultiPolygon"))?.box, {
    west: 179.9,
    south: 0,
    east: -179.8,
    north: 1,
  });
});

test("anything else is no object, and none throws", () => {
  assert.equal(readMapObject(ship([])), null);
  fc.assert(
    fc.property(fc.anything(), (feature) => {
      readMapObject(feature);
    }),
    { endOnFailure: true },
  );
});
