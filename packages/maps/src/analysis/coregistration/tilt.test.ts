import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnalysisBlock } from "../block.ts";
import { seededNormal, seededUniform } from "../clutter/simulate-clutter.ts";
import { movedPlane } from "./moved-plane.ts";
import { measureSceneShift } from "./scene-shift.ts";
import { shiftAt, tiltedShift, type PlacedShift } from "./tilt.ts";

/** Middles of 4 x 4 windows. */
const PLACES = Array.from({ length: 16 }, (_, i) => [200 + 300 * (i % 4), 150 + 280 * Math.floor(i / 4)] as const);

/** Exact, with a twelfth of a pixel of noise, and some that are wild. */
function measured(wild: number): readonly PlacedShift[] {
  const normal = seededNormal(seededUniform(4));
  return PLACES.map(([column, row], i) => ({
    column,
    row,
    dx: i < wild ? 9 * normal() : 2 + 0.004 * column - 0.003 * row + 0.08 * normal(),
    dy: i < wild ? 9 * normal() : -1 + 0.003 * column + 0.004 * row + 0.08 * normal(),
  }));
}

test("a rotation with a scale is found among wild shifts", () => {
  for (const wild of [0, 3, 5]) {
    const found = tiltedShift(measured(wild), 1);
    assert.ok(found !== null);
    assert.ok(found.agreeing >= 16 - wild && found.residualPx < 0.5, `${found.agreeing}, ${found.residualPx}`);
    for (const [column, row] of PLACES) {
      const [dx, dy] = shiftAt(found, column, row);
      const off = Math.hypot(dx - (2 + 0.004 * column - 0.003 * row), dy - (-1 + 0.003 * column + 0.004 * row));
      assert.ok(off < 0.25, `${off} px off at ${column}, ${row}`);
    }
  }
});

test("wild shifts, few shifts, shifts along a line and steep tilts have none", () => {
  assert.equal(tiltedShift(measured(12), 1), null);
  assert.equal(tiltedShift(measured(0).slice(0, 4), 1), null);
  assert.equal(
    tiltedShift(
      measured(0).map((shift, i) => ({ ...shift, column: 100 * i, row: 50 * i })),
      1,
    ),
    null,
  );
  assert.equal(
    tiltedShift(
      PLACES.map(([column, row]) => ({ column, row, dx: 0.05 * column, dy: 0 })),
      1,
    ),
    null,
  );
});

const SIDE = 1024;
const WINDOW = 256;

/** Squares of random brightness, exact at any place. */
function field(x: number, y: number): number {
  const u = x / 23 + 0.3 * Math.sin(y / 40);
  const v = y / 19 + 0.3 * Math.sin(x / 50);
  let value = 0;
  for (let j = 0; j <= 1; j++) {
    for (let i = 0; i <= 1; i++) {
      const [column, row] = [Math.floor(u) + i, Math.floor(v) + j];
      const hash = Math.sin(column * 127.1 + row * 311.7) * 43_758.5453;
      const weight = edge(1 - Math.abs(u - column)) * edge(1 - Math.abs(v - row));
      value += weight * (hash - Math.floor(hash));
    }
  }
  return value;
}

/** Steep in the middle, as a blurred edge is. */
function edge(share: number): number {
  return 1 / (1 + Math.exp(-14 * (share - 0.5)));
}

function plane(at: (column: number, row: number) => number): Float32Array {
  return Float32Array.from({ length: SIDE * SIDE }, (_, i) => at((i % SIDE) + 0.5, Math.floor(i / SIDE) + 0.5));
}

test("scenes that are turned against each other are measured and laid on each other to a third of a pixel", () => {
  const [rotation, scale] = [0.006, 0.002];
  const before = plane(field);
  // What the first shows at (x, y), the second shows at (x + dx, y + dy).
  const shift = (x: number, y: number): readonly [number, number] => [
    1.5 + scale * (x - 512) - rotation * (y - 512),
    -2 + rotation * (x - 512) + scale * (y - 512),
  ];
  const after = plane((x, y) => {
    let [u, v] = [x, y];
    for (let turn = 0; turn < 6; turn++) {
      const [dx, dy] = shift(u, v);
      [u, v] = [x - dx, y - dy];
    }
    return field(u, v);
  });
  const ground = { metresPerPixelX: 10, metresPerPixelY: 10, northDeg: 0, lonDeg: 0, latDeg: 0 };
  const windows = Array.from({ length: 16 }, (_, index): AnalysisBlock => {
    const rect = { column: (index % 4) * WINDOW, row: Math.floor(index / 4) * WINDOW, columns: WINDOW, rows: WINDOW };
    const cut = (whole: Float32Array): Float32Array =>
      Float32Array.from(
        { length: WINDOW * WINDOW },
        (_unused, i) => whole[(rect.row + Math.floor(i / WINDOW)) * SIDE + rect.column + (i % WINDOW)] ?? Number.NaN,
      );
    return { rect, core: rect, scenes: [[cut(before)], [cut(after)]], land: null, ground };
  });
  const measuredShift = measureSceneShift(windows, undefined, true);
  assert.equal(measuredShift.status, "measured");
  assert.ok(measuredShift.tilt !== undefined && measuredShift.agreeing >= 12, JSON.stringify(measuredShift));
  for (const [x, y] of PLACES) {
    if (y > 960) continue;
    const [dx, dy] = shiftAt({ ...measuredShift, tilt: measuredShift.tilt }, x, y);
    const [trueX, trueY] = shift(x, y);
    assert.ok(Math.hypot(dx - trueX, dy - trueY) < 0.33, `${dx}, ${dy} at ${x}, ${y}; expected ${trueX}, ${trueY}`);
  }
  const moved = movedPlane(after, { column: 0, row: 0, columns: SIDE, rows: SIDE }, measuredShift);
  const difference = (other: Float32Array): number => {
    let [sum, count] = [0, 0];
    for (const [i, value] of other.entries()) {
      if (Number.isNaN(value)) continue;
      sum += Math.abs(value - (before[i] ?? 0));
      count++;
    }
    return sum / count;
  };
  assert.ok(difference(moved) < 0.25 * difference(after), `${difference(moved)} of ${difference(after)}`);
  // Without a tilt the same windows do not agree.
  assert.equal(measureSceneShift(windows).status, "inconsistent");
});
