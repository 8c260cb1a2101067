import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnalysisBlock } from "../../analysis/block.ts";
import { seededUniform } from "../../analysis/clutter/simulate-clutter.ts";
import { ScenesRefused } from "../../analysis/scenes-refused.ts";
import { change, type ChangeParameters } from "./change.ts";

const SIDE = 128;
const PARAMETERS: ChangeParameters = {
  method: "irmad",
  roles: ["R", "G", "N"],
  alpha: 1e-3,
  red: 0,
  green: 1,
  nir: 2,
  calibrated: false,
};

/** Patches of random brightness in three bands. */
function patches(dx: number, dy: number): readonly Float32Array[] {
  return [1, 2, 3].map((band) => {
    const uniform = seededUniform(band);
    const bright = Float32Array.from({ length: 32 * 32 }, uniform);
    return Float32Array.from({ length: SIDE * SIDE }, (_, i) => {
      const column = Math.floor(((i % SIDE) + dx + 64) / 9);
      const row = Math.floor((Math.floor(i / SIDE) + dy + 64) / 11);
      return 0.1 + 0.3 * (bright[row * 32 + column] ?? 0);
    });
  });
}

function windows(shifts: readonly (readonly [dx: number, dy: number])[]): readonly AnalysisBlock[] {
  const ground = { metresPerPixelX: 10, metresPerPixelY: 10, northDeg: 0, lonDeg: 0, latDeg: 0 };
  return shifts.map(([dx, dy], i) => {
    const rect = { column: (i % 2) * 300, row: Math.floor(i / 2) * 300, columns: SIDE, rows: SIDE };
    return { rect, core: rect, scenes: [patches(0, 0), patches(dx, dy)], land: null, ground };
  });
}

function surveyed(shifts: readonly (readonly [dx: number, dy: number])[]): unknown {
  const all = windows(shifts);
  const [overview] = all;
  assert.ok(overview !== undefined);
  const coarse = { ...overview, ground: { ...overview.ground, metresPerPixelX: 40, metresPerPixelY: 40 } };
  return change.survey?.({ overview: coarse, windows: all }, PARAMETERS);
}

test("scenes whose parts are shifted differently are refused, and the message says by how much", () => {
  const torn = [
    [6, 0],
    [-6, 3],
    [0, -7],
    [3, 8],
  ] as const;
  assert.throws(
    () => surveyed(torn),
    (error) =>
      error instanceof ScenesRefused && /of 4 windows agree on a shift.+1 at most is expected/.test(error.message),
  );
});

test("two windows that disagree do not decide, and four that agree are moved", () => {
  const few = surveyed([
    [6, 0],
    [-6, 3],
  ]);
  assert.match(JSON.stringify(few), /"status":"inconsistent"/);
  const moved = surveyed([
    [4, -3],
    [4, -3],
    [4, -3],
    [4, -3],
  ]);
  assert.match(JSON.stringify(moved), /"status":"measured"/);
});
