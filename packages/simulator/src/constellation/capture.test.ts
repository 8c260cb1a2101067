import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { flatAreaKm2 } from "@swath/kernel/geometry/flat-ring";
import type { Bounds } from "@swath/kernel/geometry/geojson";
import { propagatorOfElements, siderealAngle } from "@swath/kernel/orbits/sgp4";
import { targetGeometry } from "@swath/kernel/orbits/target-geometry";
import { captureName, captureOf } from "./capture-name.ts";
import { capturesOfSlot, isPossible, outlineOf, type Capture } from "./capture.ts";
import { capturesBetween } from "./captures-between.ts";
import { nodeLonDeg, passCount } from "./pass.ts";
import { PRODUCTS } from "./products.ts";
import * as satellites from "./satellites.ts";
import type { Satellite } from "./satellites.ts";
import { seamShift } from "./seam-shift.ts";
import { SITES } from "./sites.ts";
import { slotAt } from "./slot.ts";
import { stateVectorsOf } from "./state-vectors.ts";
import { boundsOfRing, isInsideRing } from "./ring.ts";
import type { SwathPlan } from "./swath-plan.ts";

const DAY_MS = 86_400_000;
const ALL: readonly Satellite[] = Object.values(satellites).flatMap((value) => (Array.isArray(value) ? value : []));

function planOf(dataset: string): SwathPlan {
  const product = PRODUCTS.find((one) => one.dataset === dataset);
  assert.ok(product !== undefined, dataset);
  return product.plan;
}

function around(lonDeg: number, latDeg: number, halfDeg = 0.01): Bounds {
  return [lonDeg - halfDeg, latDeg - halfDeg, lonDeg + halfDeg, latDeg + halfDeg];
}

test("satellites say that they are simulated and have codes and numbers of their own", () => {
  assert.ok(ALL.length > 20);
  for (const { name, catalogueNumber, code } of ALL) {
    assert.match(name, /^SIM /u);
    assert.ok(catalogueNumber > 99_000 && catalogueNumber < 100_000);
    assert.match(code, /^[A-Z0-9]{2,9}$/u);
  }
  assert.equal(new Set(ALL.map(({ code }) => code)).size, ALL.length);
  assert.equal(new Set(ALL.map(({ catalogueNumber }) => catalogueNumber)).size, ALL.length);
});

/** The longest time without a capture that holds the place, days; night and cloud do not count as one. */
function longestGapDays(dataset: string, lonDeg: number, latDeg: number, fromMs: number, toMs: number): number {
  const plan = planOf(dataset);
  let previous = toMs;
  let longest = 0;
  for (const capture of capturesBetween(plan, [around(lonDeg, latDeg)], fromMs, toMs)) {
    const outline = outlineOf(plan, capture);
    const lon = lonDeg + 360 * Math.round(((outline[0] ?? 0) - lonDeg) / 360);
    if (!isInsideRing(outline, lon, latDeg)) continue;
    longest = Math.max(longest, previous - capture.acquiredAtMs);
    previous = capture.acquiredAtMs;
  }
  return Math.max(longest, previous - fromMs) / DAY_MS;
}

test("missions come back to the equator as often as the real ones", () => {
  const [from, to] = [Date.UTC(2019, 2, 1), Date.UTC(2019, 4, 1)];
  for (let lon = -175; lon < 180; lon += 23.7) {
    const twin = longestGapDays("COPERNICUS/S2_HARMONIZED", lon, 0, from, to);
    assert.ok(twin <= 5.01, `Sentinel-2 at ${lon}: ${twin} days`);
    const daily = longestGapDays("PSScene", lon, 0, from, to);
    assert.ok(daily <= 1.01, `doves at ${lon}: ${daily} days`);
    const sixteen = longestGapDays("LANDSAT/LC08/C02/T1", lon, 0, from, to);
    assert.ok(sixteen <= 16.01, `Landsat at ${lon}: ${sixteen} days`);
    const radar = longestGapDays("COPERNICUS/S1_GRD", lon, 0, from, to);
    assert.ok(radar <= 6.01, `Sentinel-1 at ${lon}: ${radar} days`);
  }
});

test("a search finds what looking at every strip of every pass finds", () => {
  const box: Bounds = [10.2, 44.1, 11.9, 45.3];
  const [from, to] = [Date.UTC(2022, 6, 1), Date.UTC(2022, 6, 25)];
  for (const dataset of ["COPERNICUS/S1_GRD", "Stripmap_GRD", "spot", "LANDSAT/LC08/C02/T1"]) {
    const plan = planOf(dataset);
    const expected = new Set<string>();
    for (const satellite of plan.satellites) {
      const { rows, columns } = plan.gridOf(satellite).layout;
      const { cycleMs } = satellite.orbit;
      for (let row = 0; row < rows; row += 1) {
        for (let column = 0; column < columns.length; column += 1) {
          const strip = plan.gridOf(satellite).box(row, column);
          // Cells shift by up to five kilometres from the strip.
          if (strip === null || strip[1] > box[3] + 0.1 || strip[3] < box[1] - 0.1) continue;
          for (let pass = 0; pass < passCount(satellite); pass += 1) {
            const west = strip[0] + nodeLonDeg(satellite, pass) - 0.1;
            const east = strip[2] + nodeLonDeg(satellite, pass) + 0.1;
            const turns = 360 * Math.ceil((box[0] - east) / 360);
            if (west + turns > box[2]) continue;
            const slot = slotAt(plan, satellite, row, pass);
            const first = Math.floor((from - satellite.epochMs) / cycleMs) - 1;
            for (let cycle = first; satellite.epochMs + cycle * cycleMs < to; cycle += 1) {
              for (const capture of capturesOfSlot(plan, satellite, slot, cycle, (one) => one === column)) {
                const isInTime = capture.acquiredAtMs >= from && capture.acquiredAtMs < to;
                const isDue = isInTime && capture.isListed && isPossible(plan, capture);
                const [w, s, e, n] = boundsOfRing(outlineOf(plan, capture));
                const overlaps = s <= box[3] && n >= box[1] && w + 360 * Math.ceil((box[0] - e) / 360) <= box[2];
                if (isDue && overlaps) expected.add(captureName(plan, capture));
              }
            }
          }
        }
      }
    }
    const found = [...capturesBetween(plan, [box], from, to)];
    assert.ok(found.length > 2, dataset);
    assert.deepEqual(new Set(found.map((capture) => captureName(plan, capture))), expected, dataset);
    for (const [index, capture] of found.entries()) {
      assert.ok(capture.acquiredAtMs <= (found[index - 1]?.acquiredAtMs ?? Infinity), "newest first");
    }
  }
});

test("names give back the capture they were made from", () => {
  for (const { dataset, plan } of PRODUCTS) {
    let count = 0;
    for (const capture of capturesBetween(plan, [around(2.35, 48.85, 1)], Date.UTC(2018, 0, 1), Date.UTC(2024, 6, 1))) {
      const name = captureName(plan, capture);
      const again = captureOf(plan, name);
      assert.ok(again !== null, `${dataset} ${name}`);
      assert.equal(captureName(plan, again), name);
      assert.equal(again.acquiredAtMs, capture.acquiredAtMs);
      assert.deepEqual(outlineOf(plan, again), outlineOf(plan, capture));
      count += 1;
      if (count > 20) break;
    }
    assert.ok(count > 0, dataset);
  }
});

test("names of captures that were never made are refused", () => {
  const plan = planOf("COPERNICUS/S2_HARMONIZED");
  const [capture] = [...capturesBetween(plan, [around(2.35, 48.85)], Date.UTC(2023, 5, 1), Date.UTC(2023, 5, 12))];
  assert.ok(capture !== undefined);
  const name = captureName(plan, capture);
  assert.match(name, /^S2[AB]_202306\d\dT\d{6}_R\d{3}_F\d{4}_C\d\d(?:_S[1-7])?$/u);
  for (const wrong of [
    "",
    name.replace("S2", "S3"),
    name.replace("_R", "_R1"),
    name.replace("T1", "T2"),
    name.replace("2023", "2013"),
    name.replace("2023", "9999"),
    name.replace(/_C\d+/u, "_C48"),
    name.replace(/(?:_S\d)?$/u, "_S0"),
    name.replace(/(?:_S\d)?$/u, "_S8"),
    name.replace(/(?:_S\d)?$/u, `_S${capture.framing === 7 ? 1 : capture.framing + 1}`),
    name.replace(/_F\d+/u, "_F9999"),
    `${name} `,
    name.toLowerCase(),
  ]) {
    assert.equal(captureOf(plan, wrong), null, wrong);
  }
});

/** SGP4 flown from elements of that very cycle, without the precomputed track. */
function flown(capture: Capture) {
  const { satellite, slot, cycle } = capture;
  const cycleStartMs = satellite.epochMs + cycle * satellite.orbit.cycleMs;
  const passMs = (slot.pass * satellite.orbit.nodalPeriodMs) / satellite.members;
  // Elements at the node of the pass itself; epochs have milliseconds.
  const epochMs = Math.round(cycleStartMs + passMs);
  return propagatorOfElements({
    epochMs,
    meanMotionRevPerDay: satellite.orbit.meanMotionRevPerDay,
    eccentricity: 1e-6,
    inclinationDeg: satellite.orbit.inclinationDeg,
    nodeDeg: (siderealAngle(epochMs) * 180) / Math.PI + nodeLonDeg(satellite, slot.pass),
    perigeeDeg: 0,
    meanAnomalyDeg: 0,
  });
}

test("a satellite propagated on its own sees each scene abeam at the time and angle that the plan says", () => {
  for (const [dataset, smallest, largest] of [
    ["COPERNICUS/S1_GRD", 29, 46.5],
    ["spotlight", 14.5, 45.5],
    ["spotlight_GEC", 19.5, 60.5],
    ["pleiades", 0, 36],
    ["COPERNICUS/S2_HARMONIZED", 0, 13],
  ] as const) {
    const plan = planOf(dataset);
    let count = 0;
    for (const capture of capturesBetween(plan, [around(12.5, 42, 1.5)], Date.UTC(2024, 3, 1), Date.UTC(2024, 5, 1))) {
      const exact = capture.acquiredAtMs + 500;
      const [west, south, east, north] = boundsOfRing(outlineOf(plan, capture));
      const seen = targetGeometry(flown(capture)(exact), (west + east) / 2, (south + north) / 2);
      // Times are cut to the second, in which a satellite flies 7.5 km.
      assert.ok(Math.abs(seen.rangeRateMs) < 120, `${captureName(plan, capture)}: ${seen.rangeRateMs} m/s`);
      assert.ok(seen.incidenceDeg > smallest && seen.incidenceDeg < largest, `${dataset}: ${seen.incidenceDeg}`);
      count += 1;
      if (count >= 25) break;
    }
    assert.ok(count > 3, dataset);
  }
});

test("scenes of one orbit and frame are almost the same ground at the same hour, cycle after cycle", () => {
  const plan = planOf("COPERNICUS/S1_GRD");
  const stacks = new Map<string, Capture[]>();
  // In the middle of a cell, so that every framing covers the place.
  for (const capture of capturesBetween(plan, [around(14.4, 50.1)], Date.UTC(2020, 0, 1), Date.UTC(2020, 11, 1))) {
    const key = captureName(plan, capture)
      .replace(/^S1._\d+T\d+/u, capture.satellite.code)
      .replace(/_S\d$/u, "");
    stacks.set(key, [...(stacks.get(key) ?? []), capture]);
  }
  const whole = [...stacks.values()].filter(({ length }) => length >= 27);
  assert.ok(whole.length > 0);
  for (const stack of whole) {
    for (const [index, capture] of stack.entries()) {
      const [next, again] = [stack[index + 1], stack[index + 8]];
      if (next === undefined) continue;
      assert.ok(Math.abs(capture.acquiredAtMs - next.acquiredAtMs - 12 * DAY_MS) <= 2000);
      const here = outlineOf(plan, capture);
      const there = boundsOfRing(outlineOf(plan, next));
      const apart = Math.max(...boundsOfRing(here).map((value, side) => Math.abs(value - (there[side] ?? Infinity))));
      // Ten kilometres each way, at latitude 50.
      assert.ok(apart > 0 && apart < 0.25, `${apart} degrees`);
      if (again !== undefined) assert.deepEqual(outlineOf(plan, again), here);
    }
  }
});

function corners(ring: readonly number[]): ReadonlySet<string> {
  const set = new Set<string>();
  for (let i = 0; i < ring.length; i += 2) {
    const lon = (((ring[i] ?? 0) % 360) + 360) % 360;
    set.add(`${lon.toFixed(9)} ${ring[i + 1]?.toFixed(9)}`);
  }
  return set;
}

function shared(a: readonly number[], b: readonly number[]): readonly string[] {
  const other = corners(b);
  return [...corners(a)].filter((one) => other.has(one));
}

test("neighbouring scenes of a pass share their edge, and columns theirs", () => {
  const sentinel2 = planOf("COPERNICUS/S2_HARMONIZED");
  fc.assert(
    fc.property(fc.nat(398), fc.constantFrom(...sentinel2.satellites), fc.nat(7), (row, satellite, framing) => {
      const grid = sentinel2.gridOf(satellite);
      const shift = seamShift(satellite, framing);
      if (grid.box(row, 0) === null || grid.box(row + 1, 0) === null) return;
      // Twelve cells across, four along: cell 37 is the last along and ends where cell 1 of the next strip begins.
      assert.ok(shared(grid.cell(row, 0, 37, shift), grid.cell(row + 1, 0, 1, shift)).length >= 2, `row ${row}`);
      assert.ok(shared(grid.cell(row, 0, 1, shift), grid.cell(row, 0, 13, shift)).length >= 2, `row ${row}`);
      assert.ok(shared(grid.cell(row, 0, 0, shift), grid.cell(row, 0, 1, shift)).length >= 2, `row ${row}`);
      const area = flatAreaKm2(grid.cell(row, 0, 1, shift));
      assert.ok(area > 560 && area < 660, `${area} km²`);
    }),
    { numRuns: 60 },
  );
});

test("sites are imaged more often than the ground around them", () => {
  const plan = planOf("pleiades");
  const [from, to] = [Date.UTC(2022, 0, 1), Date.UTC(2024, 0, 1)];
  const count = (lonDeg: number, latDeg: number) =>
    [...capturesBetween(plan, [around(lonDeg, latDeg)], from, to)].length;
  const sites = SITES.filter((_, index) => index % 8 === 0);
  const atSites = sites.reduce((sum, { lonDeg, latDeg }) => sum + count(lonDeg, latDeg), 0);
  const beside = sites.reduce((sum, { lonDeg, latDeg }) => sum + count(lonDeg + 1.7, latDeg), 0);
  assert.ok(atSites > 1.5 * beside && beside > 0, `${atSites} at sites, ${beside} beside`);
});

test("state vectors are of the moment and place of the scene and consistent with each other", () => {
  const plan = planOf("COPERNICUS/S1_SLC");
  const offsets = new Set<string>();
  for (const capture of capturesBetween(plan, [around(14.4, 50.1)], Date.UTC(2020, 0, 1), Date.UTC(2020, 1, 15))) {
    const vectors = stateVectorsOf(plan, capture);
    assert.equal(vectors.length, 17);
    const middle = vectors[8];
    assert.ok(middle !== undefined && Math.abs(middle.timeMs - capture.acquiredAtMs - 500) <= 500);
    const track = flown(capture)(middle.timeMs);
    const off = Math.hypot(...track.positionM.map((value, axis) => value - (middle.positionM[axis] ?? 0)));
    assert.ok(off < 260, `${off} m off the track`);
    offsets.add(off.toFixed(1));
    for (const [index, vector] of vectors.entries()) {
      const next = vectors[index + 1];
      if (next === undefined) continue;
      assert.ok(Math.abs(next.timeMs - vector.timeMs - 10_000) < 1e-3);
      for (const axis of [0, 1, 2] as const) {
        // Hermite: the mean of both velocities differs from the change by the curvature, below 100 m in 10 s.
        const change: number = next.positionM[axis] - vector.positionM[axis];
        const mean: number = 5 * (next.velocityMs[axis] + vector.velocityMs[axis]);
        assert.ok(Math.abs(change - mean) < 100, `${change} and ${mean}`);
      }
    }
  }
  assert.ok(offsets.size > 3, "orbits of different cycles differ");
});
