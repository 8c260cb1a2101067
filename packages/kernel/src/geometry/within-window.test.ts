import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { areaKm2 } from "./area.ts";
import { difference } from "./clip.ts";
import type { LinearRing, MultiPolygon } from "./geojson.ts";
import { isWithinWindow } from "./within-window.ts";

function around(lon: number, lat: number, radiiDeg: readonly number[]): LinearRing {
  return [...radiiDeg, ...radiiDeg.slice(0, 1)].map((radiusDeg, i) => {
    const angle = ((i % radiiDeg.length) * 2 * Math.PI) / radiiDeg.length;
    return [lon + radiusDeg * Math.cos(angle), lat + radiusDeg * Math.sin(angle)];
  });
}

function area(...polygons: LinearRing[][]): MultiPolygon {
  return { type: "MultiPolygon", coordinates: polygons };
}

const radius = fc.double({ min: 0.2, max: 3, noNaN: true });
const centre = fc.double({ min: -2, max: 2, noNaN: true });

test("an area is within a convex window exactly when nothing of it is left outside", () => {
  let within = 0;
  fc.assert(
    fc.property(
      fc.record({ lon: centre, lat: centre, radii: fc.array(radius, { minLength: 3, maxLength: 20 }) }),
      fc.record({ size: fc.double({ min: 1, max: 6, noNaN: true }), corners: fc.integer({ min: 3, max: 16 }) }),
      fc.boolean(),
      ({ lon, lat, radii }, { size, corners }, isTurned) => {
        const ring = around(0, 50, Array<number>(corners).fill(size));
        const window = area([isTurned ? ring.toReversed() : ring]);
        const star = area([around(lon, 50 + lat, radii)]);
        const outsideKm2 = areaKm2(difference(star, window));
        const isWithin = isWithinWindow(star, window);
        if (isWithin) within += 1;
        assert.equal(isWithin, outsideKm2 === 0, `${outsideKm2} km2 of the area are outside`);
      },
    ),
    { numRuns: 1000 },
  );
  assert.ok(within > 100, `${within} areas were within`);
});

test("an area that shares edges with the window is within, one with a hole or a second part outside is not", () => {
  const square = around(0, 0, [2, 2, 2, 2]);
  assert.ok(isWithinWindow(area([square]), area([square])));
  const outside = around(9, 0, [1, 1, 1]);
  assert.ok(!isWithinWindow(area([square], [outside]), area([square])));
  assert.ok(!isWithinWindow(area([square, outside]), area([square])));
});

test("only one convex polygon of at most 16 corners without a hole is a window", () => {
  const small = area([around(0, 0, [0.1, 0.1, 0.1])]);
  const square = around(0, 0, [2, 2, 2, 2]);
  const seventeen = around(0, 0, Array<number>(17).fill(2));
  const dented = around(0, 0, [2, 2, 0.5, 2, 2]);
  const hole = around(1, 0, [0.2, 0.2, 0.2]);
  for (const window of [area(), area([seventeen]), area([dented]), area([square, hole]), area([square], [hole])]) {
    assert.ok(!isWithinWindow(small, window));
  }
  assert.ok(isWithinWindow(small, area([around(0, 0, Array<number>(16).fill(2))])));
});
