import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { boundsPolygon } from "../geometry/bounds-polygon.ts";
import type { Polygon, Position } from "../geometry/geojson.ts";
import { propagatorOfTle, type Propagator } from "../orbits/sgp4.ts";
import { targetGeometry } from "../orbits/target-geometry.ts";
import { areaSamples } from "./area-samples.ts";
import { areaWindows } from "./area-windows.ts";
import { OldElementsError } from "./elements-age.ts";
import type { ImagingSatellite } from "./imaging-satellite.ts";
import type { OpticalLimits, RadarLimits, SensorLimits } from "./sensor-limits.ts";
import { targetWindows } from "./target-windows.ts";

/** Sentinel-2A in October 2026. */
const propagate = propagatorOfTle(
  "1 40697U 15028A   26274.29857647 -.00000002  00000+0  15863-4 0  9990",
  "2 40697  98.5653 347.6046 0001070  85.9280 274.2026 14.30818852588907",
);
const EPOCH_MS = Date.parse("2026-10-01T07:09:57Z");
const FROM_MS = Date.parse("2026-10-02T00:00:00Z");
const DAY_MS = 86_400_000;
const TO_MS = FROM_MS + 14 * DAY_MS;
const BY_NIGHT_TOO = { kind: "optical", maxOffNadirDeg: 30, minSunElevationDeg: -90 } as const satisfies OpticalLimits;
const RADAR = {
  kind: "radar",
  minIncidenceDeg: 20,
  maxIncidenceDeg: 45,
  lookSides: ["left", "right"],
  dwellS: 10,
} as const satisfies RadarLimits;

function satelliteWith(limits: SensorLimits, swathKm = 20): ImagingSatellite {
  const identity = { name: "S2A", catalogueNumber: 40_697, elementsEpochMs: EPOCH_MS };
  return { ...identity, propagate, limits, swathKm, setupGapS: 30 };
}

const place = fc.record({
  lonDeg: fc.double({ min: -180, max: 180, noNaN: true }),
  latDeg: fc.double({ min: -85, max: 85, noNaN: true }),
});
const limitsOfAnySensor = fc.oneof(
  fc.integer({ min: 10, max: 50 }).map((maxOffNadirDeg): SensorLimits => ({ ...BY_NIGHT_TOO, maxOffNadirDeg })),
  fc.constantFrom<SensorLimits>(RADAR, { ...RADAR, lookSides: ["right"] }),
);

test("windows of a point are those of the target", () => {
  fc.assert(
    fc.property(place, limitsOfAnySensor, ({ lonDeg, latDeg }, limits) => {
      const point = { type: "Point", coordinates: [lonDeg, latDeg] } as const;
      const windows = areaWindows(satelliteWith(limits), point, FROM_MS, FROM_MS + 4 * DAY_MS);
      const expected = targetWindows(propagate, { lonDeg, latDeg }, limits, FROM_MS, FROM_MS + 4 * DAY_MS);
      assert.equal(windows.length, expected.length);
      for (const [index, window] of windows.entries()) {
        const of = expected[index];
        for (const [got, wanted] of [
          [window.startMs, of.startMs],
          [window.endMs, of.endMs],
          [window.closestMs, of.closestMs],
        ] as const) {
          assert.ok(Math.abs(got - wanted) <= 2, `${got} and ${wanted}`);
        }
        assert.ok(Math.abs(window.offNadirDeg - of.offNadirDeg) < 1e-3);
        assert.deepEqual([window.lookSide, window.pass], [of.lookSide, of.pass]);
        assert.deepEqual([window.coverageRatio, window.strips.length], [1, 1]);
      }
    }),
    { numRuns: 30 },
  );
});

/** Whether an optical sensor sees a place at a moment. */
function sees(
  at: ReturnType<Propagator>,
  [lonDeg, latDeg]: readonly [number, number],
  maxOffNadirDeg: number,
): boolean {
  const { offNadirDeg, elevationDeg } = targetGeometry(at, lonDeg, latDeg);
  return offNadirDeg <= maxOffNadirDeg && elevationDeg >= 0;
}

/** A place that is seen by less than this for a moment may be on either side of an edge. */
const GRAZING_DEG = 0.05;

test("windows of an area hold every moment at which one of its places is seen, and reach to such moments only", () => {
  const size = fc.double({ min: 0.1, max: 5, noNaN: true });
  fc.assert(
    fc.property(place, size, size, fc.integer({ min: 10, max: 45 }), (at, width, height, maxOffNadirDeg) => {
      const area = boundsPolygon([
        at.lonDeg,
        Math.min(at.latDeg, 84),
        at.lonDeg + width,
        Math.min(at.latDeg, 84) + height,
      ]);
      const satellite = satelliteWith({ ...BY_NIGHT_TOO, maxOffNadirDeg }, 1000);
      const windows = areaWindows(satellite, area, FROM_MS, FROM_MS + DAY_MS);
      const { rim, grid } = areaSamples(area, 1000);
      const isSeenAt = (timeMs: number, places: typeof grid, limitDeg: number): boolean => {
        const state = propagate(timeMs);
        return places.some(({ lonDeg, latDeg }) => sees(state, [lonDeg, latDeg], limitDeg));
      };
      const [least, most] = [maxOffNadirDeg - GRAZING_DEG, maxOffNadirDeg + GRAZING_DEG];
      const places = [...rim, ...grid];
      for (const { startMs, endMs } of windows) {
        for (const [inside, outside] of [
          [startMs + 20, startMs - 20],
          [endMs - 20, endMs + 20],
        ] as const) {
          if (inside < FROM_MS + 100 || inside > FROM_MS + DAY_MS - 100) continue;
          const seen = [isSeenAt(inside, places, most), isSeenAt(outside, places, least)];
          assert.deepEqual(seen, [true, false], new Date(inside).toISOString());
        }
      }
      for (let timeMs = FROM_MS; timeMs <= FROM_MS + DAY_MS; timeMs += 30_000) {
        const isWithin = windows.some(({ startMs, endMs }) => startMs <= timeMs && timeMs <= endMs);
        // A pass that sees a corner and no place of the grid images no part of the area.
        assert.ok(isWithin || !isSeenAt(timeMs, grid, least), new Date(timeMs).toISOString());
      }
    }),
    { numRuns: 15 },
  );
});

test("the coverage of a pass is the share of the area within the limits", () => {
  const area = boundsPolygon([10, 46, 17, 50]);
  const satellite = satelliteWith(BY_NIGHT_TOO, 1000);
  const windows = areaWindows(satellite, area, FROM_MS, TO_MS);
  assert.ok(windows.some(({ coverageRatio }) => coverageRatio === 1));
  const partial = windows.filter(({ coverageRatio }) => coverageRatio < 1);
  assert.ok(partial.length > 3);
  for (const { startMs, endMs, coverageRatio } of partial) {
    // A finer grid of the box, each row weighted by its length, looked at every four seconds.
    let [inside, all] = [0, 0];
    const states = Array.from({ length: Math.ceil((endMs - startMs) / 4000) }, (_, i) => propagate(startMs + i * 4000));
    for (let row = 0; row < 30; row += 1) {
      const latDeg = 46 + ((row + 0.5) / 30) * 4;
      const weight = Math.cos((latDeg * Math.PI) / 180);
      for (let column = 0; column < 30; column += 1) {
        const lonDeg = 10 + ((column + 0.5) / 30) * 7;
        all += weight;
        if (states.some((state) => sees(state, [lonDeg, latDeg], 30))) inside += weight;
      }
    }
    assert.ok(Math.abs(coverageRatio - inside / all) < 0.05, `${coverageRatio} and ${inside / all}`);
  }
});

test("an area wider than the swath is covered by strips along the track, neighbours overlapping by a tenth", () => {
  const area = boundsPolygon([14, 49.5, 15.2, 50.3]);
  const wide = areaWindows(satelliteWith(BY_NIGHT_TOO, 120), area, FROM_MS, TO_MS);
  assert.ok(wide.every(({ strips, coverageRatio }) => strips.length === 1 && coverageRatio > 0));
  const narrow = areaWindows(satelliteWith(BY_NIGHT_TOO, 32), area, FROM_MS, TO_MS);
  assert.equal(narrow.length, wide.length);
  const whole = narrow.filter(({ coverageRatio }) => coverageRatio === 1);
  assert.ok(whole.length > 5);
  for (const { strips, pass } of whole) {
    // The box is 86 km wide and 89 km high: 108 km across a track that leans by 17 degrees, 3.8 times 28.8 km.
    assert.equal(strips.length, 4);
    const tilt = strips.map(({ coordinates: [ring = []] }) => {
      const [startLon, startLat] = ring[0] ?? [0, 0];
      const [endLon, endLat] = ring[3] ?? [0, 0];
      return Math.atan2((endLon - startLon) * Math.cos((50 * Math.PI) / 180), endLat - startLat) * (180 / Math.PI);
    });
    for (const headingDeg of tilt) {
      const expected = pass === "ascending" ? -17 : -163;
      assert.ok(Math.abs(headingDeg - expected) < 6, `${pass} heading ${headingDeg}`);
    }
    assert.ok(boxCorners.every((corner) => strips.some(({ coordinates: [ring = []] }) => isInside(ring, corner))));
  }
});

/** Slightly within the box. */
const boxCorners = [
  [14.01, 49.51],
  [15.19, 49.51],
  [15.19, 50.29],
  [14.01, 50.29],
  [14.6, 49.9],
] as const;

function isInside(ring: readonly Position[], [x, y]: readonly [number, number]): boolean {
  let inside = false;
  for (let i = 1; i < ring.length; i += 1) {
    const [[x1, y1], [x2, y2]] = [ring[i - 1] ?? [0, 0], ring[i] ?? [0, 0]];
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) inside = !inside;
  }
  return inside;
}

test("a radar takes one strip of a pass", () => {
  const windows = areaWindows(satelliteWith(RADAR, 30), boundsPolygon([14, 49.5, 15.2, 50.3]), FROM_MS, TO_MS);
  assert.ok(windows.length > 3);
  for (const { strips, coverageRatio } of windows) {
    assert.equal(strips.length, 1);
    assert.ok(coverageRatio > 0.1 && coverageRatio < 0.4, `${coverageRatio}`);
  }
});

test("a hole and a seam at the antimeridian count as the ground that they are", () => {
  const [area, hole] = [boundsPolygon([10, 46, 17, 50]), boundsPolygon([10.1, 46.1, 16.9, 49.9])];
  const holed: Polygon = { type: "Polygon", coordinates: [...area.coordinates, ...hole.coordinates] };
  const { grid } = areaSamples(holed, 1000);
  assert.ok(grid.length >= 12);
  assert.ok(grid.every(({ lonDeg, latDeg }) => lonDeg < 10.1 || lonDeg > 16.9 || latDeg < 46.11 || latDeg > 49.9));
  const satellite = satelliteWith(BY_NIGHT_TOO, 1000);
  const over = areaWindows(satellite, boundsPolygon([178, 10, 182, 12]), FROM_MS, TO_MS);
  const jumping = areaWindows(satellite, boundsPolygon([178, 10, -178, 12]), FROM_MS, TO_MS);
  const halves = [boundsPolygon([178, 10, 180, 12]), boundsPolygon([-180, 10, -178, 12])];
  const coordinates = halves.map((half) => half.coordinates);
  const split = areaWindows(satellite, { type: "MultiPolygon", coordinates }, FROM_MS, TO_MS);
  assert.ok(over.length > 10);
  for (const other of [jumping, split]) {
    assert.equal(other.length, over.length);
    for (const [index, { startMs, endMs, coverageRatio }] of other.entries()) {
      const of = over[index];
      assert.ok(Math.abs(startMs - of.startMs) < 50 && Math.abs(endMs - of.endMs) < 50);
      assert.ok(Math.abs(coverageRatio - of.coverageRatio) < 0.02);
    }
  }
});

test("elements lose their worth with age: the uncertainty grows, and beyond 60 days they are refused", () => {
  const point = { type: "Point", coordinates: [14.42, 50.08] } as const;
  const windows = areaWindows(satelliteWith(BY_NIGHT_TOO), point, EPOCH_MS + 38 * DAY_MS, EPOCH_MS + 50 * DAY_MS);
  for (const { endMs, uncertaintyS } of windows) {
    assert.ok(Math.abs(uncertaintyS - (0.05 * (endMs - EPOCH_MS)) / DAY_MS) < 1e-9);
  }
  assert.ok(windows.every(({ uncertaintyS }) => uncertaintyS > 1.9 && uncertaintyS < 2.5));
  const [soon] = areaWindows(satelliteWith(BY_NIGHT_TOO), point, FROM_MS, TO_MS);
  assert.equal(soon?.uncertaintyS, 1);
  assert.throws(
    () => areaWindows(satelliteWith(BY_NIGHT_TOO), point, EPOCH_MS + 59 * DAY_MS, EPOCH_MS + 61 * DAY_MS),
    OldElementsError,
  );
});

test("the largest area with the most corners takes no more work than its windows ask for", () => {
  const ring = Array.from({ length: 50_000 }, (_, index): Position => {
    const angle = (index / 50_000) * 2 * Math.PI;
    const radius = 8 + (index % 2) * 0.2;
    return [20 + radius * Math.cos(angle), radius * Math.sin(angle)];
  });
  const star: Polygon = { type: "Polygon", coordinates: [[...ring, ring[0]]] };
  let propagations = 0;
  const counting: Propagator = (timeMs) => {
    propagations += 1;
    return propagate(timeMs);
  };
  const satellite = { ...satelliteWith(BY_NIGHT_TOO), propagate: counting };
  const windows = areaWindows(satellite, star, FROM_MS, FROM_MS + 50 * DAY_MS);
  assert.ok(windows.length > 50, `${windows.length} windows`);
  assert.ok(propagations < 10_000 * windows.length, `${propagations} propagations for ${windows.length} windows`);
  assert.throws(
    () => areaWindows(satellite, boundsPolygon([0, 0, 20, 20]), FROM_MS, TO_MS),
    /2226 km long, expected at most 2000/,
  );
});
