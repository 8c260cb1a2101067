import assert from "node:assert/strict";
import { test } from "node:test";
import { assert as checkProperty, double, property } from "fast-check";
import { boundsPolygon } from "../geometry/bounds-polygon.ts";
import { baselineMatrix, type BaselineScene } from "./baseline-matrix.ts";
import { ecefOf } from "./geodetic.ts";
import { orbitThrough, stateAt, type Orbit } from "./hermite-orbit.ts";
import { perpendicularBaseline } from "./perpendicular-baseline.ts";
import { SENTINEL1_STACK } from "./sentinel1-stack.fixture.ts";
import type { Ecef, StateVector } from "./state-vector.ts";
import { zeroDoppler } from "./zero-doppler.ts";
import type { MultiPolygon } from "../geometry/geojson.ts";

const START_MS = Date.UTC(2024, 0, 1);
const RADIUS_M = 7_070_000;
const RATE = Math.sqrt(3.986004418e14 / RADIUS_M ** 3);

/** A circular polar orbit above a meridian, in a frame that does not turn, so that everything is known in closed form. */
function circle(lonDeg: number, radiusM: number, spacingS: number, count: number): Orbit {
  const lon = (lonDeg * Math.PI) / 180;
  const vectors = Array.from({ length: count }, (_, k): StateVector => {
    const seconds = (k - (count - 1) / 2) * spacingS;
    return { timeMs: START_MS + seconds * 1000, ...circleAt(lon, radiusM, seconds) };
  });
  const orbit = orbitThrough(vectors);
  assert.ok(orbit !== null);
  return orbit;
}

function circleAt(lon: number, radiusM: number, seconds: number): { positionM: Ecef; velocityMs: Ecef } {
  const angle = RATE * seconds;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return {
    positionM: [radiusM * c * Math.cos(lon), radiusM * c * Math.sin(lon), radiusM * s],
    velocityMs: [-radiusM * RATE * s * Math.cos(lon), -radiusM * RATE * s * Math.sin(lon), radiusM * RATE * c],
  };
}

function distance(a: Ecef, b: Ecef): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

function worstError(spacingS: number): number {
  const orbit = circle(10, RADIUS_M, spacingS, 4);
  let worst = 0;
  for (let t = -1.5 * spacingS; t <= 1.5 * spacingS; t += spacingS / 7) {
    const { positionM } = circleAt((10 * Math.PI) / 180, RADIUS_M, t);
    worst = Math.max(worst, distance(stateAt(orbit, (t + 1.5 * spacingS) * 1000).positionM, positionM));
  }
  return worst;
}

test("interpolation between vectors ten seconds apart is exact to half a millimetre and gets worse with the fourth power", () => {
  assert.ok(worstError(10) < 0.0005, String(worstError(10)));
  assert.ok(worstError(20) < 0.006, String(worstError(20)));
  assert.ok(Math.abs(worstError(40) / worstError(20) - 16) < 2, String(worstError(40) / worstError(20)));
});

test("a target abeam is found wherever it lies along the orbit, and nowhere beyond ten seconds of its ends", () => {
  const orbit = circle(10, RADIUS_M, 10, 9);
  checkProperty(
    property(double({ min: -49, max: 49, noNaN: true }), (seconds) => {
      // Beside the track at the satellite's own angle: a vector in the plane the velocity is normal to.
      const { positionM } = circleAt((10 * Math.PI) / 180, 6_371_000, seconds);
      const side: Ecef = [-Math.sin((10 * Math.PI) / 180), Math.cos((10 * Math.PI) / 180), 0];
      const target: Ecef = [positionM[0] + 4e5 * side[0], positionM[1] + 4e5 * side[1], positionM[2]];
      const found = zeroDoppler(orbit, target);
      assert.ok(found !== null, String(seconds));
      assert.ok(Math.abs(found.afterMs - (seconds + 40) * 1000) < 0.05, `${found.afterMs} ${seconds}`);
    }),
    { numRuns: 100 },
  );
  for (const seconds of [-52, 52, 400]) {
    assert.equal(zeroDoppler(orbit, circleAt(0.17, 6_371_000, seconds).positionM), null);
  }
});

test("a satellite higher up at the same place has a positive baseline, whichever way the radar looks", () => {
  const low = circle(10, RADIUS_M, 10, 9);
  const high = circle(10, RADIUS_M + 200, 10, 9);
  for (const lonDeg of [5, 15]) {
    const target = ecefOf(lonDeg, 0.5);
    const forth = perpendicularBaseline(low, high, target);
    const back = perpendicularBaseline(high, low, target);
    assert.ok(forth !== null && back !== null);
    assert.ok(forth.perpendicularM > 50 && forth.perpendicularM < 200, String(forth.perpendicularM));
    assert.ok(Math.hypot(forth.perpendicularM, forth.parallelM) < 200.01);
    assert.ok(forth.parallelM < 0, "higher is farther away");
    assert.ok(Math.abs(forth.perpendicularM + back.perpendicularM) < 0.1, "swapping both turns the sign");
  }
});

test("satellites farther apart than a hundred kilometres are no pair", () => {
  const target = ecefOf(14, 0.5);
  assert.ok(perpendicularBaseline(circle(10, RADIUS_M, 10, 9), circle(10.5, RADIUS_M, 10, 9), target) !== null);
  assert.equal(perpendicularBaseline(circle(10, RADIUS_M, 10, 9), circle(7, RADIUS_M, 10, 9), target), null);
});

test("two vectors make an orbit in any order, one or the same twice do not", () => {
  const [a, b] = circle(10, RADIUS_M, 10, 2).vectors;
  assert.ok(a !== undefined && b !== undefined);
  assert.deepEqual(orbitThrough([b, a, a])?.vectors, [a, b]);
  assert.equal(orbitThrough([a, a]), null);
  assert.equal(orbitThrough([a, { ...b, timeMs: Number.NaN }]), null);
  assert.equal(orbitThrough([]), null);
});

function box(west: number, south: number, east: number, north: number): MultiPolygon {
  return { type: "MultiPolygon", coordinates: [boundsPolygon([west, south, east, north]).coordinates] };
}

function scene(more: Partial<BaselineScene> & { readonly radiusM?: number } = {}): BaselineScene {
  const { radiusM = RADIUS_M, ...rest } = more;
  return {
    track: "sentinel-1 44 ascending right",
    footprint: box(13, -1, 15, 1),
    stateVectors: circle(10, radiusM, 10, 17).vectors,
    ...rest,
  };
}

test("a matrix has zero on its diagonal and null where there is no pair", () => {
  const matrix = baselineMatrix([
    scene(),
    scene({ radiusM: RADIUS_M + 100 }),
    scene({ track: "sentinel-1 44 descending right" }),
    scene({ footprint: box(15, -1, 16, 1) }),
    scene({ stateVectors: null }),
    scene({ stateVectors: circle(10, RADIUS_M, 1, 2).vectors, footprint: box(13, 5, 15, 6) }),
    null,
    scene({ track: null }),
  ]);
  const known = matrix.map((row) => row.map((value) => (value === null ? "." : value === 0 ? "0" : "x")).join(""));
  assert.deepEqual(known, [
    "0x......",
    "x0......",
    "..0.....",
    "...0....",
    "....0...",
    ".....0..",
    "........",
    ".......0",
  ]);
  assert.ok(Math.abs((matrix[0]?.[1] ?? 0) + (matrix[1]?.[0] ?? 0)) < 0.1);
});

test("common ground is found across the antimeridian and for footprints that are not convex", () => {
  const track = (lonDeg: number) => circle(lonDeg, RADIUS_M, 10, 17).vectors;
  const split: MultiPolygon = {
    type: "MultiPolygon",
    coordinates: [...box(179, -1, 180, 1).coordinates, ...box(-180, -1, -179, 1).coordinates],
  };
  const across = baselineMatrix([
    scene({ footprint: split, stateVectors: track(176) }),
    scene({ footprint: box(-180, -1, -178, 1), stateVectors: track(176.001) }),
  ]);
  assert.ok((across[0]?.[1] ?? 0) !== 0 && across[0]?.[1] !== null);
  const angle: MultiPolygon = {
    type: "MultiPolygon",
    coordinates: [
      [
        [
          [13, -1],
          [15, -1],
          [15, -0.8],
          [13.2, -0.8],
          [13.2, 1],
          [13, 1],
          [13, -1],
        ],
      ],
    ],
  };
  const high = scene({ radiusM: RADIUS_M + 100, footprint: box(14, 0, 15, 1) });
  assert.deepEqual(baselineMatrix([scene({ footprint: angle }), high])[0]?.[1], null);
  const touching = scene({ radiusM: RADIUS_M + 100, footprint: box(13, 0, 15, 1) });
  assert.ok((baselineMatrix([scene({ footprint: angle }), touching])[0]?.[1] ?? 0) > 20);
});

test("a stack of sixteen Sentinel-1 scenes agrees with rigorous values to 5 cm and with published ones to 10 m", () => {
  const { reference: name, targetLonLat, scenes } = SENTINEL1_STACK;
  const orbits = new Map(scenes.map((one): [string, Orbit | null] => [one.scene, orbitThrough(one.stateVectors)]));
  const reference = orbits.get(name) ?? null;
  assert.ok(reference !== null);
  for (const row of scenes) {
    const secondary = orbits.get(row.scene) ?? null;
    assert.ok(secondary !== null);
    const baseline = perpendicularBaseline(reference, secondary, ecefOf(...targetLonLat));
    assert.ok(baseline !== null, row.scene);
    const { perpendicularM, parallelM } = baseline;
    assert.ok(Math.abs(perpendicularM - row.perpendicularM) < 0.05, `${row.scene} ${perpendicularM}`);
    assert.ok(Math.abs(parallelM - row.parallelM) < 0.05, `${row.scene} ${parallelM}`);
    assert.ok(Math.abs(perpendicularM - row.publishedM) < 10, row.scene);
  }
});
