import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { encodeFootprint } from "@swath/kernel/geometry/footprint-codec";
import { clusterAreas, memberAreas } from "./area-cluster.ts";
import { box } from "./testing.ts";
import type { WatchedArea } from "./watched-areas.ts";

const field = fc
  .tuple(
    fc.double({ min: -179, max: 178, noNaN: true }),
    fc.double({ min: -80, max: 80, noNaN: true }),
    fc.double({ min: 0.001, max: 2, noNaN: true }),
  )
  .map(([west, south, size]): Omit<WatchedArea, "featureId"> => {
    const bounds = [west, south, Math.min(180, west + size), south + size] as const;
    return { area: encodeFootprint(box(...bounds)), bounds };
  });

test("each area is in one cluster, whose box holds it", () => {
  fc.assert(
    fc.property(fc.array(field, { maxLength: 200 }), (fields) => {
      const areas = fields.map((one, place): WatchedArea => ({ ...one, featureId: `f${place}` }));
      const seen = new Set<number>();
      for (const { areas: bytes, bounds, members } of clusterAreas(areas)) {
        for (const { area, featureId, place } of memberAreas(members, bytes, 0)) {
          const given = areas[place]!;
          assert.deepEqual([Buffer.from(area), featureId], [Buffer.from(given.area), given.featureId]);
          assert.ok(bounds[0] <= given.bounds[0] && bounds[1] <= given.bounds[1]);
          assert.ok(bounds[2] >= given.bounds[2] && bounds[3] >= given.bounds[3]);
          assert.ok(!seen.has(place));
          seen.add(place);
        }
      }
      assert.equal(seen.size, areas.length);
    }),
  );
});

function grid(steps: number, stepDeg: number): readonly WatchedArea[] {
  return Array.from({ length: steps * steps }, (_, place): WatchedArea => {
    const west = (place % steps) * stepDeg;
    const south = Math.floor(place / steps) * stepDeg;
    const bounds = [west, south, west + 0.01, south + 0.01] as const;
    return { featureId: "", area: encodeFootprint(box(...bounds)), bounds };
  });
}

test("a thousand fields within two degrees are some fifty rows, and fields that lie far apart one each", () => {
  const dense = clusterAreas(grid(32, 2 / 32));
  assert.ok(dense.length >= 32 && dense.length <= 64, `${dense.length} clusters`);
  assert.equal(clusterAreas(grid(10, 1)).length, 100);
});
