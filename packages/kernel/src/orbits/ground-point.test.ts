import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { ecefOf } from "./geodetic.ts";
import { ellipsoidPoint, geodeticOf, groundPointAt, levelFrame } from "./ground-point.ts";
import { targetGeometry } from "./target-geometry.ts";
import { subtract, type StateVector } from "./state-vector.ts";

test("geodetic positions up to 2000 km high are found again to a millimetre", () => {
  fc.assert(
    fc.property(
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.double({ min: -90, max: 90, noNaN: true }),
      fc.double({ min: -5000, max: 2e6, noNaN: true }),
      (lonDeg, latDeg, heightM) => {
        const place = ecefOf(lonDeg, latDeg, heightM);
        const found = geodeticOf(place);
        const again = ecefOf(found.lonDeg, found.latDeg, found.heightM);
        assert.ok(Math.hypot(...subtract(place, again)) < 1e-3, `${lonDeg} ${latDeg} ${heightM}`);
      },
    ),
  );
});

test("a ray meets the near side of the ellipsoid or misses it", () => {
  const from = ecefOf(20, 0, 700_000);
  const below = ellipsoidPoint(from, [-Math.cos((20 * Math.PI) / 180), -Math.sin((20 * Math.PI) / 180), 0]);
  assert.ok(below !== null && Math.hypot(...subtract(below, ecefOf(20, 0))) < 1e-3);
  assert.equal(ellipsoidPoint(from, [0, 0, 1]), null);
  assert.equal(ellipsoidPoint(from, [Math.cos(0.35), Math.sin(0.35), 0]), null);
});

/** A made-up state over a place: 7.5 km/s along a bearing. */
function stateOver(lonDeg: number, latDeg: number, bearingDeg: number): StateVector {
  const radians = Math.PI / 180;
  const [lon, lat, bearing] = [lonDeg * radians, latDeg * radians, bearingDeg * radians];
  const east = [-Math.sin(lon), Math.cos(lon), 0];
  const north = [-Math.sin(lat) * Math.cos(lon), -Math.sin(lat) * Math.sin(lon), Math.cos(lat)];
  const along = (axis: number): number =>
    7500 * ((east[axis] ?? 0) * Math.sin(bearing) + (north[axis] ?? 0) * Math.cos(bearing));
  return { timeMs: 0, positionM: ecefOf(lonDeg, latDeg, 700_000), velocityMs: [along(0), along(1), along(2)] };
}

test("what is seen at a roll angle lies at that angle off nadir, abeam, on that side", () => {
  fc.assert(
    fc.property(
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.double({ min: -85, max: 85, noNaN: true }),
      fc.double({ min: 0, max: 360, noNaN: true }),
      fc.double({ min: 0.1, max: 50, noNaN: true }),
      fc.boolean(),
      (lonDeg, latDeg, bearingDeg, rollDeg, isRight) => {
        const state = stateOver(lonDeg, latDeg, bearingDeg);
        const point = groundPointAt(levelFrame(state), isRight ? rollDeg : -rollDeg);
        assert.ok(point !== null);
        const seen = targetGeometry(state, point[0], point[1]);
        assert.ok(Math.abs(seen.offNadirDeg - rollDeg) < 1e-6, `${seen.offNadirDeg}`);
        assert.equal(seen.lookSide, isRight ? "right" : "left");
        assert.ok(Math.abs(seen.rangeRateMs) < 1e-3, `${seen.rangeRateMs}`);
      },
    ),
  );
});

test("beyond the horizon nothing is seen", () => {
  assert.equal(groundPointAt(levelFrame(stateOver(0, 0, 0)), 75), null);
});
