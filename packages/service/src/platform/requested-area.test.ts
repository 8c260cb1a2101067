import assert from "node:assert/strict";
import { test } from "node:test";
import type { GeoJson, MultiPolygon } from "@swath/kernel/geometry/geojson";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { areaOf, readRequestedArea, type AreaRules } from "./requested-area.ts";

const RULES = { path: "/extent", maxLatitudeDeg: 85, sceneCount: 1 };

function circle(positions: number): GeoJson {
  const ring = Array.from({ length: positions - 1 }, (_, i): [number, number] => {
    const angle = (2 * Math.PI * i) / (positions - 1);
    return [10 + Math.cos(angle), 50 + Math.sin(angle)];
  });
  return { type: "Polygon", coordinates: [[...ring, ring[0] ?? [0, 0]]] };
}

function requestedArea(geojson: GeoJson, rules: AreaRules): MultiPolygon {
  const reading = readRequestedArea(geojson, rules);
  assert.ok(reading.kind !== "slow");
  return areaOf(reading, rules.path);
}

function refusal(geojson: GeoJson, sceneCount = 1): string {
  try {
    requestedArea(geojson, { ...RULES, sceneCount });
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    return `${error.code}: ${error.message}`;
  }
  return "none";
}

test("areas of too many positions are refused, wherever in the GeoJSON they are", () => {
  assert.equal(refusal(circle(1000)), "none");
  const many = circle(10_001);
  const message = "VALIDATION-ERROR: /extent has 10001 positions, expected at most 10000 for 1 scenes";
  const feature = { type: "Feature", properties: null, geometry: many } as GeoJson;
  assert.equal(refusal(many), message);
  assert.equal(refusal(feature), message);
  assert.equal(refusal({ type: "FeatureCollection", features: [feature] } as GeoJson), message);
  assert.equal(refusal({ type: "GeometryCollection", geometries: [many] } as GeoJson), message);
  assert.match(refusal(circle(1001), 1000), /has 1001 positions, expected at most 1000 for 1000 scenes/);
});

test("positions of points and lines do not count, and faults are told by what is valid", () => {
  const line = { type: "LineString", coordinates: Array.from({ length: 20_000 }, (_, i) => [i / 1000, 1]) };
  assert.equal(refusal({ type: "GeometryCollection", geometries: [line, circle(100)] } as GeoJson), "none");
  assert.match(refusal({ type: "Polygon", coordinates: [[[0, 0], [1, 0], [1, 1], [2, 2]]] }), /closed/); // prettier-ignore
});

test("a tower of collections ends in a refusal, not in the stack", () => {
  let tower: GeoJson = circle(10);
  for (let i = 0; i < 5000; i++) tower = { type: "GeometryCollection", geometries: [tower] } as GeoJson;
  assert.match(refusal(tower), /^VALIDATION-ERROR: /);
});

test("an area north of the asked parallels is refused, and accepted between wider ones", () => {
  const north: GeoJson = { type: "Polygon", coordinates: [[[0, 80], [1, 80], [1, 85.04], [0, 80]]] }; // prettier-ignore
  assert.deepEqual(requestedArea(north, { ...RULES, maxLatitudeDeg: 85.051129 }).coordinates, [north.coordinates]);
  assert.match(refusal(north), /latitude 85.04 is beyond/);
});
