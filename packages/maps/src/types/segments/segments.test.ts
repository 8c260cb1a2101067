import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { BlockResult, PixelRect } from "../../analysis/block.ts";
import { hash, opticalTestParameters, paintedBlock, type Painter } from "../../analysis/optical/testing.ts";
import { BOUNDARY, segments, SEGMENTS_MARGIN_PX } from "./segments.ts";

const SIDE = 620;
const size = [SIDE, SIDE] as const;
const whole = { column: 0, row: 0, columns: SIDE, rows: SIDE };
const roles = ["B", "G", "R", "N"] as const;
const scene = opticalTestParameters(SIDE, SIDE, { roles });
const given = scene;

/** Ragged fields of many sizes with grain, a road, and no data in a corner and in holes. */
const land: Painter = (x, y) => {
  if (x + y < 60 || hash(Math.floor(x / 9), Math.floor(y / 9), 77) > 0.995) return null;
  const bend = 12 * Math.sin(x / 31) + 9 * Math.sin(y / 23);
  const field = hash(Math.floor((x + bend) / 47), Math.floor((y - bend) / 33), 5);
  const grain = 0.05 * hash(x, y, 11);
  if (Math.abs(x - y + bend) < 3) return [0.2, 0.2, 0.2, 0.22];
  return [0.03 + 0.1 * field + grain, 0.05 + 0.12 * field, 0.04 + 0.2 * field + grain, 0.5 - 0.4 * field];
};

const overview = paintedBlock(whole, 0, size, land, scene);
const model = segments.survey!({ overview, windows: [] }, given);

function computed(core: PixelRect): { readonly result: BlockResult; readonly rect: PixelRect } {
  const block = paintedBlock(core, SEGMENTS_MARGIN_PX, size, land, scene);
  return { result: segments.compute(block, model, given), rect: block.rect };
}

function coreOf({ result, rect }: ReturnType<typeof computed>, core: PixelRect): readonly number[][] {
  return result.layers.map((layer) => {
    const values: number[] = [];
    for (let row = core.row; row < core.row + core.rows; row++) {
      const start = (row - rect.row) * rect.columns + core.column - rect.column;
      for (let column = 0; column < core.columns; column++) values.push(layer[start + column]);
    }
    return values;
  });
}

const all = computed(whole);
const inAll = (core: PixelRect): readonly number[][] => coreOf(all, core);

test("any window of a scene shows what the whole scene shows, objects too", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: SIDE - 64 }),
      fc.integer({ min: 0, max: SIDE - 64 }),
      fc.integer({ min: 16, max: 64 }),
      (column, row, side) => {
        const core = { column, row, columns: side, rows: side };
        const part = computed(core);
        assert.deepEqual(coreOf(part, core), inAll(core));
        const inside = all.result.objects.filter(
          ({ centre: [x, y] }) => x >= column && x < column + side && y >= row && y < row + side,
        );
        const kept = part.result.objects;
        assert.deepEqual(
          kept.map(({ centre, areaM2, properties }) => ({ centre, areaM2, properties })),
          inside.map(({ centre, areaM2, properties }) => ({ centre, areaM2, properties })),
        );
        for (const [i, { corners }] of kept.entries()) {
          for (const [k, [x, y]] of corners.entries()) {
            const [ex, ey] = inside[i].corners[k];
            assert.ok(Math.abs(x - ex) < 1e-6 && Math.abs(y - ey) < 1e-6);
          }
        }
      },
    ),
    { numRuns: 3 },
  );
});

/** Pieces of one number that touch by sides. */
function piecesPerNumber(numbers: ArrayLike<number>, side: number): Map<number, number> {
  const seen = new Uint8Array(side * side);
  const pieces = new Map<number, number>();
  for (let first = 0; first < seen.length; first++) {
    if (seen[first] === 1 || Number.isNaN(numbers[first])) continue;
    pieces.set(numbers[first], (pieces.get(numbers[first]) ?? 0) + 1);
    const stack = [first];
    seen[first] = 1;
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      const column = at % side;
      for (const other of [column > 0 ? at - 1 : -1, column < side - 1 ? at + 1 : -1, at - side, at + side]) {
        if (other < 0 || other >= seen.length || seen[other] === 1 || numbers[other] !== numbers[at]) continue;
        seen[other] = 1;
        stack.push(other);
      }
    }
  }
  return pieces;
}

test("segments are of one piece, cover all data, have the size asked for, and one feature each", () => {
  const [classes, numbers, means] = inAll(whole);
  const pieces = piecesPerNumber(numbers, SIDE);
  const split = [...pieces.values()].filter((count) => count > 1).length;
  assert.ok(split <= 0.04 * pieces.size, `${split} of ${pieces.size} segments in pieces`);
  const data = overview.scenes[0][0].filter((value) => !Number.isNaN(value)).length;
  assert.equal(numbers.filter((value) => !Number.isNaN(value)).length, data);
  assert.equal(means.filter((value) => !Number.isNaN(value)).length, data);
  const mean = data / pieces.size;
  assert.ok(mean > 600 && mean < 900, `${mean} px`);
  const features = all.result.objects;
  assert.equal(features.length, pieces.size);
  assert.deepEqual(new Set(features.map(({ properties }) => properties["segment"])), new Set(pieces.keys()));
  assert.equal(
    features.reduce((sum, { properties }) => sum + Number(properties["pixels"]), 0),
    data,
  );
  for (let i = 0; i < numbers.length - SIDE; i++) {
    if (i % SIDE === SIDE - 1 || Number.isNaN(numbers[i])) continue;
    const changes = numbers[i + 1] !== numbers[i] || numbers[i + SIDE] !== numbers[i];
    assert.equal(classes[i] === BOUNDARY, changes);
  }
});

const disc = (x: number, y: number): boolean => Math.hypot(x - 100, y - 100) < 45;
const lake: Painter = (x, y) => (disc(x, y) ? [0.05, 0.05, 0.04, 0.02] : [0.1, 0.12, 0.14, 0.3]);

test("edges of what is plainly different are edges of segments", () => {
  const side = 200;
  const parameters = opticalTestParameters(side, side, { roles });
  const core = { column: 0, row: 0, columns: side, rows: side };
  const block = paintedBlock(core, SEGMENTS_MARGIN_PX, [side, side], lake, parameters, 0.02);
  const learnt = segments.survey!(
    { overview: paintedBlock(core, 0, [side, side], lake, parameters, 0.02), windows: [] },
    parameters,
  );
  const { layers } = segments.compute(block, learnt, parameters);
  const numbers = layers[1].filter((value) => !Number.isNaN(value));
  assert.ok([...piecesPerNumber(numbers, side).values()].every((count) => count === 1));
  const members = new Map<number, [inside: number, outside: number]>();
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const number = layers[1][(y + SEGMENTS_MARGIN_PX) * block.rect.columns + x + SEGMENTS_MARGIN_PX];
      const counts = members.get(number) ?? [0, 0];
      counts[disc(x, y) ? 0 : 1] += 1;
      members.set(number, counts);
    }
  }
  const leaked = [...members.values()].reduce((sum, [inside, outside]) => sum + Math.min(inside, outside), 0);
  assert.ok(leaked < 0.005 * side * side, `${leaked} pixels on the wrong side`);
});
