import assert from "node:assert/strict";
import { test } from "node:test";
import { smoothLabels, withoutSpecks } from "./regularise.ts";

function picture(rows: readonly string[]): Uint8Array {
  return Uint8Array.from(rows.join(""), Number);
}

test("pieces that are too small go to what surrounds them, large ones and no data stay", () => {
  const before = picture(["1111111", "1221131", "1221111", "1111441", "1011111"]);
  const after = picture(["1111111", "1221111", "1221111", "1111111", "1011111"]);
  assert.deepEqual(withoutSpecks(before, 7, 4), after);
  assert.deepEqual(
    withoutSpecks(before, 7, 4, new Set([3])),
    picture(["1111111", "1221131", "1221111", "1111111", "1011111"]),
  );
  assert.deepEqual(withoutSpecks(before, 7, 1), before);
});

test("a small piece among no data has nothing to go to", () => {
  const alone = picture(["000", "020", "000"]);
  assert.deepEqual(withoutSpecks(alone, 3, 4), alone);
});

test("a doubtful pixel follows its neighbours, a certain one does not, a fixed one never", () => {
  const size = 7;
  const labels = new Uint8Array(size * size).fill(1);
  const shares = [new Uint8Array(size * size).fill(255), new Uint8Array(size * size)];
  const set = (at: number, share: number): void => {
    labels[at] = 2;
    shares[0][at] = 255 - share;
    shares[1][at] = share;
  };
  set(8, 140);
  set(12, 140);
  // A line of certain pixels from edge to edge, two neighbours each: -ln(0.01) = 4.6 is more than the four neighbours that it loses by.
  for (let column = 0; column < size; column++) set(4 * size + column, 255);
  const fixed = new Uint8Array(size * size);
  fixed[12] = 1;
  smoothLabels(labels, fixed, shares, size, { column: 0, row: 0 }, 2);
  assert.equal(labels[8], 1);
  assert.equal(labels[12], 2);
  assert.deepEqual(
    [2, 3, 4].map((column) => labels[4 * size + column]),
    [2, 2, 2],
  );
});
