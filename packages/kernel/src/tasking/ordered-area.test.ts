import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { normalForm } from "../geometry/antimeridian.ts";
import { multiPolygonAreaKm2 } from "../geometry/area.ts";
import type { Point, Polygon, Position } from "../geometry/geojson.ts";
import { geodesicM } from "../query/spatial/geodesic.ts";
import { MAX_ORDER_CORNERS, orderedArea, orderedGeometryFaults } from "./ordered-area.ts";

function point(lon: number, lat: number): Point {
  return { type: "Point", coordinates: [lon, lat] };
}

function polygon(...ring: readonly Position[]): Polygon {
  return { type: "Polygon", coordinates: [[...ring, ring[0] ?? [0, 0]]] };
}

function areaOf({ coordinates }: Polygon): number {
  return multiPolygonAreaKm2(normalForm([coordinates]));
}

/** Even-odd on the map, at the place and its copies a turn away. */
function contains({ coordinates }: Polygon, [lon, lat]: Position): boolean {
  return normalForm([coordinates]).some(([ring = []]) =>
    [lon, lon - 360, lon + 360].some((x) => {
      let inside = false;
      for (let i = 1; i < ring.length; i += 1) {
        const [x1, y1] = ring[i - 1] ?? [0, 0];
        const [x2, y2] = ring[i] ?? [0, 0];
        if (y1 > lat !== y2 > lat && x < x1 + ((lat - y1) / (y2 - y1)) * (x2 - x1)) inside = !inside;
      }
      return inside;
    }),
  );
}

function circle(corners: number): Polygon {
  const ring = Array.from({ length: corners + 1 }, (_, i): Position => {
    const angle = ((i % corners) / corners) * 2 * Math.PI;
    return [10 + 20 * Math.cos(angle), 10 + 20 * Math.sin(angle)];
  });
  return { type: "Polygon", coordinates: [ring] };
}

function faultOf(geometry: Point | Polygon): string {
  return orderedGeometryFaults(geometry, "/geometry")[0]?.message ?? "none";
}

test("a point in Prague becomes a square of 5 km whose sides point north and east", () => {
  const { geometry, areaKm2 } = orderedArea(point(14.42, 50.09), 25);
  assert.equal(areaKm2, 25);
  const ring = geometry.coordinates[0] ?? [];
  const lats = ring.map(([, lat]) => lat);
  const lons = ring.map(([lon]) => lon);
  const [south, north] = [Math.min(...lats), Math.max(...lats)];
  assert.ok(Math.abs(geodesicM(14.42, south, 14.42, north) - 5000) < 5);
  assert.ok(Math.abs(geodesicM(Math.min(...lons), 50.09, Math.max(...lons), 50.09) - 5000) < 5);
  assert.ok(Math.abs((south + north) / 2 - 50.09) < 1e-4);
});

test("the square of any point has the least area and contains the point, poles and antimeridian included", () => {
  const edges = fc.constantFrom(
    ...[-180, -179.999, 0, 179.99, 180].flatMap((x) => [-90, -89.99, -75, 0, 89.999, 90].map((y) => [x, y])),
  );
  const anywhere = fc.tuple(
    fc.double({ min: -540, max: 540, noNaN: true }),
    fc.double({ min: -90, max: 90, noNaN: true }),
  );
  const least = fc.constantFrom(0.1, 25, 50, 100, 200, 1000);
  fc.assert(
    fc.property(fc.oneof(edges, anywhere), least, ([lon = 0, lat = 0], leastKm2) => {
      const { geometry, areaKm2 } = orderedArea(point(lon, lat), leastKm2);
      const own = areaOf(geometry);
      assert.equal(areaKm2, leastKm2);
      // Beside a pole the straight pieces of a side are coarse.
      const most = Math.abs(lat) > 89.5 && Math.abs(lat) < 90 ? 1.1 : 1.0002;
      assert.ok(own >= leastKm2 && own < leastKm2 * most, `${own} for ${leastKm2} at ${lon} ${lat}`);
      // A point at a pole has no longitude; the ring around it is closed over the pole.
      const seen: Position = Math.abs(lat) > 89.9999 ? [lon, lat > 0 ? 89.9999 : -89.9999] : [lon, lat];
      const turn: Position = [seen[0] - 360 * Math.round(seen[0] / 360), seen[1]];
      assert.ok(contains(geometry, turn), `${lon} ${lat} is outside of ${JSON.stringify(geometry.coordinates)}`);
      const faults = orderedGeometryFaults(geometry, "");
      assert.deepEqual(faults, []);
    }),
    { numRuns: 500 },
  );
});

test("a polygon of the least area stays as it is", () => {
  const box = polygon([14, 50], [14.1, 50], [14.1, 50.1], [14, 50.1]);
  const { geometry, areaKm2 } = orderedArea(box, 25);
  assert.deepEqual(geometry, box);
  assert.equal(areaKm2, areaOf(box));
});

test("a smaller polygon keeps its shape and its centroid and grows to the least area", () => {
  // 2 km east, 1 km north at the equator.
  const small = polygon([10, 0], [10.018, 0], [10.018, 0.009], [10, 0.009]);
  const { geometry, areaKm2 } = orderedArea(small, 100);
  assert.equal(areaKm2, 100);
  assert.ok(areaOf(geometry) >= 100 && areaOf(geometry) < 100.01);
  const [ring = []] = geometry.coordinates;
  const [lons, lats] = [ring.map(([lon]) => lon), ring.map(([, lat]) => lat)];
  const [west, east, south, north] = [Math.min(...lons), Math.max(...lons), Math.min(...lats), Math.max(...lats)];
  assert.ok(Math.abs((west + east) / 2 - 10.009) < 1e-6 && Math.abs((south + north) / 2 - 0.0045) < 1e-6);
  assert.ok(Math.abs((east - west) / (north - south) - 2) < 0.001);
});

test("small triangles grow to the least area anywhere, around poles and across the antimeridian", () => {
  const place = fc.tuple(
    fc.double({ min: -180, max: 180, noNaN: true }),
    fc.oneof(fc.double({ min: -89.97, max: 89.97, noNaN: true }), fc.constantFrom(-89.97, 89.97)),
    fc.double({ min: 0.0005, max: 0.01, noNaN: true }),
  );
  fc.assert(
    fc.property(place, ([lon, lat, size]) => {
      const width = size / Math.cos((lat * Math.PI) / 180);
      const triangle = polygon([lon, lat], [lon + width, lat], [lon, lat + (lat < 0 ? size : -size)]);
      const { geometry, areaKm2 } = orderedArea(triangle, 25);
      assert.equal(areaKm2, 25);
      assert.ok(
        areaOf(geometry) >= 25 && areaOf(geometry) < (Math.abs(lat) > 89.5 ? 27.5 : 25.01),
        String(areaOf(geometry)),
      );
    }),
  );
});

test("a polygon that jumps across the antimeridian is ordered the short way", () => {
  const { geometry, areaKm2 } = orderedArea(polygon([179.9, 0], [-179.9, 0], [-179.9, 0.2], [179.9, 0.2]), 25);
  assert.ok(Math.abs(areaKm2 - 492.4) < 1, String(areaKm2));
  assert.deepEqual(
    geometry.coordinates[0]?.map(([lon]) => lon),
    [179.9, 180.1, 180.1, 179.9, 179.9],
  );
});

test("corners, holes, crossings, open rings and slivers are faults that name the limit", () => {
  assert.equal(faultOf(circle(MAX_ORDER_CORNERS - 1)), "none");
  assert.equal(faultOf(circle(250)), "has 250 corners, expected fewer than 250; simplify it");
  assert.match(faultOf(circle(1_000_000)), /has 1000000 corners/);
  const ring = circle(4).coordinates[0] ?? [];
  const hole = ring.map(([lon, lat]): Position => [10 + (lon - 10) / 2, 10 + (lat - 10) / 2]);
  assert.equal(faultOf({ type: "Polygon", coordinates: [ring, hole] }), "has 1 holes, expected none");
  assert.equal(faultOf(polygon([0, 0], [1, 1], [1, 0], [0, 1])), "crosses or touches itself");
  assert.match(faultOf({ type: "Polygon", coordinates: [ring.slice(0, -1)] }), /a ring is closed/);
  assert.equal(faultOf(polygon([0, 0], [1, 0], [2, 0])), "crosses or touches itself");
  assert.equal(faultOf(polygon([0, 0], [1e-9, 0], [0, 1e-9])), "has no area");
  assert.match(faultOf(point(0, 91)), /latitude 91 is beyond ±90/);
});

test("a sliver that would grow over half a continent is refused with the reason", () => {
  const sliver = polygon([10, 0], [11, 0], [11, 0.000001], [10, 0.000001]);
  assert.throws(() => orderedArea(sliver, 25), {
    name: "RangeError",
    message: "is so narrow that enlarged to 25 km2 it is over 200 km long",
  });
});
