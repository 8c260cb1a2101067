import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { extentArea } from "../geometry/extent.ts";
import type { MultiPolygon } from "../geometry/geojson.ts";
import { intersectionAreaKm2, prepareArea } from "../geometry/intersection-ratio.ts";
import { coverTiles } from "./cover.ts";
import { isWithin, mercatorX, mercatorY, tileAt, tileBounds, type Tile } from "./tile.ts";

type Pair = [number, number];

function area(ring: Pair[]): MultiPolygon {
  const result = extentArea({ type: "Polygon", coordinates: [ring] });
  assert.ok(result !== null);
  return result;
}

function box(west: number, south: number, east: number, north: number): MultiPolygon {
  return area([
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]);
}

function tileArea(tile: Tile): MultiPolygon {
  const [west, south, east, north] = tileBounds(tile);
  const ring: Pair[] = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return { type: "MultiPolygon", coordinates: [[ring]] };
}

test("a tile is covered by itself alone", () => {
  const tile: Tile = [15, 30_320, 18_979];
  assert.deepEqual(coverTiles(tileArea(tile), tileArea(tile), 19), [tile]);
  assert.deepEqual(coverTiles(tileArea([0, 0, 0]), tileArea([0, 0, 0]), 5), [[0, 0, 0]]);
});

test("the zoom never exceeds the deepest one of the map", () => {
  const small = box(14.4, 50.1, 14.4001, 50.1001);
  assert.deepEqual(coverTiles(small, small, 12), [tileAt(14.4, 50.1, 12)]);
});

test("tiles of any polygon are one to four of one zoom, hold all its area, and each has some", () => {
  const polygon = fc.record({
    lon: fc.double({ min: -180, max: 180, noNaN: true }),
    lat: fc.double({ min: -75, max: 75, noNaN: true }),
    size: fc.double({ min: 0.01, max: 4, noNaN: true }),
    radii: fc.array(fc.double({ min: 0.3, max: 1, noNaN: true }), { minLength: 3, maxLength: 9 }),
  });
  fc.assert(
    fc.property(polygon, fc.integer({ min: 0, max: 18 }), ({ lon, lat, size, radii }, maxZoom) => {
      const ring = radii.map((radius, i): Pair => {
        const angle = (i * 2 * Math.PI) / radii.length;
        return [lon + size * radius * Math.cos(angle), lat + size * radius * Math.sin(angle)];
      });
      const extent = area([...ring, ring[0] ?? [0, 0]]);
      const tiles = coverTiles(extent, extent, maxZoom);
      const zoom = tiles[0]?.[0] ?? -1;
      assert.ok(tiles.length >= 1 && tiles.length <= 4);
      assert.ok(zoom >= 0 && zoom <= maxZoom);
      const prepared = prepareArea(extent);
      let held = 0;
      for (const tile of tiles) {
        assert.equal(tile[0], zoom);
        const common = intersectionAreaKm2(prepared, prepareArea(tileArea(tile)));
        assert.ok(common > 0);
        held += common;
      }
      assert.ok(Math.abs(held / prepared.areaKm2 - 1) < 1e-6);
      // The rule itself: this tile side holds the box, the next one does not.
      const xs = ring.map(([x]) => mercatorX(x));
      const ys = ring.map(([, y]) => mercatorY(y));
      const side = Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
      if (zoom < maxZoom) assert.ok(side > (1 - 1e-6) / 2 ** (zoom + 1));
    }),
    { numRuns: 300 },
  );
});

test("an extent across the antimeridian gets tiles on both sides", () => {
  const extent = box(179.9, 10, -179.9, 10.2);
  const tiles = coverTiles(extent, extent, 18);
  const columns = new Set(tiles.map(([, x]) => x));
  const last = 2 ** (tiles[0]?.[0] ?? 0) - 1;
  assert.deepEqual(
    [...columns].toSorted((a, b) => a - b),
    [0, last],
  );
});

test("tiles without data are left out, and without any data there are none", () => {
  const extent = box(-1, -1, 1, 1);
  const tiles = coverTiles(extent, box(0.1, 0.1, 0.9, 0.9), 18);
  assert.equal(tiles.length, 1);
  assert.ok(tiles.every((tile) => isWithin(tile, [1, 1, 0])));
  assert.deepEqual(coverTiles(extent, { type: "MultiPolygon", coordinates: [] }, 18), []);
  const beyond = box(0, 86, 1, 87);
  assert.deepEqual(coverTiles(beyond, beyond, 18), []);
});
