import assert from "node:assert/strict";
import { test } from "node:test";
import { positionCount, QueryReader } from "./query-reader.ts";
import { QueryError } from "./query-error.ts";

const RING = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 0],
];

test("positions of each type of geometry are counted", () => {
  const polygon = { type: "Polygon", coordinates: [RING, RING] };
  const geometries = [
    [{ type: "Point", coordinates: [1, 2] }, 1],
    [{ type: "Point", coordinates: [] }, 0],
    [{ type: "MultiPoint", coordinates: RING }, 4],
    [{ type: "LineString", coordinates: RING }, 4],
    [{ type: "MultiLineString", coordinates: [[], RING, RING] }, 8],
    [polygon, 8],
    [{ type: "MultiPolygon", coordinates: [[RING], [RING, RING]] }, 12],
    [{ type: "GeometryCollection", geometries: [polygon, { type: "Point", coordinates: [1, 2, 3] }] }, 9],
    [{ type: "Point" }, 0],
    ["Point", 0],
  ] as const;
  for (const [geometry, count] of geometries) assert.equal(positionCount(geometry), count, JSON.stringify(geometry));
});

test("a list that hides many positions behind one is refused", () => {
  const many = Array.from({ length: 10_000 }, () => RING);
  for (const type of ["LineString", "MultiPoint", "Polygon", "MultiLineString", "MultiPolygon"] as const) {
    const geometry = { type, coordinates: [[0, 0], many] };
    assert.throws(() => new QueryReader().geometry(geometry, "/geometry"), QueryError, type);
  }
});
