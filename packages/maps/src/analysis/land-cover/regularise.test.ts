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

/** Iterated conditional modes as published: every pixel counts all eight neighbours. */
function smoothedAsPublished(
  labels: Uint8Array,
  fixed: Uint8Array,
  shares: readonly Uint8Array[],
  columns: number,
  sweeps: number,
): Uint8Array {
  const result = labels.slice();
  const around = [-columns - 1, -columns, -columns + 1, -1, 1, columns - 1, columns, columns + 1];
  for (let step = 0; step < 4 * sweeps; step++) {
    for (let row = 1 + (((step >> 1) + 1) & 1); row < labels.length / columns - 1; row += 2) {
      for (let column = 1 + ((step + 1) & 1); column < columns - 1; column += 2) {
        const i = row * columns + column;
        if (result[i] === 0 || fixed[i] === 1) continue;
        if (around.every((offset) => result[i + offset] === result[i])) continue;
        const costs = shares.map((share, c) => {
          const alike = around.filter((offset) => result[i + offset] === c + 1).length;
          return -Math.log(Math.max(0.01, (share[i] ?? 0) / 255)) - alike;
        });
        result[i] = costs.indexOf(Math.min(...costs)) + 1;
      }
    }
  }
  return result;
}

test("smoothing that passes over the inside of classes gives what counting every neighbour gives", () => {
  const [columns, rows, classes] = [37, 29, 4];
  for (let seed = 1; seed <= 20; seed++) {
    let state = seed;
    const random = (): number => (state = Math.imul(state, 48_271) & 0x7f_ff_ff_ff) / 0x80_00_00_00;
    const noisy = (share: number): boolean => random() < share;
    const labels = Uint8Array.from({ length: columns * rows }, (_, i) =>
      noisy(0.03)
        ? 0
        : noisy(0.15)
          ? 1 + Math.floor(classes * random())
          : 1 + Math.floor((classes * (i % columns)) / columns),
    );
    const fixed = Uint8Array.from(labels, () => (noisy(0.1) ? 1 : 0));
    const shares = Array.from({ length: classes }, () => Uint8Array.from(labels, () => Math.floor(256 * random())));
    const expected = smoothedAsPublished(labels, fixed, shares, columns, 2);
    smoothLabels(labels, fixed, shares, columns, { column: 0, row: 0 }, 2);
    assert.deepEqual(labels, expected);
  }
});
