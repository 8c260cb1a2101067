import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { multiPolygonAreaKm2 } from "@swath/kernel/geometry/area";
import { landPolygons } from "./land-polygons.ts";
import { landRings, type FlatLine, type LandTopology } from "./land-topology.ts";

function placesOf(line: FlatLine): [number, number][] {
  return Array.from({ length: line.length / 2 }, (_, at) => [line[2 * at] ?? 0, line[2 * at + 1] ?? 0]);
}

test("rings are joined from arcs, also from those that are read backwards", () => {
  const topology: LandTopology = {
    objects: {
      land: {
        geometries: [{ arcs: [[[0, 1], [3]]] }, { arcs: [[[~1, 2]]] }],
      },
    },
    // West, the border, east, a lake.
    arcs: [
      [
        [4, 0],
        [-4, 0],
        [0, 4],
        [4, 0],
      ],
      [
        [4, 4],
        [0, -4],
      ],
      [
        [4, 4],
        [4, 0],
        [0, -4],
        [-4, 0],
      ].toReversed() as [number, number][],
      [
        [1, 1],
        [1, 0],
        [0, 1],
        [-1, -1],
      ],
    ],
    transform: { scale: [0.5, 2], translate: [-10, 20] },
  };
  const [west, east] = landRings(topology);
  assert.deepEqual(west?.map(placesOf), [
    [
      [-8, 20],
      [-10, 20],
      [-10, 28],
      [-8, 28],
      [-8, 20],
    ],
    [
      [-9.5, 22],
      [-9, 22],
      [-9, 24],
      [-9.5, 22],
    ],
  ]);
  assert.deepEqual(east?.[0]?.slice(0, 4), [-8, 20, -8, 28]);
});

test("the rings of the finest outlines are closed and hold the land of the Earth", () => {
  const path = fileURLToPath(import.meta.resolve("world-atlas/land-10m.json"));
  const polygons = landRings(JSON.parse(readFileSync(path, "utf8")) as LandTopology);
  for (const ring of polygons.flat()) assert.deepEqual(ring.slice(0, 2), ring.slice(-2));
  const areaKm2 = multiPolygonAreaKm2(polygons.flatMap(landPolygons).map((rings) => rings.map(placesOf)));
  // 148.94 million km² by the World Factbook, with the ice shelves.
  assert.ok(Math.abs(areaKm2 / 148.94e6 - 1) < 0.02, `${areaKm2} km²`);
});
