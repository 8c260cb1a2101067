import assert from "node:assert/strict";
import { test } from "node:test";
import { inQuayGroups } from "./quay-groups.ts";

const COLUMNS = 200;
const PIXEL_M = 10;

/** Which of some peaks are taken for parts of a quay; the shore is left of column 100. */
function groupsOf(peaks: readonly (readonly [column: number, row: number, strength: number])[]): readonly boolean[] {
  const strength = new Float32Array(COLUMNS * COLUMNS);
  const nearShore = new Uint8Array(COLUMNS * COLUMNS);
  for (let i = 0; i < nearShore.length; i++) nearShore[i] = i % COLUMNS < 100 ? 1 : 0;
  const clusters = peaks.map(([column, row, value]) => {
    const peak = row * COLUMNS + column;
    strength[peak] = value;
    return { peak, members: Int32Array.of(peak) };
  });
  return inQuayGroups(clusters, strength, nearShore, COLUMNS, PIXEL_M);
}

test("three as bright close together near the shore are a quay", () => {
  const cranes = [[40, 50, 100], [55, 50, 90], [48, 62, 300]] as const; // prettier-ignore
  assert.deepEqual(groupsOf(cranes), [true, true, true]);
});

test("ships apart, two side by side and ships off the shore are none", () => {
  assert.deepEqual(groupsOf([[10, 10, 100], [60, 10, 100], [10, 60, 100]]), [false, false, false]); // prettier-ignore
  assert.deepEqual(groupsOf([[10, 10, 100], [14, 20, 100]]), [false, false]); // prettier-ignore
  assert.deepEqual(groupsOf([[140, 50, 100], [155, 50, 90], [148, 62, 300]]), [false, false, false]); // prettier-ignore
});

test("side lobes and the wake of a ship make no group of it", () => {
  assert.equal(groupsOf([[40, 50, 1000], [50, 50, 8], [30, 50, 8], [40, 60, 20]])[0], false); // prettier-ignore
});
