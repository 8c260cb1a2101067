import assert from "node:assert/strict";
import { test } from "node:test";
import { areaKm2 } from "./area.ts";
import { boundsPolygon } from "./bounds-polygon.ts";
import { flatten, shoelace } from "./flat-ring.ts";
import { mbr } from "./mbr.ts";

test("a box is a closed counter-clockwise ring with the bounds and the area of the box", () => {
  const { coordinates } = boundsPolygon([14, 50, 14.1, 50.1]);
  const [ring = []] = coordinates;
  assert.deepEqual(ring.at(-1), ring[0]);
  // Twice the signed area of 0.1 x 0.1 degrees.
  assert.ok(Math.abs(shoelace(flatten(ring)) - 0.02) < 1e-9);
  const area = { type: "MultiPolygon", coordinates: [coordinates] } as const;
  assert.deepEqual(mbr(area), [14, 50, 14.1, 50.1]);
  // 7.15 km by 11.13 km: 111.32 km a degree, times the cosine of 50.05 degrees in longitude.
  assert.ok(Math.abs(areaKm2(area) - 79.66) < 0.2);
});
