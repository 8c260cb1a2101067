import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import * as fc from "fast-check";
import { boundsPolygon } from "../../geometry/bounds-polygon.ts";
import type { Geometry, Position } from "../../geometry/geojson.ts";
import { isWithinDistance } from "./distance.ts";
import { geodesicM } from "./geodesic.ts";
import { gridBounds, gridGeometry } from "./grid-geometry.ts";
import { containerOf, intersects, isWithin } from "./relations.ts";

const meets = (a: Geometry, b: Geometry) => intersects(gridGeometry(a), gridGeometry(b));
const lies = (a: Geometry, b: Geometry) => isWithin(gridGeometry(a), containerOf(gridGeometry(b)));

function box(west: number, south: number, east: number, north: number): Geometry {
  return boundsPolygon([west, south, east, north]);
}
const point = (lon: number, lat: number): Geometry => ({ type: "Point", coordinates: [lon, lat] });
const line = (...coordinates: Position[]): Geometry => ({ type: "LineString", coordinates });

/** Small integers meet, touch and overlap often; fractions of them need exact arithmetic. */
const coordinate = fc.oneof(
  fc.integer({ min: 0, max: 6 }),
  fc.integer({ min: 0, max: 60 }).map((i) => i / 10),
);
const position = fc.tuple(coordinate, coordinate);
const triangle = fc
  .tuple(position, position, position)
  .filter(([a, b, c]) => Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) > 1e-6)
  .map(([a, b, c]): Geometry => ({ type: "Polygon", coordinates: [[a, b, c, a]] }));
const rectangle = fc
  .tuple(position, fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }))
  .map(([[x, y], w, h]) => box(x, y, Math.round((x + w) * 10) / 10, Math.round((y + h) * 10) / 10));
const holed = position.map(([x, y]): Geometry => ({
  type: "Polygon",
  coordinates: [
    [
      [x, y],
      [x + 4, y],
      [x + 4, y + 4],
      [x, y + 4],
      [x, y],
    ],
    [
      [x + 1, y + 1],
      [x + 1, y + 3],
      [x + 3, y + 3],
      [x + 3, y + 1],
      [x + 1, y + 1],
    ],
  ].map((ring) => ring.map(([lon = 0, lat = 0]): Position => [Math.round(lon * 10) / 10, Math.round(lat * 10) / 10])),
}));
const segments = fc
  .uniqueArray(position, { minLength: 2, maxLength: 4, selector: (p) => p.join() })
  .map((coordinates): Geometry => ({ type: "LineString", coordinates }));
const geometry = fc.oneof(
  position.map(([x, y]) => point(x, y)),
  segments,
  triangle,
  rectangle,
  holed,
);

const ORACLE = `
import json, sys
from osgeo import ogr
ogr.DontUseExceptions()
out = []
for a, b in json.load(sys.stdin):
    p, q = ogr.CreateGeometryFromJson(json.dumps(a)), ogr.CreateGeometryFromJson(json.dumps(b))
    out.append([p.Intersects(q), p.Within(q), p.Contains(q), p.Disjoint(q)])
print(json.dumps(out))
`;

/** In tenths, which are integers. */
function scaled(one: Geometry): unknown {
  return JSON.parse(JSON.stringify(one), (_, value: unknown) =>
    typeof value === "number" ? Math.round(value * 10) : value,
  );
}

test("relations are those GEOS finds", (t) => {
  // Tenths are no binary fractions, so the oracle gets the integers that the grid has.
  const pairs = fc.sample(fc.tuple(geometry, geometry), { numRuns: 4000, seed: 5 });
  const python = spawnSync("/usr/bin/python3", ["-c", ORACLE], {
    input: JSON.stringify(pairs.map(([a, b]) => [scaled(a), scaled(b)])),
    maxBuffer: 1e8,
  });
  if (python.status !== 0) {
    t.skip("python3 with GDAL is not installed");
    return;
  }
  const expected: readonly (readonly boolean[])[] = JSON.parse(python.stdout.toString());
  for (const [i, [a, b]] of pairs.entries()) {
    const meet = meets(a, b);
    assert.deepEqual([meet, lies(a, b), lies(b, a), !meet], expected[i], JSON.stringify([a, b]));
  }
});

test("relations hold across the antimeridian, however it is written", () => {
  const across = box(170, -10, 190, 10);
  const jumping = box(170, -10, -170, 10);
  const split: Geometry = {
    type: "MultiPolygon",
    coordinates: [box(170, -10, 180, 10), box(-180, -10, -170, 10)].flatMap((one) =>
      one.type === "Polygon" ? [one.coordinates] : [],
    ),
  };
  const inner = box(175, -5, 185, 5);
  const world: Geometry = {
    type: "Polygon",
    coordinates: [
      [
        [-180, -90],
        [0, -90],
        [180, -90],
        [180, 90],
        [0, 90],
        [-180, 90],
        [-180, -90],
      ],
    ],
  };
  for (const area of [across, jumping, split, world]) {
    assert.equal(lies(inner, area), true);
    assert.equal(lies(area, inner), false);
    assert.equal(meets(point(-180, 0), area) && meets(area, point(180, 0)), true);
    assert.equal(lies(point(180, 0), area), true);
    assert.equal(lies(line([179, 1], [-179, 2]), area), true);
  }
  for (const area of [across, jumping, split]) {
    assert.equal(meets(point(0, 0), area), false);
    assert.equal(lies(box(-179, -1, -171, 1), area), true);
    assert.equal(lies(box(-171, -1, -169, 1), area), false);
    assert.deepEqual(gridBounds(gridGeometry(area)), [170, -10, 190, 10]);
  }
});

test("what floating point cannot tell is told exactly", () => {
  // One step of the grid beside the line from (0, 0) to (179.9999999, 89.9999999).
  const diagonal = line([0, 0], [179.9999998, 89.9999999]);
  assert.equal(meets(diagonal, point(89.9999999, 44.99999995)), meets(diagonal, point(89.9999999, 45)));
  assert.equal(meets(line([0, 0], [179.9999999, 89.9999999]), point(60, 30)), false);
  assert.equal(meets(diagonal, point(2, 1)), true);
  assert.equal(meets(diagonal, point(2, 1.0000001)), false);
  assert.equal(meets(box(0, 0, 1, 1), point(1.0000001, 1)), false);
});

test("an area that is not its own container's hole lies outside it", () => {
  const ring: Geometry = {
    type: "Polygon",
    coordinates: [
      [
        [0, 0],
        [10, 0],
        [10, 10],
        [0, 10],
        [0, 0],
      ],
      [
        [4, 4],
        [4, 6],
        [6, 6],
        [6, 4],
        [4, 4],
      ],
    ],
  };
  assert.equal(lies(box(4, 4, 6, 6), ring), false);
  assert.equal(lies(box(1, 1, 9, 9), ring), false);
  assert.equal(lies(box(0, 0, 4, 10), ring), true);
  assert.equal(lies(line([0, 0], [10, 0]), ring), false, "only on the border");
  assert.equal(lies(point(0, 0), ring), false);
});

test("geodesics are as long as published", () => {
  // The equator by its circumference; a degree of the meridian and the line Flinders Peak to Buninyong as published by
  // Geoscience Australia for GRS80, whose shape differs from WGS84 by less than 0.1 mm over it.
  const cases: readonly [number, number, number, number, number][] = [
    [0, 0, 1, 0, 111_319.4907932264],
    [0, 0, 0, 1, 110_574.3885577987],
    [
      144 + 25 / 60 + 29.5244 / 3600,
      -(37 + 57 / 60 + 3.7203 / 3600),
      143 + 55 / 60 + 35.3839 / 3600,
      -(37 + 39 / 60 + 10.1561 / 3600),
      54_972.271,
    ],
  ];
  for (const [lon1, lat1, lon2, lat2, expected] of cases) {
    assert.ok(Math.abs(geodesicM(lon1, lat1, lon2, lat2) - expected) < 1e-3, `${geodesicM(lon1, lat1, lon2, lat2)}`);
  }
});

function near(a: Geometry, b: Geometry, distanceM: number): boolean {
  return isWithinDistance(gridGeometry(a), gridGeometry(b), distanceM);
}

test("the distance to an edge, to a corner and across the antimeridian", () => {
  // One degree of the equator and of its meridian.
  assert.equal(near(point(0, 0), point(1, 0), 111_319.5), true);
  assert.equal(near(point(0, 0), point(1, 0), 111_319.4), false);
  assert.equal(near(point(0.5, 1), line([0, 0], [1, 0]), 110_574.5), true);
  assert.equal(near(point(0.5, 1), line([0, 0], [1, 0]), 110_574.2), false);
  assert.equal(near(point(0.5, 1), line([-40, 0], [40, 0]), 110_574.5), true);
  assert.equal(near(point(179.5, 0), box(-179.5, -1, -179, 1), 111_319.5), true);
  assert.equal(near(point(179.5, 0), box(-179.5, -1, -179, 1), 111_319.4), false);
  assert.equal(near(point(0, 0), box(-1, -1, 1, 1), 0), true);
});
