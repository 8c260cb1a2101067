import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { Bounds } from "@swath/kernel/geometry/geojson";
import { captureName, captureOf } from "./capture-name.ts";
import { outlineOf } from "./capture.ts";
import { capturesBetween } from "./captures-between.ts";
import { PRODUCTS } from "./products.ts";
import { isInsideRing } from "./ring.ts";
import { framingOf } from "./framing.ts";
import { MOST_SHIFT_KM, seamShift } from "./seam-shift.ts";
import type { SwathPlan } from "./swath-plan.ts";

const DAY_MS = 86_400_000;
/** Missions that image every cell of the earth, each plan once. */
const WHOLE_EARTH = [...new Set(PRODUCTS.filter(({ plan }) => plan.share === null).map(({ plan }) => plan))];
/** Side of a small search. */
const SIDE_KM = 2;

function square(lonDeg: number, latDeg: number): Bounds {
  const north = SIDE_KM / 2 / 111.32;
  const east = north / Math.cos((latDeg * Math.PI) / 180);
  return [lonDeg - east, latDeg - north, lonDeg + east, latDeg + north];
}

/** Whether one scene covers the whole square, in the interval. */
function isCovered(plan: SwathPlan, box: Bounds, fromMs: number, toMs: number): boolean {
  const [west, south, east, north] = box;
  for (const capture of capturesBetween(plan, [box], fromMs, toMs)) {
    const outline = outlineOf(plan, capture);
    const turn = 360 * Math.round(((outline[0] ?? 0) - west) / 360);
    const corners = [west, east].flatMap((lon) => [south, north].map((lat) => [lon + turn, lat] as const));
    if (corners.every(([lon, lat]) => isInsideRing(outline, lon, lat))) return true;
  }
  return false;
}

test("in a year every mission of the whole earth covers any small area within one of its scenes", () => {
  assert.equal(WHOLE_EARTH.length, 5);
  fc.assert(
    fc.property(
      fc.double({ min: -180, max: 180, noNaN: true }),
      // Equally likely everywhere on the sphere, up to 72 degrees.
      fc.double({ min: -0.95, max: 0.95, noNaN: true }).map((sine) => (Math.asin(sine) * 180) / Math.PI),
      fc.integer({ min: 2018, max: 2040 }),
      (lonDeg, latDeg, year) => {
        const box = square(lonDeg, latDeg);
        for (const plan of WHOLE_EARTH) {
          const { code } = plan.satellites[0] ?? assert.fail();
          assert.ok(isCovered(plan, box, Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1)), `${code} at ${box.join()}`);
        }
      },
    ),
    { numRuns: 200 },
  );
});

test("a place on a seam of one cycle is off the seams of another", () => {
  for (const plan of WHOLE_EARTH) {
    const [satellite] = plan.satellites;
    assert.ok(satellite !== undefined);
    const grid = plan.gridOf(satellite);
    // The corner that the first and the second cell share, of a row over land and sea at middle latitudes.
    const row = Math.round(grid.layout.rows * 0.42);
    const framings = Array.from({ length: 8 }, (_, cycle) => framingOf(plan, satellite, cycle));
    assert.deepEqual(
      framings.toSorted((a, b) => a - b),
      [0, 1, 2, 3, 4, 5, 6, 7],
    );
    const seams = framings.map((framing) => grid.cell(row, 0, 1, seamShift(satellite, framing)).slice(0, 2).join());
    assert.equal(new Set(seams).size, 8);
    for (const framing of framings) {
      const { alongKm, acrossKm } = seamShift(satellite, framing);
      assert.ok(Math.max(Math.abs(alongKm), Math.abs(acrossKm)) <= MOST_SHIFT_KM);
    }
  }
});

test("a scene of the nominal framing answers to its name in every cycle", () => {
  const plan = PRODUCTS.find(({ dataset }) => dataset === "COPERNICUS/S2_HARMONIZED")?.plan;
  assert.ok(plan !== undefined);
  const end = Date.UTC(2023, 6, 1);
  const found = [...capturesBetween(plan, [square(2.35, 48.86)], end - 90 * DAY_MS, end)];
  const nominal = found.find(({ framing }) => framing === 0);
  assert.ok(nominal !== undefined);
  const name = captureName(plan, nominal);
  assert.doesNotMatch(name, /_S\d$/u);
  for (let cycle = 1; cycle < 9; cycle += 1) {
    const moment: string = new Date(nominal.acquiredAtMs + cycle * nominal.satellite.orbit.cycleMs).toISOString();
    const later: string = name.replace(/\d{8}T\d{6}/u, moment.slice(0, 19).replaceAll(/[-:]/gu, ""));
    const capture = captureOf(plan, later);
    assert.ok(capture !== null, later);
    assert.deepEqual(outlineOf(plan, capture), outlineOf(plan, nominal));
  }
});
