import assert from "node:assert/strict";
import { test } from "node:test";
import { distinctAircraft, type AircraftHit } from "./aircraft-in-rows.ts";

const PIXEL_M = 2;
/** Nose upwards, in the middle. */
const SURE: AircraftHit = {
  column: 100,
  row: 100,
  lengthM: 40,
  angleRad: -Math.PI / 2,
  score: 0.85,
  contrast: 0.3,
  isSure: true,
};

/** A doubtful hit at a distance from the sure one, metres. */
function doubtful(xM: number, yM: number, changes: Partial<AircraftHit> = {}): AircraftHit {
  const [column, row] = [SURE.column + xM / PIXEL_M, SURE.row + yM / PIXEL_M];
  return { ...SURE, column, row, score: 0.65, isSure: false, ...changes };
}

function isKept(hit: AircraftHit): boolean {
  return distinctAircraft([hit, SURE], PIXEL_M, PIXEL_M).includes(hit);
}

test("a doubtful aircraft counts beside a sure one of its size and direction, with its nose to either side", () => {
  assert.ok(isKept(doubtful(44, 0)));
  assert.ok(isKept(doubtful(-80, 10)));
  assert.ok(isKept(doubtful(44, 0, { lengthM: 31, angleRad: Math.PI / 2 + 0.2 })));
});

test("alone, before or behind another, across, or of another size it does not", () => {
  assert.deepEqual(distinctAircraft([doubtful(44, 0)], PIXEL_M, PIXEL_M), []);
  assert.ok(!isKept(doubtful(0, 60)));
  assert.ok(!isKept(doubtful(120, 0)));
  assert.ok(!isKept(doubtful(44, 0, { angleRad: 0 })));
  assert.ok(!isKept(doubtful(44, 0, { lengthM: 20 })));
});

test("a doubtful one supports no other, and never takes the place of a sure one", () => {
  const [near, far] = [doubtful(60, 0), doubtful(120, 0)];
  assert.deepEqual(distinctAircraft([far, near, SURE], PIXEL_M, PIXEL_M), [SURE, near]);
  assert.deepEqual(distinctAircraft([doubtful(6, 0, { score: 0.7 }), SURE], PIXEL_M, PIXEL_M), [SURE]);
});
