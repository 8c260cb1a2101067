import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import proj4 from "proj4";
import { areaKm2 } from "../geometry/area.ts";
import { difference, intersection } from "../geometry/clip.ts";
import { extentArea } from "../geometry/extent.ts";
import type { MultiPolygon } from "../geometry/geojson.ts";
import { mbr } from "../geometry/mbr.ts";
import {
  compareStoreTiles,
  isStoreTile,
  storeTileBounds,
  storeTileGrid,
  storeTilePolygon,
  storeTilesArea,
  storeTilesOf,
  uniqueStoreTiles,
  type StoreTile,
} from "./store-tile.ts";

const utm33 = storeTileGrid(32_633);
const degrees = storeTileGrid(4326);

function area(ring: (readonly [number, number])[]): MultiPolygon {
  const result = extentArea({ type: "Polygon", coordinates: [[...ring, ring[0] ?? [0, 0]]] });
  assert.ok(result !== null);
  return result;
}

function box(west: number, south: number, east: number, north: number): MultiPolygon {
  return area([
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ]);
}

test("tiles are multiples of 5 km of the zone's eastings and northings", () => {
  assert.deepEqual(storeTileBounds([100, 1100], utm33), [500_000, 5_500_000, 505_000, 5_505_000]);
  const [[lon, lat]] = [proj4("EPSG:4326", "+proj=utm +zone=33 +datum=WGS84 +x_0=500000 +y_0=0").forward([15.01, 50])];
  const at = storeTilesOf(box(15.01, 50, 15.011, 50.001), utm33);
  assert.deepEqual(at, [[Math.floor(lon / 5000), Math.floor(lat / 5000)]]);
});

test("scenes in other systems are cut by twentieths of a degree, exactly at whole degrees", () => {
  assert.deepEqual(storeTileBounds([300, -21], degrees), [15, -1.05, 15.05, -1]);
  assert.deepEqual(storeTilesOf(box(15, 50, 15.1, 50.05), degrees), [
    [300, 1000],
    [301, 1000],
  ]);
  assert.equal(storeTileGrid(0), degrees);
  assert.equal(storeTileGrid(3857), degrees);
});

test("a tile has an area of 25 km2 but for the scale of its zone", () => {
  const km2 = areaKm2(storeTilePolygon([100, 1100], utm33));
  assert.ok(Math.abs(km2 * 0.9996 ** 2 - 25) < 1e-3, String(km2));
});

const tileArbitrary = fc
  .record({ zone: fc.integer({ min: 1, max: 60 }), south: fc.boolean(), x: fc.integer({ min: 40, max: 159 }) })
  .chain(({ zone, south, x }) =>
    fc
      .integer({ min: south ? 300 : 0, max: south ? 1999 : 1700 })
      .map((y) => ({ epsg: (south ? 32_700 : 32_600) + zone, tile: [x, y] as StoreTile })),
  );

test("the outline of a tile needs that tile and no other, in every zone", () => {
  fc.assert(
    fc.property(tileArbitrary, ({ epsg, tile }) => {
      const grid = storeTileGrid(epsg);
      assert.deepEqual(storeTilesOf(storeTilePolygon(tile, grid), grid), [tile]);
    }),
    { numRuns: 60 },
  );
});

test("the tiles of an area cover it, and each of them shares area with it", () => {
  const offset = fc.double({ min: -0.15, max: 0.15, noNaN: true });
  fc.assert(
    fc.property(
      fc.constantFrom(utm33, degrees),
      fc.array(fc.tuple(offset, offset), { minLength: 3, maxLength: 3 }),
      (grid, points) => {
        const triangle = extentArea({
          type: "Polygon",
          coordinates: [[...points, points[0] ?? [0, 0]].map(([x, y]) => [15.3 + x, 60.2 + y] as const)],
        });
        fc.pre(triangle !== null && areaKm2(triangle) > 0.1);
        const tiles = storeTilesOf(triangle, grid);
        const left = areaKm2(difference(triangle, storeTilesArea(tiles, grid)));
        // Strips of at most 0.12 m along the outline, which is shorter than 100 km, touch their tile only.
        assert.ok(left < 0.012, `${left} km2 are in no tile`);
        for (const tile of tiles) {
          assert.ok(areaKm2(intersection(triangle, storeTilePolygon(tile, grid))) > 0);
        }
      },
    ),
    { numRuns: 40 },
  );
});

test("tiles together cover the sum of their areas, without the edges between them, and holes stay", () => {
  const ring: StoreTile[] = [];
  for (let x = 100; x <= 102; x += 1) for (let y = 1100; y <= 1102; y += 1) ring.push([x, y]);
  const withHole = ring.filter(([x, y]) => x !== 101 || y !== 1101);
  const whole = storeTilesArea(withHole, utm33);
  assert.equal(whole.coordinates.length, 1);
  assert.equal(whole.coordinates[0]?.length, 2);
  const sum = withHole.reduce((km2, tile) => km2 + areaKm2(storeTilePolygon(tile, utm33)), 0);
  assert.ok(Math.abs(areaKm2(whole) - sum) < 1e-6);
  assert.deepEqual(storeTilesOf(whole, utm33), withHole.toSorted(compareStoreTiles));
  assert.deepEqual(storeTilesArea([], utm33).coordinates, []);
});

test("tiles of a zone at the antimeridian are split there", () => {
  const grid = storeTileGrid(32_660);
  const tiles = storeTilesOf(
    {
      type: "MultiPolygon",
      coordinates: [...box(179.9, 10, 180, 10.05).coordinates, ...box(-180, 10, -179.9, 10.05).coordinates],
    },
    grid,
  );
  const outline = storeTilesArea(tiles, grid);
  const [west, , east] = mbr(outline);
  assert.ok(west < 180 && east > 180, `${west} to ${east}`);
  for (const [lon] of outline.coordinates.flat(2)) assert.ok(Math.abs(lon) <= 180);
});

test("finer grids divide store tiles exactly", () => {
  for (const [grid, divided] of [
    [utm33, storeTileGrid(32_633, 5)],
    [degrees, storeTileGrid(4326, 5)],
  ] as const) {
    assert.equal(divided.side, grid.side / 5);
    const whole = storeTilePolygon([100, 1108], grid);
    const parts = storeTilesOf(whole, divided);
    assert.equal(parts.length, 25);
    for (const [x, y] of parts) assert.deepEqual([Math.floor(x / 5), Math.floor(y / 5)], [100, 1108]);
    assert.ok(Math.abs(areaKm2(storeTilesArea(parts, divided)) - areaKm2(whole)) < 1e-4);
  }
});

test("areas that need too many tiles are refused", () => {
  assert.throws(() => storeTilesOf(box(0, 0, 20, 20), degrees), RangeError);
  assert.throws(
    () =>
      storeTilesArea(
        [
          [-3600, -1800],
          [3599, 1799],
        ],
        degrees,
      ),
    RangeError,
  );
});

test("tile indices are pairs of integers within the world", () => {
  for (const bad of [[], [1], [1, 2, 3], [0.5, 1], [Number.NaN, 1], [1, 20_000]]) assert.equal(isStoreTile(bad), false);
  assert.equal(isStoreTile([-3600, 1799]), true);
  assert.deepEqual(
    uniqueStoreTiles([
      [1, 1],
      [0, 2],
      [1, 1],
    ]),
    [
      [0, 2],
      [1, 1],
    ],
  );
});
