import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { AreaFileError } from "./area-file-error.ts";
import { areaOfGeometries, MAX_VERTICES } from "./area-of-geometries.ts";

const RING = [
  [15, 0],
  [16, 0],
  [16, 1],
  [15, 0],
];
const polygon = { type: "Polygon", coordinates: [RING] };

test("all polygons of a file are one area, heights are left out", () => {
  const high = { type: "Polygon", coordinates: [RING.map(([x = 0, y = 0]) => [x + 2, y, 400])] };
  const collection = {
    type: "FeatureCollection",
    features: [
      { type: "Feature", geometry: polygon, properties: {} },
      { type: "Feature", geometry: { type: "GeometryCollection", geometries: [high] } },
      { type: "Feature", geometry: null },
    ],
  };
  const moved = RING.map(([x = 0, y = 0]) => [x + 2, y]);
  assert.deepEqual(areaOfGeometries([collection]), {
    area: { type: "MultiPolygon", coordinates: [[RING], [moved]] },
    isBox: false,
  });
});

test("an open ring is closed", () => {
  const { area } = areaOfGeometries([{ type: "Polygon", coordinates: [RING.slice(0, 3)] }]);
  assert.deepEqual(area, polygon);
});

test("lines and points give the box around them", () => {
  const { area, isBox } = areaOfGeometries([
    { type: "LineString", coordinates: [[1, 2], [3, 5]] }, // prettier-ignore
    { type: "Point", coordinates: [0, 3] },
  ]);
  assert.ok(isBox);
  const corners = area.coordinates.flat(3).filter((value) => typeof value === "number");
  assert.equal(corners.length, 10);
  const longitudes = corners.filter((_, index) => index % 2 === 0);
  assert.ok(Math.abs(Math.min(...longitudes)) < 1e-5 && Math.abs(Math.max(...longitudes) - 3) < 1e-5);
});

test("coordinates of a projected CRS are named", () => {
  const metres = { type: "Polygon", coordinates: [[[500_000, 4_649_776], [1, 2], [3, 4], [5, 6]]] }; // prettier-ignore
  assert.throws(() => areaOfGeometries([metres]), /500000, 4649776 are no degrees: the file is in another CRS/);
  const named = { ...polygon, crs: { type: "name", properties: { name: "urn:ogc:def:crs:EPSG::32633" } } };
  assert.throws(() => areaOfGeometries([named]), /urn:ogc:def:crs:EPSG::32633/);
  const usual = { ...polygon, crs: { type: "name", properties: { name: "urn:ogc:def:crs:OGC:1.3:CRS84" } } };
  assert.deepEqual(areaOfGeometries([usual]).area, polygon);
});

test("coordinates that are no numbers, and files without an area, are refused", () => {
  for (const bad of [Number.NaN, Infinity, null, "15", {}]) {
    const geometry = { type: "Point", coordinates: [bad, 1] };
    assert.throws(() => areaOfGeometries([geometry]), /no number/, JSON.stringify(bad));
  }
  for (const value of [null, 1, "x", {}, [], { type: "Polygon" }, { type: "Feature", geometry: {} }]) {
    assert.throws(() => areaOfGeometries([value]), AreaFileError);
  }
});

test("a file of too many positions is refused before all are read", () => {
  const coordinates = Array.from({ length: MAX_VERTICES + 1 }, () => [1, 1]);
  assert.throws(() => areaOfGeometries([{ type: "LineString", coordinates }]), /more than 100,000 positions/);
});

test("a file that nests collections without end is refused", () => {
  let nested: object = polygon;
  for (let depth = 0; depth < 10_000; depth += 1) nested = { type: "GeometryCollection", geometries: [nested] };
  assert.throws(() => areaOfGeometries([nested]), /nested too deeply/);
});

test("any JSON is an area of degrees, or is refused with words for the user", () => {
  const kind = fc.constantFrom("Polygon", "MultiPolygon", "LineString", "Point", "Feature", "GeometryCollection");
  const like = fc.record(
    { type: kind, coordinates: fc.jsonValue(), geometry: fc.jsonValue(), geometries: fc.jsonValue() },
    { requiredKeys: ["type"] },
  );
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), like), (value) => {
      try {
        const { area } = areaOfGeometries([value]);
        const numbers = JSON.stringify(area.coordinates).match(/-?[\d.e-]+/g) ?? [];
        assert.ok(numbers.every((one) => Math.abs(Number(one)) <= 180));
      } catch (error) {
        assert.ok(error instanceof AreaFileError, String(error));
      }
    }),
    { endOnFailure: true },
  );
});
